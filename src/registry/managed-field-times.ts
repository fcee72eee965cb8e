import { encodeRaw } from '../api/json-text.ts';
import type { JsonObject } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { StoreKind } from './store-kind.ts';

/**
 * An update that changes nothing but the times of managedFields changes nothing: it keeps the times that were there, so that
 * what is stored stays as it is. Who tracks owners cannot know what a strategy puts back.
 */
export function keepUnchangedTimes(kind: StoreKind, object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  const before = old.metadata.managedFields ?? [];
  const after = object.metadata.managedFields ?? [];
  if (after.length === 0 || before.length !== after.length) return;
  if (after.every(({ time }, index) => time === before[index]?.['time'])) return;
  if (!after.every((entry, index) => timeless(entry) === timeless(before[index] ?? {}))) return;
  const candidate = { ...object, metadata: { ...object.metadata, managedFields: before } };
  if (kind.codec.encode(candidate).equals(kind.codec.encode(old))) object.metadata.managedFields = [...before];
}

function timeless(entry: JsonObject): string {
  return encodeRaw({ ...entry, time: null });
}
