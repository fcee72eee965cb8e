import type { PodCertificateRequest } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { labelsText } from '../../parts/tables/selector-text.ts';

const finalStates = new Set(['Issued', 'Denied', 'Failed']);

export const podCertificateRequests = defineTable<PodCertificateRequest>({
  columns: [
    nameColumn,
    textColumn('PodName', 'Pod that requests the certificate.'),
    textColumn('ServiceAccountName', 'Service account of the pod.'),
    textColumn('NodeName', 'Node that the pod runs on.'),
    textColumn('SignerName', 'Requested signer.'),
    textColumn('State', 'Decision on the request.'),
    textColumn('UnverifiedUserAnnotations', 'Unverified information from the pod for the signer.'),
  ],
  cells(request) {
    const { spec = {}, status } = request;
    const decided = status?.conditions?.findLast(({ type = '' }) => finalStates.has(type));
    return [
      nameOf(request),
      spec.podName ?? '',
      spec.serviceAccountName ?? '',
      spec.nodeName ?? '',
      spec.signerName ?? '',
      decided?.type ?? 'Pending',
      labelsText(spec.unverifiedUserAnnotations),
    ];
  },
});
