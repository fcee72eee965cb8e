import { awaited, type Work } from '../api/turns.ts';
import { FieldSet } from './field-set.ts';
import type { Managers, Ownership } from './managers.ts';
import type { TypedValue, VersionConverter } from './merge-type.ts';
import { removeFields } from './select.ts';
import { toFieldSet } from './to-field-set.ts';

/**
 * Removes from `merged` the fields that the manager applied last time but not now, unless another manager owns them.
 */
export function* pruneUnapplied(
  convert: VersionConverter,
  merged: TypedValue,
  {
    managers,
    manager,
    last,
    apiVersion,
  }: {
    readonly managers: Managers;
    /** The applying manager. */
    readonly manager: string;
    readonly last: Ownership | undefined;
    readonly apiVersion: string;
  },
): Work<TypedValue> {
  if (last === undefined || last.set.isEmpty || isAppliedAgain(last, managers.get(manager))) return merged;
  const before = yield* awaited(convert(merged, last.apiVersion));
  if (before === undefined) return merged;
  const removed = removeFields(before, last.set.withNamedFields(before.type));
  yield;
  const owned = yield* keepOwned(convert, { merged: before, pruned: removed, version: last.apiVersion, managers });
  const kept = yield* keepDangling(convert, { merged: before, pruned: owned, last });
  const result = yield* awaited(convert(kept, apiVersion));
  if (result === undefined) throw new Error(`cannot convert the object to ${apiVersion}, in which it was applied`);
  return result;
}

/**
 * Whether everything applied last time is applied again, so that nothing is removed: the owner of anything that would
 * be removed and put back also owns the enclosing list items.
 */
function isAppliedAgain(last: Ownership, now: Ownership | undefined): boolean {
  return now?.apiVersion === last.apiVersion && last.set.difference(now.set).isEmpty;
}

/** Puts back fields that any manager owns, in each version that managers use. */
function* keepOwned(
  convert: VersionConverter,
  {
    merged,
    pruned,
    version,
    managers,
  }: {
    readonly merged: TypedValue;
    readonly pruned: TypedValue;
    readonly version: string;
    readonly managers: Managers;
  },
): Work<TypedValue> {
  const owned = Map.groupBy(managers.values(), ({ apiVersion }) => apiVersion);
  const others = [...owned.keys()].filter((each) => each !== version);
  let state = { merged, pruned };
  for (const each of owned.has(version) ? [version, ...others] : others) {
    const inVersion: { readonly merged: TypedValue | undefined; readonly pruned: TypedValue | undefined } = {
      merged: yield* awaited(convert(state.merged, each)),
      pruned: yield* awaited(convert(state.pruned, each)),
    };
    const owners = owned.get(each);
    if (inVersion.merged === undefined || inVersion.pruned === undefined || owners === undefined) continue;
    const set = FieldSet.unionOf(owners.map((ownership) => ownership.set));
    yield;
    const { type } = inVersion.merged;
    const all = (yield* toFieldSet(inVersion.merged)).withNamedFields(type);
    yield;
    const kept = (yield* toFieldSet(inVersion.pruned)).withNamedFields(type).union(set.withNamedFields(type));
    yield;
    state = { merged: inVersion.merged, pruned: removeFields(inVersion.merged, all.difference(kept)) };
  }
  return state.pruned;
}

/** Puts back fields that were removed along with others but had not been applied. */
function* keepDangling(
  convert: VersionConverter,
  { merged, pruned, last }: { readonly merged: TypedValue; readonly pruned: TypedValue; readonly last: Ownership },
): Work<TypedValue> {
  const converted = yield* awaited(convert(pruned, last.apiVersion));
  if (converted === undefined) return merged;
  const { type } = merged;
  const prunedSet = (yield* toFieldSet(converted)).withNamedFields(type);
  yield;
  const mergedSet = (yield* toFieldSet(merged)).withNamedFields(type);
  yield;
  const lost = mergedSet.difference(prunedSet).intersection(last.set.withNamedFields(type));
  return removeFields(merged, lost);
}
