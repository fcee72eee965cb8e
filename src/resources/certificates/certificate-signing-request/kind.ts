import type { CertificateSigningRequest } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { signingRequestStrategy } from './strategy.ts';
import { signingRequestChecks } from './validation.ts';

export const certificateSigningRequestKind = defineKind<CertificateSigningRequest>({
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  strategy: signingRequestStrategy,
  checks: signingRequestChecks,
  table: async () => (await import('./table.ts')).certificateSigningRequests,
});
