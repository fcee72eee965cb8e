import type { Deployment } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { typed } from '../../parts/defaults/fill.ts';
import { podTemplateDefaults } from '../../parts/pod-template/defaults.ts';
import { withZeroReplicas } from '../../parts/workload/replicas.ts';
import { selectorUpdate } from '../../parts/workload/validation.ts';
import { podNames, specTemplateWarnings, templated } from '../../parts/workload/warnings.ts';
import { defaultDeployment } from './defaults.ts';
import { deploymentStrategy, rollbackTo } from './strategy.ts';
import { deployment, deploymentStatus } from './validation.ts';

export const deploymentKind = defineKind<Deployment>({
  group: 'apps',
  kind: 'Deployment',
  strategy: deploymentStrategy,
  checks: { both: deployment, update: selectorUpdate, subresources: { status: deploymentStatus } },
  warnings: templated(specTemplateWarnings, podNames),
  responses: { emptyForm: withZeroReplicas, annotatedFields: [rollbackTo.annotation] },
  defaults: { ...podTemplateDefaults, 'io.k8s.api.apps.v1.Deployment': typed(defaultDeployment) },
  table: async () => (await import('./table.ts')).deployments,
});
