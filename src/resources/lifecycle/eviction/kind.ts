import type { Eviction } from '../../../schema/kubernetes/generated/types/lifecycle-v1alpha1.ts';
import { defineKind } from '../../define-kind.ts';

export const evictionKind = defineKind<Eviction>({
  group: 'lifecycle.k8s.io',
  kind: 'Eviction',
  strategy: { generation: 'spec', requireResourceVersion: true, statusKeepsMetadata: true },
  table: async () => (await import('./table.ts')).evictions,
});
