import { isDeepStrictEqual } from 'node:util';
import { getOwn, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { excluding, type FieldFilter, type SetPattern } from '../field-set.ts';
import { readFieldsV1, writeFieldsV1 } from '../fields-v1.ts';
import { type Ownership, type OwnershipConflict, OwnershipConflictError } from '../managers.ts';
import { mergeTyped } from '../merge.ts';
import { deducedType, type MergeType, type TypedValue } from '../merge-type.ts';
import { formatPath } from '../path-element.ts';
import { extractFields } from './extract.ts';
import { applyConfiguration, type Ownerships, updateOwners } from '../updater.ts';
import { typedValue } from '../validate.ts';
import { typeOfCase } from './read-schema.ts';

/**
 * A case in the language that specifies ownership: a list of operations, then the expected object and managers.
 *
 *   {"schema": "s9", "type": "myRoot", "ops": [
 *      {"op": "apply", "manager": "one", "version": "v1", "object": {...}},
 *      {"op": "apply", "manager": "two", "version": "v1", "object": {...}, "conflicts": [{"manager": "one", "path": ".a"}]},
 *      {"op": "update", ...}, {"op": "forceApply", ...}, {"op": "extractApply", ...}, {"op": "changeSchema", "schema": "s10"}],
 *    "version": "v1", "object": {...}, "managed": {"one": {"version": "v1", "applied": true, "fields": {...}}}}
 *
 * Without `type`, the type is named like the version. `conversions` are recorded converter results; without them
 * objects are the same in all versions. `accepted` restricts the versions that exist from that operation on.
 */
export interface OwnershipCase {
  readonly name: string;
  readonly schema: string;
  readonly type?: string;
  readonly types?: { readonly [version: string]: string };
  readonly ops: readonly Operation[];
  readonly object?: JsonValue;
  readonly version?: string;
  readonly managed?: { readonly [manager: string]: ManagedSet };
  readonly filters?: { readonly [version: string]: Filter };
  readonly conversions?: readonly Conversion[];
  /** Whether an error is expected. */
  readonly fails?: boolean;
}

interface Operation {
  readonly op: 'apply' | 'forceApply' | 'extractApply' | 'update' | 'changeSchema' | 'accepted';
  readonly manager?: string;
  readonly version?: string;
  readonly object?: JsonValue;
  readonly conflicts?: readonly { readonly manager: string; readonly path: string }[];
  readonly schema?: string;
  readonly versions?: readonly string[];
}

export interface ManagedSet {
  readonly version: string;
  readonly applied: boolean;
  readonly fields: JsonObject;
}

type Filter = { readonly exclude: JsonObject } | { readonly include: SetPattern };

interface Conversion {
  readonly from: JsonValue;
  readonly type: string;
  readonly version: string;
  readonly to?: JsonValue;
  readonly toType?: string;
  readonly missing?: boolean;
}

interface State {
  schema: string;
  live: TypedValue | undefined;
  managers: ReadonlyMap<string, Ownership>;
  accepted: readonly string[] | undefined;
}

/** Runs a case; throws any error of an operation except expected conflicts. */
export async function runCase(each: OwnershipCase): Promise<{
  readonly object: JsonValue;
  readonly managed: { readonly [manager: string]: ManagedSet };
}> {
  const state: State = { schema: each.schema, live: undefined, managers: new Map(), accepted: undefined };
  const ownerships = ownershipsOf(each, state);
  for (const operation of each.ops) await run(operation, each, state, ownerships);
  const managed: { [manager: string]: ManagedSet } = {};
  for (const [manager, { set, apiVersion, applied }] of state.managers) {
    if (set.isEmpty) throw new Error(`${manager} owns nothing and is kept`);
    managed[manager] = { version: apiVersion, applied, fields: writeFieldsV1(set) };
  }
  const live = state.live ?? { type: deducedType, value: null };
  const shown = each.version === undefined ? live : await ownerships.convert(live, each.version);
  return { object: shown?.value ?? null, managed };
}

function typeOf(each: OwnershipCase, state: State, version: string): MergeType {
  return typeOfCase(state.schema, each.type ?? getOwn(each.types, version) ?? version);
}

function ownershipsOf(each: OwnershipCase, state: State): Ownerships {
  const filters = new Map(Object.entries(each.filters ?? {}).map(([version, filter]) => [version, filterOf(filter)]));
  return {
    filterOf: (version) => filters.get(version),
    convert(object, version) {
      if (state.accepted?.includes(version) === false) return undefined;
      if (each.conversions === undefined) return object;
      const found = each.conversions.find(
        (row) =>
          row.version === version &&
          isDeepStrictEqual(row.from, object.value ?? null) &&
          typeOfCase(state.schema, row.type) === object.type,
      );
      if (found === undefined) throw new Error(`no conversion of ${JSON.stringify(object.value)} to ${version}`);
      if (found.missing === true) return undefined;
      if (found.to === undefined) throw new Error('the conversion fails');
      return { type: typeOfCase(state.schema, found.toType ?? ''), value: found.to };
    },
  };
}

function filterOf(filter: Filter): FieldFilter {
  return 'exclude' in filter ? excluding(readFieldsV1(filter.exclude).set) : (set) => set.matching(filter.include);
}

async function run(operation: Operation, each: OwnershipCase, state: State, ownerships: Ownerships): Promise<void> {
  const { op, manager = '', version = '', object = null } = operation;
  if (op === 'accepted') {
    state.accepted = operation.versions;
    return;
  }
  if (op === 'changeSchema') {
    state.schema = operation.schema ?? '';
    const type = typeOf(each, state, each.version ?? 'v1');
    if (state.live !== undefined) state.live = typedValue(type, state.live.value, { allowDuplicates: false });
    return;
  }
  const type = typeOf(each, state, version);
  const given = typedValue(type, object, { allowDuplicates: op === 'update' });
  const isFirst = state.live === undefined;
  const live = isFirst ? { type, value: null } : await ownerships.convert(state.live as TypedValue, version);
  if (live === undefined) throw new Error(`no version ${version}`);
  const write = { live, apiVersion: version, managers: state.managers, manager };
  if (op === 'update') {
    state.managers = await updateOwners(ownerships, write, given);
    state.live = given;
    return;
  }
  const configuration = op === 'extractApply' && !isFirst ? withOwned(live, state.managers.get(manager), given) : given;
  let conflicts: readonly OwnershipConflict[] = [];
  try {
    const applied = await applyConfiguration(ownerships, write, { configuration, force: op !== 'apply' });
    state.managers = applied.managers;
    state.live = applied.object ?? live;
  } catch (error) {
    state.live = live;
    if (!(error instanceof OwnershipConflictError) || operation.conflicts === undefined) throw error;
    conflicts = error.conflicts;
  }
  const seen = conflicts.map((conflict) => `${conflict.manager} ${formatPath(conflict.path)}`).toSorted();
  const expected = (operation.conflicts ?? []).map((conflict) => `${conflict.manager} ${conflict.path}`).toSorted();
  if (!isDeepStrictEqual(seen, expected)) throw new Error(`conflicts: ${seen.join(', ')}`);
}

/** A client that extracts what it owns, changes it and applies the whole. */
function withOwned(live: TypedValue, owned: Ownership | undefined, changes: TypedValue): TypedValue {
  const set = owned?.set.leaves();
  return set === undefined
    ? mergeTyped({ ...live, value: null }, changes)
    : mergeTyped(extractFields(live, set), changes);
}
