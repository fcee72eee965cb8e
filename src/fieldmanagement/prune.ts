import { convertTyped } from './convert-typed.ts';
import { FieldSet } from './field-set.ts';
import type { Managers, Ownership } from './managers.ts';
import type { TypedValue, VersionConversion, VersionConverter } from './merge-type.ts';
import { removeFields } from './remove-fields.ts';
import { toFieldSet } from './to-field-set.ts';

const failed = 'failed to prune fields';

/**
 * Removes from `merged` the fields that the manager applied last time but not now, unless another manager owns them.
 */
export async function pruneUnapplied(
  { convert, sharesPaths = false }: VersionConversion,
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
): Promise<TypedValue> {
  if (last === undefined || last.set.isEmpty || isAppliedAgain(last, managers.get(manager))) return merged;
  const before = await convertTyped(convert, merged, {
    apiVersion: last.apiVersion,
    failure: `${failed}: failed to convert merged object to last applied version`,
  });
  if (before === undefined) return merged;
  const removed = removeFields(before, last.set.withNamedFields(before.type));
  const owned = await keepOwned(convert, { merged: before, pruned: removed, version: last.apiVersion, managers });
  const kept = await keepDangling(convert, { merged: before, pruned: owned, last });
  // What only the other version lacks must not get lost on the way back.
  if (sharesPaths && last.apiVersion !== apiVersion) return without(merged, { before, after: kept });
  const result = await convertTyped(convert, kept, { apiVersion, failure: failed });
  if (result === undefined) throw new Error(`cannot convert the object to ${apiVersion}, in which it was applied`);
  return result;
}

/** Removes from `object` the fields that `before` has and `after` does not have. */
function without(
  object: TypedValue,
  { before, after }: { readonly before: TypedValue; readonly after: TypedValue },
): TypedValue {
  const all = toFieldSet(before).withNamedFields(before.type);
  const kept = toFieldSet(after).withNamedFields(after.type);
  return removeFields(object, all.difference(kept));
}

/**
 * Whether everything applied last time is applied again, so that nothing is removed: the owner of anything that would
 * be removed and put back also owns the enclosing list items.
 */
function isAppliedAgain(last: Ownership, now: Ownership | undefined): boolean {
  return now?.apiVersion === last.apiVersion && last.set.difference(now.set).isEmpty;
}

/** Puts back fields that any manager owns, in each version that managers use. */
async function keepOwned(
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
): Promise<TypedValue> {
  const owned = Map.groupBy(managers.values(), ({ apiVersion }) => apiVersion);
  const others = [...owned.keys()].filter((each) => each !== version);
  const failure = (what: string, apiVersion: string): string =>
    `${failed}: failed add back owned items: failed to convert ${what} object at version ${apiVersion}`;
  let state = { merged, pruned };
  for (const each of owned.has(version) ? [version, ...others] : others) {
    const inVersion: { readonly merged: TypedValue | undefined; readonly pruned: TypedValue | undefined } = {
      merged: await convertTyped(convert, state.merged, { apiVersion: each, failure: failure('merged', each) }),
      pruned: await convertTyped(convert, state.pruned, { apiVersion: each, failure: failure('pruned', each) }),
    };
    const owners = owned.get(each);
    if (inVersion.merged === undefined || inVersion.pruned === undefined || owners === undefined) continue;
    const set = FieldSet.unionOf(owners.map((ownership) => ownership.set));
    const { type } = inVersion.merged;
    const all = toFieldSet(inVersion.merged).withNamedFields(type);
    const kept = toFieldSet(inVersion.pruned).withNamedFields(type).union(set.withNamedFields(type));
    state = { merged: inVersion.merged, pruned: removeFields(inVersion.merged, all.difference(kept)) };
  }
  return state.pruned;
}

/** Puts back fields that were removed along with others but had not been applied. */
async function keepDangling(
  convert: VersionConverter,
  { merged, pruned, last }: { readonly merged: TypedValue; readonly pruned: TypedValue; readonly last: Ownership },
): Promise<TypedValue> {
  const converted = await convertTyped(convert, pruned, {
    apiVersion: last.apiVersion,
    failure: `${failed}: failed add back dangling items: failed to convert pruned object to last applied version`,
  });
  if (converted === undefined) return merged;
  const { type } = merged;
  const prunedSet = toFieldSet(converted).withNamedFields(type);
  const mergedSet = toFieldSet(merged).withNamedFields(type);
  const lost = mergedSet.difference(prunedSet).intersection(last.set.withNamedFields(type));
  return removeFields(merged, lost);
}
