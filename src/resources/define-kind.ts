import type { KubernetesObject } from '../api/object.ts';
import type { KindDefinition } from '../registry/kind-definition.ts';
import type { Strategy, UpdateStrategy } from '../registry/strategy.ts';
import type { TableDefinition } from '../registry/table.ts';
import type { Defaulters } from '../schema/defaulters.ts';
import { type KindChecks, strategyOfChecks } from './kind-checks.ts';
import { converterOf, type KindConversions } from './kind-conversions.ts';
import { type KindWarnings, strategyOfWarnings } from './kind-warnings.ts';

/** A strategy written for the type of its kind. */
export type StrategyOf<T> = Strategy<KubernetesObject & T>;

/** All that is said of a kind, for the type of its objects. */
export interface KindRow<T>
  extends Pick<KindDefinition, 'group' | 'kind'>, Partial<Pick<KindDefinition, 'answers' | 'table'>> {
  /** What writes do beyond the generic store; what they check and warn of stands below. */
  readonly strategy?: StrategyOf<T>;
  readonly checks?: KindChecks<T>;
  readonly warnings?: KindWarnings<T>;
  readonly defaults?: Defaulters;
  readonly conversions?: KindConversions;
  /** Of versions that nobody serves any more and stores still hold, by the `apiVersion` of the object. */
  readonly olderVersions?: KindConversions;
}

/** The record that a row of a kind comes to. */
export function defineKind<T = object>(row: KindRow<T>): KindDefinition {
  const { group, kind, strategy, checks, warnings, defaults = {}, conversions = {}, olderVersions = {} } = row;
  const parts = [
    // Objects of a kind are decoded by its schema, so they are of its type.
    (strategy ?? {}) as unknown as Strategy,
    strategyOfChecks(checks ?? {}),
    strategyOfWarnings(warnings ?? {}),
  ];
  return {
    group,
    kind,
    strategy: parts.reduce(joined),
    defaulters: defaults,
    converter: converterOf(conversions, olderVersions),
    answers: row.answers ?? {},
    table: row.table ?? defaultTable,
  };
}

async function defaultTable(): Promise<TableDefinition> {
  return (await import('./parts/tables/default-table.ts')).defaultTable;
}

/** The members of both; a subresource has those of both. */
function joined(strategy: Strategy, other: Strategy): Strategy {
  const subresources: { [name: string]: UpdateStrategy } = { ...strategy.subresources };
  for (const [name, update] of Object.entries(other.subresources ?? {})) {
    subresources[name] = { ...subresources[name], ...update };
  }
  return { ...strategy, ...other, subresources };
}
