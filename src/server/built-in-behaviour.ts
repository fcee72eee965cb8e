import type { ClusterPolicy } from '../api/field-error.ts';
import type { EscalationGuard } from '../authorization/rbac/escalation.ts';
import { guardedStrategies } from '../authorization/rbac/escalation-strategies.ts';
import { convertBuiltIn } from '../resources/built-in-conversions.ts';
import { builtInDefaults } from '../resources/built-in-defaults.ts';
import { builtInStrategies, defaultStrategy } from '../resources/built-in-strategies.ts';
import { withoutGatedFields } from '../resources/gated-fields.ts';
import { withoutPolicies } from '../resources/lifted-policies.ts';
import { serviceAllocation, type ServiceAllocationOptions } from '../resources/service-allocation.ts';
import { fieldsOff } from '../schema/kubernetes/gated-fields.ts';
import type { ResourceScopesOptions } from './resource-scopes.ts';

/** What the configuration changes of the rules of kinds. */
export interface BehaviourOptions {
  readonly services: ServiceAllocationOptions;
  readonly lifted: ReadonlySet<ClusterPolicy>;
  /** Every gate with its state. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** Keeps writers of roles and bindings from giving away what they do not have. */
  readonly escalation: () => EscalationGuard;
}

/** What built-in kinds do beyond their schemas. */
export function builtInBehaviour({
  services,
  lifted,
  featureGates,
  escalation,
}: BehaviourOptions): Pick<ResourceScopesOptions, 'strategyOf' | 'defaulters' | 'convert'> {
  const strategies = new Map(builtInStrategies());
  strategies.set('/Service', { ...strategies.get('/Service'), ...serviceAllocation(services) });
  for (const [kind, guarded] of guardedStrategies(escalation))
    strategies.set(kind, { ...strategies.get(kind), ...guarded });
  const off = fieldsOff(featureGates);
  return {
    strategyOf(group, kind, schema) {
      const strategy = { ...defaultStrategy, ...strategies.get(`${group}/${kind}`) };
      return withoutGatedFields(withoutPolicies(strategy, lifted), schema, off);
    },
    defaulters: builtInDefaults,
    convert: convertBuiltIn,
  };
}
