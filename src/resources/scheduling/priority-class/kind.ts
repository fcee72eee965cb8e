import type { PriorityClass } from '../../../schema/kubernetes/generated/types/scheduling-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed } from '../../parts/defaults/fill.ts';
import { isSystemClass, priorityClass, priorityClassUpdate } from './validation.ts';

export const priorityClassKind = defineKind<PriorityClass>({
  group: 'scheduling.k8s.io',
  kind: 'PriorityClass',
  strategy: {
    // Never incremented, as in the reference.
    prepareForCreate({ metadata }) {
      metadata.generation = 1;
    },
    refuseDeletion: (name) =>
      isSystemClass(name) ? 'this is a system priority class and cannot be deleted' : undefined,
  },
  checks: { create: priorityClass, update: priorityClassUpdate },
  defaults: { 'io.k8s.api.scheduling.v1.PriorityClass': fixed({ preemptionPolicy: 'PreemptLowerPriority' }) },
  table: async () => (await import('./table.ts')).priorityClasses,
});
