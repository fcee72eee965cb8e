import { byteOrdered, OrderedMap } from '../../api/collections/ordered-map.ts';
import type { KeyValue, RangeRequest, RangeResult, StorageEvent } from '../contract.ts';

/** All keys at one revision; immutable. */
export interface Snapshot {
  readonly revision: number;
  readonly keys: OrderedMap<KeyValue>;
}

export const everyKey = { start: '', end: '\u{10ffff}' };

/** Earlier states of keys that differ from a snapshot; undefined: the key did not exist. */
export type Earlier = ReadonlyMap<string, KeyValue | undefined>;

/** The earlier states given by the changes after a revision: each key's first change has its previous state. */
export function earlierOf(
  events: readonly StorageEvent[],
  range: { readonly start: string; readonly end: string },
): Earlier {
  const earlier = new Map<string, KeyValue | undefined>();
  const [start, end] = [byteOrdered(range.start), byteOrdered(range.end)];
  for (const event of events) {
    const key = byteOrdered(event.key);
    if (key >= start && key < end && !earlier.has(event.key)) earlier.set(event.key, event.previous);
  }
  return earlier;
}

/** Reads a range from the snapshot, overlaid with `earlier`. */
export function readRange(snapshot: Snapshot, request: RangeRequest, earlier?: Earlier): Omit<RangeResult, 'revision'> {
  const { start, end, limit } = request;
  if (earlier === undefined || earlier.size === 0) {
    const kvs = snapshot.keys.slice(start, end, limit);
    const count = limit === undefined ? kvs.length : snapshot.keys.count(start, end);
    return { kvs, count, more: count > kvs.length };
  }
  const all = overlay(snapshot.keys.slice(start, end), earlier);
  const kvs = limit === undefined ? all : all.slice(0, limit);
  return { kvs, count: all.length, more: all.length > kvs.length };
}

function overlay(kvs: readonly KeyValue[], earlier: Earlier): KeyValue[] {
  const changed = [...earlier.values()].filter((kv) => kv !== undefined);
  const before = OrderedMap.from(changed, (kv) => kv.key).slice(everyKey.start, everyKey.end);
  const out: KeyValue[] = [];
  let at = 0;
  for (const kv of kvs) {
    if (earlier.has(kv.key)) continue;
    const key = byteOrdered(kv.key);
    while (at < before.length && byteOrdered(before[at]!.key) < key) out.push(before[at++]!);
    out.push(kv);
  }
  while (at < before.length) out.push(before[at++]!);
  return out;
}
