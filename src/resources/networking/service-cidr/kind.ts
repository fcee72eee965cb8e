import type { ServiceCIDR } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { serviceCidr, serviceCidrUpdate } from './validation.ts';

export const serviceCidrKind = defineKind<ServiceCIDR>({
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  strategy: { statusKeepsMetadata: true },
  checks: { create: serviceCidr, update: serviceCidrUpdate },
  table: async () => (await import('./table.ts')).serviceCidrs,
});
