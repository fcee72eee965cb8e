import type { KubernetesObject } from '../api/meta/object.ts';
import type { GroupVersionKind } from '../api/meta/group-version.ts';
import type { KindBehaviour } from '../registry/kinds/kind-behaviour.ts';
import type { Strategy, UpdateStrategy } from '../registry/kinds/strategy.ts';
import type { TableDefinition } from '../registry/kinds/table.ts';
import type { Defaulters } from '../schema/defaulters.ts';
import { type GatedDefaults, withGatedDefaults } from './gated-defaults.ts';
import { validatedPrefixes } from './validated-prefixes.ts';
import { type KindChecks, strategyOfChecks } from './kind-checks.ts';
import { converterOf, type KindConversions } from './kind-conversions.ts';
import type { KindEnvironment } from './kind-environment.ts';
import { type KindWarnings, strategyOfWarnings } from './kind-warnings.ts';
import { withoutPolicies } from './disabled-policies.ts';

/** A strategy typed for its kind. */
export type StrategyOf<T> = Strategy<KubernetesObject & T>;

/** Equal in every server, or a function of the server's configuration and parts. */
type InServer<Part extends object> = Part | ((environment: KindEnvironment) => Part);

/** The group in storage, in which the core group is the empty string, and the kind. */
type StoredKind = Pick<GroupVersionKind, 'group' | 'kind'>;

/** What a kind does, typed for its objects. */
export interface KindRow<T> extends StoredKind, Partial<Pick<KindBehaviour, 'responses'>> {
  /** Imported lazily. */
  readonly table?: () => Promise<TableDefinition>;
  /** Behaviour beyond the generic store; checks and warnings are separate below. */
  readonly strategy?: InServer<StrategyOf<T>>;
  readonly checks?: InServer<KindChecks<T>>;
  readonly warnings?: KindWarnings<T>;
  readonly defaults?: Defaulters;
  /** Defaults of fields behind feature gates. */
  readonly gatedDefaults?: GatedDefaults;
  readonly conversions?: KindConversions;
  /** Conversions from versions no longer served but possibly stored, by `apiVersion`. */
  readonly olderVersions?: KindConversions;
}

/** A kind, whose behaviour may depend on the server. */
export interface BuiltInKind extends StoredKind {
  readonly table: () => Promise<TableDefinition>;
  behaviourIn(environment: KindEnvironment): KindBehaviour;
}

/** The untyped record of a kind. */
export function defineKind<T = object>(row: KindRow<T>): BuiltInKind {
  const { group, kind, responses = {}, table = defaultTable, defaults = {}, gatedDefaults = {} } = row;
  const converter = converterOf(row.conversions ?? {}, row.olderVersions ?? {});
  return {
    group,
    kind,
    table,
    behaviourIn: (environment) => {
      const strategy = withoutPolicies(strategyOf(row, environment), environment.disabledPolicies);
      return {
        strategyOf: () => strategy,
        defaulters: withGatedDefaults(defaults, gatedDefaults, environment.featureGates),
        converter,
        responses,
        tableOf: table,
      };
    },
  };
}

function strategyOf<T>(row: KindRow<T>, environment: KindEnvironment): Strategy {
  const parts = [
    // Objects of a kind are decoded by its schema, so they have its type.
    inServer(row.strategy ?? {}, environment) as unknown as Strategy,
    strategyOfChecks(inServer(row.checks ?? {}, environment)),
    strategyOfWarnings(row.warnings ?? {}),
  ];
  return { ...parts.reduce(joined), validatesPrefixes: validatedPrefixes(row.group, row.kind) };
}

function inServer<Part extends object>(part: InServer<Part>, environment: KindEnvironment): Part {
  return typeof part === 'function' ? part(environment) : part;
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
