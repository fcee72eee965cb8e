import type { PodTemplate } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { podTemplateDefaults } from '../../parts/pod-template/defaults.ts';
import { podTemplateSpec } from '../../parts/pod-template/pod-spec.ts';
import { podWarnings } from '../../parts/pod-template/warnings.ts';
import { templated } from '../../parts/workload/warnings.ts';

export const podTemplateKind = defineKind<PodTemplate>({
  group: '',
  kind: 'PodTemplate',
  strategy: { generation: 'spec' },
  checks: { both: ({ template = {} }) => podTemplateSpec(template, 'template') },
  warnings: templated(({ template }) => podWarnings('template', template ?? {})),
  responses: { returnsDeletedObject: true },
  defaults: podTemplateDefaults,
  table: async () => (await import('./table.ts')).podTemplates,
});
