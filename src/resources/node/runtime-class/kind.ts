import type { RuntimeClass } from '../../../schema/kubernetes/generated/types/node-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { always } from '../../kind-warnings.ts';
import { nodeSelectorWarnings } from '../../parts/selectors/node-labels.ts';
import { runtimeClass, runtimeClassUpdate } from './validation.ts';
import { runtimeClassFromAlpha1 } from './older-versions.ts';

export const runtimeClassKind = defineKind<RuntimeClass>({
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  strategy: { requireResourceVersion: true, allowCreateOnUpdate: true },
  checks: { create: runtimeClass, update: runtimeClassUpdate, anyFinalizer: true },
  warnings: always(({ scheduling }) => nodeSelectorWarnings(() => 'scheduling.nodeSelector', scheduling?.nodeSelector)),
  table: async () => (await import('./table.ts')).runtimeClasses,
  olderVersions: {
    'node.k8s.io/v1alpha1': runtimeClassFromAlpha1,
  },
});
