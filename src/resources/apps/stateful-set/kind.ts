import { nameRules } from '../../../api/meta/names.ts';
import type { StatefulSet } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { typed } from '../../parts/defaults/fill.ts';
import { podTemplateDefaults } from '../../parts/pod-template/defaults.ts';
import { volumeClaimDefaults } from '../../parts/volume-claim/defaults.ts';
import { replicaPaths, withZeroReplicas } from '../../parts/workload/replicas.ts';
import { afterTemplate, specTemplateWarnings, templated } from '../../parts/workload/warnings.ts';
import { defaultMaxUnavailable, defaultStatefulSet } from './defaults.ts';
import { newStatefulSet, statefulSetStatus, statefulSetUpdate } from './validation.ts';
import { statefulSetWarnings } from './warnings.ts';

export const statefulSetKind = defineKind<StatefulSet>({
  group: 'apps',
  kind: 'StatefulSet',
  strategy: { generation: 'spec', scaleIn: replicaPaths, nameRule: nameRules.dnsLabel },
  checks: { create: newStatefulSet, update: statefulSetUpdate, subresources: { status: statefulSetStatus } },
  warnings: afterTemplate(templated(specTemplateWarnings), {
    create: (set) => statefulSetWarnings(set, 'create'),
    update: (set) => statefulSetWarnings(set, 'update'),
  }),
  responses: { emptyForm: withZeroReplicas },
  defaults: {
    ...podTemplateDefaults,
    ...volumeClaimDefaults,
    'io.k8s.api.apps.v1.StatefulSet': typed(defaultStatefulSet),
  },
  gatedDefaults: {
    MaxUnavailableStatefulSet: { 'io.k8s.api.apps.v1.StatefulSet': typed(defaultMaxUnavailable) },
  },
  table: async () => (await import('./table.ts')).statefulSets,
});
