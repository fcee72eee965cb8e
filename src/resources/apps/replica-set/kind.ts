import type { ReplicaSet } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed } from '../../parts/defaults/fill.ts';
import { podTemplateDefaults } from '../../parts/pod-template/defaults.ts';
import { type Errors, nonNegative } from '../../parts/rules/rules.ts';
import { replicaPaths, withZeroReplicas } from '../../parts/workload/replicas.ts';
import { replicaSetStatus, selectorUpdate, replicaTemplate } from '../../parts/workload/validation.ts';
import { podNames, specTemplateWarnings, templated } from '../../parts/workload/warnings.ts';

export const replicaSetKind = defineKind<ReplicaSet>({
  group: 'apps',
  kind: 'ReplicaSet',
  strategy: {
    generation: 'spec',
    scaleIn: replicaPaths,
  },
  checks: { both: replicaSet, update: selectorUpdate, subresources: { status: replicaSetStatus } },
  warnings: templated(specTemplateWarnings, podNames),
  responses: { emptyForm: withZeroReplicas },
  defaults: { ...podTemplateDefaults, 'io.k8s.api.apps.v1.ReplicaSetSpec': fixed({ replicas: 1 }) },
  table: async () => (await import('./table.ts')).replicaSets,
});

function* replicaSet({ spec = {} }: ReplicaSet): Errors {
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* replicaTemplate(spec, 'deployment', 'invalid label selector');
}
