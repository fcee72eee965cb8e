import { nameRules } from '../../../api/meta/names.ts';
import type { ReplicationController } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { typed } from '../../parts/defaults/fill.ts';
import { podTemplateDefaults } from '../../parts/pod-template/defaults.ts';
import { isEmpty, longName } from '../../parts/rules/rules.ts';
import { replicaPaths } from '../../parts/workload/replicas.ts';
import { replicaSetStatus } from '../../parts/workload/validation.ts';
import { podNames, sameGeneration, specTemplateWarnings, templated } from '../../parts/workload/warnings.ts';
import { replicationController } from './validation.ts';

export const replicationControllerKind = defineKind<ReplicationController>({
  group: '',
  kind: 'ReplicationController',
  strategy: {
    // The name is declared with its type, and reported last; the prefix is looked at once all else is right.
    nameRule: nameRules.any,
    generation: 'spec',
    scaleIn: replicaPaths,
    garbageCollection: 'orphan',
    // Labels follow from the stored template, however little of it the update had.
    subresources: { status: { prepareForUpdate: defaultReplicationController } },
    selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  },
  checks: {
    both: replicationController,
    create: ({ metadata }) => (isEmpty(metadata?.name) ? [] : longName(metadata?.name, 'metadata.name')),
    subresources: { status: replicaSetStatus },
  },
  warnings: {
    ...templated(specTemplateWarnings, podNames),
    // The reference warns about the old template.
    update: (object, old) => (sameGeneration(object, old) ? [] : specTemplateWarnings(old)),
  },
  defaults: {
    ...podTemplateDefaults,
    'io.k8s.api.core.v1.ReplicationController': typed(defaultReplicationController),
  },
  table: async () => (await import('./table.ts')).replicationControllers,
});

function defaultReplicationController(controller: ReplicationController): void {
  const labels = controller.spec?.template?.metadata?.labels;
  if (labels === undefined) return;
  controller.spec ??= {};
  controller.spec.selector ??= { ...labels };
  controller.metadata = { ...controller.metadata, labels: controller.metadata?.labels ?? { ...labels } };
}
