import type { PodGroup } from '../../../schema/kubernetes/generated/types/scheduling-v1beta1.ts';
import { defineKind } from '../../define-kind.ts';

export const podGroupKind = defineKind<PodGroup>({
  group: 'scheduling.k8s.io',
  kind: 'PodGroup',
  strategy: { requireResourceVersion: true, statusKeepsMetadata: true },
  answers: { statusHasNoTable: true },
  table: async () => (await import('./table.ts')).podGroups,
});
