import type { Workload } from '../../../schema/kubernetes/generated/types/scheduling-v1beta1.ts';
import { defineKind } from '../../define-kind.ts';

export const workloadKind = defineKind<Workload>({
  group: 'scheduling.k8s.io',
  kind: 'Workload',
  strategy: { requireResourceVersion: true },
  table: async () => (await import('./table.ts')).workloads,
});
