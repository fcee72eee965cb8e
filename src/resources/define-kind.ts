import type { KubernetesObject } from '../api/meta/object.ts';
import type { KindDefinition } from '../registry/kinds/kind-definition.ts';
import type { Strategy, UpdateStrategy } from '../registry/kinds/strategy.ts';
import type { TableDefinition } from '../registry/kinds/table.ts';
import type { Defaulters } from '../schema/defaulters.ts';
import { type KindChecks, strategyOfChecks } from './kind-checks.ts';
import { judgedPrefixes } from './judged-prefixes.ts';
import { converterOf, type KindConversions } from './kind-conversions.ts';
import { type KindWarnings, strategyOfWarnings } from './kind-warnings.ts';

/** A strategy typed for its kind. */
export type StrategyOf<T> = Strategy<KubernetesObject & T>;

/** The definition of a kind, typed for its objects. */
export interface KindRow<T>
  extends Pick<KindDefinition, 'group' | 'kind'>, Partial<Pick<KindDefinition, 'answers' | 'table'>> {
  /** Behaviour beyond the generic store; checks and warnings are separate below. */
  readonly strategy?: StrategyOf<T>;
  readonly checks?: KindChecks<T>;
  readonly warnings?: KindWarnings<T>;
  readonly defaults?: Defaulters;
  /** Defaults of fields behind feature gates. */
  readonly gatedDefaults?: KindDefinition['gatedDefaulters'];
  readonly conversions?: KindConversions;
  /** Conversions from versions no longer served but possibly stored, by `apiVersion`. */
  readonly olderVersions?: KindConversions;
}

/** The untyped record of a kind. */
export function defineKind<T = object>(row: KindRow<T>): KindDefinition {
  const { group, kind, strategy, checks, warnings, defaults = {}, conversions = {}, olderVersions = {} } = row;
  const parts = [
    // Objects of a kind are decoded by its schema, so they have its type.
    (strategy ?? {}) as unknown as Strategy,
    strategyOfChecks(checks ?? {}),
    strategyOfWarnings(warnings ?? {}),
  ];
  return {
    group,
    kind,
    strategy: { ...parts.reduce(joined), judgesPrefixes: judgedPrefixes(group, kind) },
    defaulters: defaults,
    gatedDefaulters: row.gatedDefaults ?? {},
    converter: converterOf(conversions, olderVersions),
    answers: row.answers ?? {},
    table: row.table ?? defaultTable,
  };
}

async function defaultTable(): Promise<TableDefinition> {
  return (await import('./parts/tables/default-table.ts')).defaultTable;
}

/** Joins the members of both; also for each subresource. */
function joined(strategy: Strategy, other: Strategy): Strategy {
  const subresources: { [name: string]: UpdateStrategy } = { ...strategy.subresources };
  for (const [name, update] of Object.entries(other.subresources ?? {})) {
    subresources[name] = { ...subresources[name], ...update };
  }
  return { ...strategy, ...other, subresources };
}
