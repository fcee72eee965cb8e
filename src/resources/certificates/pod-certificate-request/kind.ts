import type { PodCertificateRequest } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { permitStatusUpdate } from './signer-permission.ts';
import { podCertificateRequest, podCertificateRequestUpdate } from './validation.ts';
import { podCertificateStatus } from './status-validation.ts';

export const podCertificateRequestKind = defineKind<PodCertificateRequest>({
  group: 'certificates.k8s.io',
  kind: 'PodCertificateRequest',
  strategy: {
    requireResourceVersion: true,
    statusKeepsMetadata: true,
    subresources: { status: { permitUpdate: permitStatusUpdate } },
    selectableMetadata: 'name',
    selectableFields: {
      'spec.signerName': ({ spec }) => spec?.signerName ?? '',
      'spec.podName': ({ spec }) => spec?.podName ?? '',
      'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
    },
  },
  checks: {
    create: podCertificateRequest,
    update: podCertificateRequestUpdate,
    subresources: { status: podCertificateStatus },
  },
  table: async () => (await import('./table.ts')).podCertificateRequests,
});
