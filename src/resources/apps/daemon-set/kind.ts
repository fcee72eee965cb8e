import type { DaemonSet } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { typed } from '../../parts/defaults/fill.ts';
import { podTemplateDefaults } from '../../parts/pod-template/defaults.ts';
import { selectorUpdate } from '../../parts/workload/validation.ts';
import { specTemplateWarnings, templated } from '../../parts/workload/warnings.ts';
import { defaultDaemonSet } from './defaults.ts';
import { daemonSetStrategy, templateGeneration, withZeroTemplateGeneration } from './strategy.ts';
import { daemonSet, daemonSetStatus, templateGenerationUpdate } from './validation.ts';

export const daemonSetKind = defineKind<DaemonSet>({
  group: 'apps',
  kind: 'DaemonSet',
  strategy: daemonSetStrategy,
  checks: {
    create: daemonSet,
    update: function* (object, old) {
      yield* templateGenerationUpdate(object, old);
      yield* selectorUpdate(object, old);
      yield* daemonSet(object);
    },
    subresources: { status: daemonSetStatus },
  },
  warnings: templated(specTemplateWarnings),
  responses: { emptyForm: withZeroTemplateGeneration, annotatedFields: [templateGeneration.annotation] },
  defaults: { ...podTemplateDefaults, 'io.k8s.api.apps.v1.DaemonSet': typed(defaultDaemonSet) },
  table: async () => (await import('./table.ts')).daemonSets,
});
