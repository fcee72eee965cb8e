import type { Lease } from '../../../schema/kubernetes/generated/types/coordination-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { lease } from './validation.ts';

export const leaseKind = defineKind<Lease>({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  strategy: { requireResourceVersion: true, allowCreateOnUpdate: true },
  checks: { both: lease, anyFinalizer: true },
  table: async () => (await import('./table.ts')).leases,
});
