import { convertTyped } from './convert-typed.ts';
import { type FieldComparison, compareTyped, filterComparison } from './compare.ts';
import { FieldSet, type FieldFilter } from './field-set.ts';
import { type Managers, type OwnershipConflict, OwnershipConflictError, type Ownership } from './managers.ts';
import { mergeTyped } from './merge.ts';
import type { TypedValue, VersionConversion } from './merge-type.ts';
import { pruneUnapplied } from './prune.ts';
import { reconcileOwned } from './reconcile.ts';
import { toFieldSet } from './to-field-set.ts';
import { equalValues } from './values.ts';

/** The parts of a kind that ownership depends on. */
export interface Ownerships extends VersionConversion {
  /** The fields that can be owned in a version; absent: all. */
  filterOf(apiVersion: string): FieldFilter | undefined;
}

/** One write; both objects are in `apiVersion`. */
export interface OwnedWrite {
  readonly live: TypedValue;
  readonly apiVersion: string;
  readonly managers: Managers;
  readonly manager: string;
}

/** Owners after an update: the manager gains the fields it changed, and others lose them. */
export async function updateOwners(
  ownerships: Ownerships,
  { live, apiVersion, managers, manager }: OwnedWrite,
  updated: TypedValue,
): Promise<Map<string, Ownership>> {
  const reconciled = await reconcileManagers(ownerships, live, managers);
  const objects = { live, updated, apiVersion };
  const { owners, comparison } = await withdraw(ownerships, objects, { managers: reconciled, manager, force: true });
  const own = owners.get(manager)?.set ?? new FieldSet();
  const { added, modified, removed } = comparison;
  const changed = own.difference(removed).union(modified).union(added);
  const set = ownerships.filterOf(apiVersion)?.(changed) ?? changed;
  if (set.isEmpty) owners.delete(manager);
  else owners.set(manager, { set, apiVersion, applied: false });
  return owners;
}

export interface Applied {
  /** Undefined when nothing changes. */
  readonly object: TypedValue | undefined;
  readonly managers: Map<string, Ownership>;
}

/**
 * Merges an applied configuration into the live object. Fields that the manager applied last time but not now are
 * removed, unless another manager owns them. Throws an OwnershipConflictError when fields of others would change,
 * unless forced.
 */
export async function applyConfiguration(
  ownerships: Ownerships,
  { live, apiVersion, managers, manager }: OwnedWrite,
  { configuration, force }: { readonly configuration: TypedValue; readonly force: boolean },
): Promise<Applied> {
  const owners = await reconcileManagers(ownerships, live, managers);
  const merged = mergeTyped(live, configuration);
  const last = owners.get(manager);
  const all = toFieldSet(configuration);
  const set = ownerships.filterOf(apiVersion)?.(all) ?? all;
  owners.set(manager, { set, apiVersion, applied: true });
  const object = await pruneUnapplied(ownerships, merged, { managers: owners, manager, last, apiVersion });
  const objects = { live, updated: object, apiVersion };
  const { owners: remaining } = await withdraw(ownerships, objects, { managers: owners, manager, force });
  const isSame = equalValues(live.value ?? null, object.value ?? null);
  return { object: isSame ? undefined : object, managers: remaining };
}

interface Change {
  readonly live: TypedValue;
  readonly updated: TypedValue;
  readonly apiVersion: string;
}

/** Removes from all other managers the fields that a write changes or removes. */
async function withdraw(
  ownerships: Ownerships,
  change: Change,
  { managers, manager, force }: { readonly managers: Managers; readonly manager: string; readonly force: boolean },
): Promise<{ readonly owners: Map<string, Ownership>; readonly comparison: FieldComparison }> {
  const comparison = filterComparison(
    compareTyped(change.live, change.updated),
    ownerships.filterOf(change.apiVersion),
  );
  const others = new Set([...managers].flatMap(([name, { apiVersion }]) => (name === manager ? [] : apiVersion)));
  others.delete(change.apiVersion);
  const losses = await valuesOf(others, (apiVersion) => lossesIn(ownerships, change, apiVersion));
  losses.set(change.apiVersion, lossesOf(comparison));
  const owners = new Map<string, Ownership>();
  const conflicts: OwnershipConflict[] = [];
  for (const [name, ownership] of managers) {
    if (name === manager) {
      if (!ownership.set.isEmpty) owners.set(name, ownership);
      continue;
    }
    const known = losses.get(ownership.apiVersion);
    // Entries of versions that no longer exist are dropped.
    if (known === undefined) continue;
    const lost = ownership.set.intersection(known.changed);
    if (!force) for (const path of lost.paths()) conflicts.push({ manager: name, path });
    const set = ownership.set.difference(lost).difference(known.removed);
    if (!set.isEmpty) owners.set(name, set === ownership.set ? ownership : { ...ownership, set });
  }
  if (conflicts.length > 0) throw new OwnershipConflictError(conflicts);
  return { owners, comparison };
}

/** What managers other than the writer lose. */
interface Losses {
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

function lossesOf({ added, modified, removed }: FieldComparison): Losses {
  return { changed: modified.union(added), removed };
}

async function lossesIn(
  ownerships: Ownerships,
  { live, updated }: Change,
  apiVersion: string,
): Promise<Losses | undefined> {
  const { convert } = ownerships;
  const before = await convertTyped(convert, live, { apiVersion, failure: 'failed to convert old object' });
  const after = await convertTyped(convert, updated, { apiVersion, failure: 'failed to convert new object' });
  if (before === undefined || after === undefined) return undefined;
  return lossesOf(filterComparison(compareTyped(before, after), ownerships.filterOf(apiVersion)));
}

/** Ownership under the current schema; entries of versions that no longer exist are dropped. */
async function reconcileManagers(
  { convert }: Ownerships,
  live: TypedValue,
  managers: Managers,
): Promise<Map<string, Ownership>> {
  const versions = new Set([...managers.values()].map(({ apiVersion }) => apiVersion));
  const views = await valuesOf(versions, (apiVersion) => convert(live, apiVersion));
  const result = new Map<string, Ownership>();
  for (const [manager, ownership] of managers) {
    const converted = views.get(ownership.apiVersion);
    if (converted === undefined) continue;
    const set = reconcileOwned(converted.type, ownership.set);
    result.set(manager, set === undefined ? ownership : { ...ownership, set });
  }
  return result;
}

async function valuesOf<T>(
  versions: ReadonlySet<string>,
  valueOf: (apiVersion: string) => T | Promise<T>,
): Promise<Map<string, T>> {
  const values = new Map<string, T>();
  // oxlint-disable-next-line no-await-in-loop -- nearly always there is none or one
  for (const version of versions) values.set(version, await valueOf(version));
  return values;
}
