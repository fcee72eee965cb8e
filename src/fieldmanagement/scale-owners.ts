import type { JsonObject } from '../api/json/json.ts';
import type { Entries } from './field-manager.ts';
import { FieldSet } from './field-set.ts';
import { decodeManaged, emptyManaged, encodeManaged } from './managed-entries.ts';
import type { FieldPath } from './path-element.ts';

const scaleApiVersion = 'autoscaling/v1';
const replicasInScale: FieldPath = ['f:spec', 'f:replicas'];

/** The location of the replicas in the scaled object. */
export interface ScaledObject {
  /** The version through which the scale is written: `apps/v1`. */
  readonly apiVersion: string;
  /** Path of the replicas in a version: null if it has no scale, undefined if the kind does not have the version. */
  replicasIn(apiVersion: string): FieldPath | null | undefined;
}

/** managedFields of the scale: the managers that own the object's replicas. */
export function entriesOfScale(entries: readonly JsonObject[] | undefined, scaled: ScaledObject): Entries {
  const managed = decodeManaged(entries);
  const shown = emptyManaged();
  for (const [id, { set, apiVersion, applied }] of managed.owners) {
    const path = scaled.replicasIn(apiVersion);
    if (!path || !set.has(path)) continue;
    shown.owners.set(id, { set: FieldSet.of(replicasInScale), apiVersion: scaleApiVersion, applied });
    copyTime(managed.times, shown.times, id);
  }
  return encodeManaged(shown);
}

/** managedFields of the object after a write of its scale with `scaleEntries`. */
export function entriesAfterScale(
  entries: readonly JsonObject[] | undefined,
  scaleEntries: readonly JsonObject[] | undefined,
  scaled: ScaledObject,
): Entries {
  const before = decodeManaged(entries);
  const scale = decodeManaged(scaleEntries).owners;
  const after = emptyManaged();
  for (const [id, ownership] of before.owners) {
    const path = scaled.replicasIn(ownership.apiVersion);
    if (path === undefined) continue;
    const isOwner = path !== null && ownership.set.has(path);
    const isKept = !isOwner || scale.has(id);
    const set = isKept ? ownership.set : ownership.set.difference(FieldSet.of(path));
    if (isOwner) scale.delete(id);
    if (set.isEmpty) continue;
    after.owners.set(id, isKept ? ownership : { ...ownership, set });
    copyTime(before.times, after.times, id);
  }
  const path = scaled.replicasIn(scaled.apiVersion);
  for (const [id, { set, applied }] of scale) {
    if (!path || !set.has(replicasInScale)) continue;
    after.owners.set(id, { set: FieldSet.of(path), apiVersion: scaled.apiVersion, applied });
    // The object has no time yet for a new manager.
    copyTime(before.times, after.times, id);
  }
  return encodeManaged(after);
}

function copyTime(from: ReadonlyMap<string, string>, to: Map<string, string>, id: string): void {
  const time = from.get(id);
  if (time !== undefined) to.set(id, time);
}
