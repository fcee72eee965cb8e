import type { Workload } from '../../../schema/kubernetes/generated/types/scheduling-v1beta1.ts';
import { defineKind } from '../../define-kind.ts';
import { workload, workloadUpdate } from './validation.ts';

export const workloadKind = defineKind<Workload>({
  group: 'scheduling.k8s.io',
  kind: 'Workload',
  strategy: { requireResourceVersion: true },
  checks: { create: workload, update: workloadUpdate },
  table: async () => (await import('./table.ts')).workloads,
});
