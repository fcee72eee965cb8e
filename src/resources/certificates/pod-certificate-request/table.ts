import type { PodCertificateRequest } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { labelsText } from '../../parts/tables/selector-text.ts';

const finalStates = new Set(['Issued', 'Denied', 'Failed']);

export const podCertificateRequests = defineTable<PodCertificateRequest>({
  columns: [
    nameColumn,
    textColumn('PodName', 'Pod that the certificate is for.'),
    textColumn('ServiceAccountName', 'Service account of the pod.'),
    textColumn('NodeName', 'Node that the pod runs on.'),
    textColumn('SignerName', 'Signer that is asked.'),
    textColumn('State', 'What has been decided.'),
    textColumn('UnverifiedUserAnnotations', 'What the pod tells the signer; nobody has checked it.'),
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
