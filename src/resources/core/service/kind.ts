import { nameRules } from '../../../api/meta/names.ts';
import type { Service } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { always } from '../../kind-warnings.ts';
import { typed } from '../../parts/defaults/fill.ts';
import { serviceAllocation } from './allocation/service-allocation.ts';
import { defaultService } from './defaults.ts';
import { validateService } from './validation.ts';
import { validateServiceStatus } from './status-validation.ts';
import { validateServiceUpdate } from './update-validation.ts';
import { loadBalancerWarnings, serviceWarnings } from './warnings.ts';

/** Names of existing services stay valid. */
const strictNames = { nameRule: nameRules.dns1035Label, knownNameRule: nameRules.dnsLabel };

export const serviceKind = defineKind<Service>({
  group: '',
  kind: 'Service',
  strategy: ({ services, disabledPolicies, featureGates }) => ({
    ...(featureGates.get('RelaxedServiceNameValidation') === false ? strictNames : { nameRule: nameRules.dnsLabel }),
    allowCreateOnUpdate: true,
    ...serviceAllocation({ ...services, disabledPolicies }),
    // Without a cluster IP the policy has no effect.
    canonicalize(service) {
      const { internalTrafficPolicy, ...spec } = service.spec ?? {};
      if (spec.type === 'ExternalName' && internalTrafficPolicy !== undefined) service.spec = spec;
    },
    selectableFields: {
      'spec.clusterIP': ({ spec }) => spec?.clusterIP ?? '',
      'spec.type': ({ spec }) => spec?.type ?? '',
    },
  }),
  checks: {
    create: (service) => validateService(service),
    update: validateServiceUpdate,
    subresources: { status: validateServiceStatus },
  },
  warnings: {
    ...always(serviceWarnings),
    subresources: { status: ({ status }) => loadBalancerWarnings(status) },
  },
  responses: { returnsDeletedObject: true },
  defaults: { 'io.k8s.api.core.v1.Service': typed(defaultService) },
  table: async () => (await import('./table.ts')).services,
});
