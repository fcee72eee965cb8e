import type { ClusterPolicy } from '../api/field-error.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import type { KindBehaviour } from '../catalogue/kind-entry.ts';
import type { TableDefinition } from '../registry/table.ts';
import { builtInConverter } from '../resources/built-in-conversions.ts';
import { builtInDefaults } from '../resources/built-in-defaults.ts';
import { builtInStrategies, defaultStrategy } from '../resources/built-in-strategies.ts';
import { withoutGatedFields } from '../resources/gated-fields.ts';
import { withoutPolicies } from '../resources/lifted-policies.ts';
import { serviceAllocation, type ServiceAllocationOptions } from '../resources/service-allocation.ts';
import { fieldsOff } from '../schema/kubernetes/gated-fields.ts';

/** What the configuration changes of the rules of kinds. */
export interface BehaviourOptions {
  readonly services: Omit<ServiceAllocationOptions, 'lifted'>;
  readonly lifted: ReadonlySet<ClusterPolicy>;
  /** Every gate with its state. */
  readonly featureGates: ReadonlyMap<string, boolean>;
}

/** What built-in kinds do beyond their schemas. */
export function builtInBehaviour({ services, lifted, featureGates }: BehaviourOptions): KindBehaviour {
  const strategies = new Map(builtInStrategies());
  strategies.set('/Service', { ...strategies.get('/Service'), ...serviceAllocation({ ...services, lifted }) });
  const off = fieldsOff(featureGates);
  return {
    strategyOf({ group, kind, schema, storage }) {
      const strategy = { ...defaultStrategy, ...strategies.get(`${storage?.group ?? group}/${storage?.kind ?? kind}`) };
      return withoutGatedFields(withoutPolicies(strategy, lifted), schema, off);
    },
    defaulters: builtInDefaults,
    converter: builtInConverter,
    tableOf,
  };
}

async function tableOf({ group, kind }: GroupVersionKind): Promise<TableDefinition> {
  const { loadTables } = await import('../resources/load-tables.ts');
  const { builtInTables, defaultTable } = await loadTables();
  return builtInTables.get(`${group}/${kind}`) ?? defaultTable;
}
