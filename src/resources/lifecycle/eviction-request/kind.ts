import type { EvictionRequest } from '../../../schema/kubernetes/generated/types/lifecycle-v1alpha1.ts';
import { defineKind } from '../../define-kind.ts';

export const evictionRequestKind = defineKind<EvictionRequest>({
  group: 'lifecycle.k8s.io',
  kind: 'EvictionRequest',
  strategy: { generation: 'spec', requireResourceVersion: true, statusKeepsMetadata: true },
  table: async () => (await import('./table.ts')).evictionRequests,
});
