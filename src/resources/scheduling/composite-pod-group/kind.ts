import type { CompositePodGroup } from '../../../schema/kubernetes/generated/types/scheduling-v1alpha3.ts';
import { defineKind } from '../../define-kind.ts';

export const compositePodGroupKind = defineKind<CompositePodGroup>({
  group: 'scheduling.k8s.io',
  kind: 'CompositePodGroup',
  strategy: { requireResourceVersion: true, statusKeepsMetadata: true },
  answers: { statusHasNoTable: true },
  table: async () => (await import('./table.ts')).compositePodGroups,
});
