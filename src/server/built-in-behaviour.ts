import type { ClusterPolicy } from '../api/field-error.ts';
import { convertBuiltIn } from '../resources/built-in-conversions.ts';
import { builtInDefaults } from '../resources/built-in-defaults.ts';
import { builtInStrategies, defaultStrategy } from '../resources/built-in-strategies.ts';
import { withoutPolicies } from '../resources/lifted-policies.ts';
import { serviceAllocation, type ServiceAllocationOptions } from '../resources/service-allocation.ts';
import type { ResourceScopesOptions } from './resource-scopes.ts';

/** What built-in kinds do beyond their schemas. */
export function builtInBehaviour(
  services: ServiceAllocationOptions,
  lifted: ReadonlySet<ClusterPolicy>,
): Pick<ResourceScopesOptions, 'strategyOf' | 'defaulters' | 'convert'> {
  const strategies = new Map(builtInStrategies());
  strategies.set('/Service', { ...strategies.get('/Service'), ...serviceAllocation(services) });
  return {
    strategyOf: (group, kind) => withoutPolicies({ ...defaultStrategy, ...strategies.get(`${group}/${kind}`) }, lifted),
    defaulters: builtInDefaults,
    convert: convertBuiltIn,
  };
}
