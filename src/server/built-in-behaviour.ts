import type { ClusterPolicy } from '../api/field-error.ts';
import { converterOf } from '../registry/conversion.ts';
import type { Strategy } from '../registry/strategy.ts';
import { builtInKinds } from '../resources/built-in-kinds.ts';
import {
  serviceAllocation,
  type ServiceAllocationOptions,
} from '../resources/core/service/allocation/service-allocation.ts';
import { serviceKind } from '../resources/core/service/kind.ts';
import { withoutGatedFields } from '../resources/gated-fields.ts';
import { kindLookup } from '../resources/kind-lookup.ts';
import { withoutPolicies } from '../resources/lifted-policies.ts';
import { fieldsOff } from '../schema/kubernetes/gated-fields.ts';
import type { ResourceScopesOptions } from './resource-scopes.ts';

/** What the configuration changes of the rules of kinds. */
export interface BehaviourOptions {
  readonly services: ServiceAllocationOptions;
  readonly lifted: ReadonlySet<ClusterPolicy>;
  /** Every gate with its state. */
  readonly featureGates: ReadonlyMap<string, boolean>;
}

/** What built-in kinds do beyond their schemas. */
export function builtInBehaviour({
  services,
  lifted,
  featureGates,
}: BehaviourOptions): Pick<ResourceScopesOptions, 'behaviourOf'> {
  const definitionOf = kindLookup(builtInKinds);
  const off = fieldsOff(featureGates);
  // Objects of a kind are decoded by its schema, so they are of its type.
  const allocation = serviceAllocation(services) as unknown as Strategy;
  return {
    behaviourOf(group, kind, schema) {
      const definition = definitionOf(group, kind);
      const strategy = definition === serviceKind ? { ...serviceKind.strategy, ...allocation } : definition.strategy;
      return {
        strategy: withoutGatedFields(withoutPolicies(strategy, lifted), schema, off),
        convert: converterOf(definition),
        defaults: definition.defaults,
      };
    },
  };
}
