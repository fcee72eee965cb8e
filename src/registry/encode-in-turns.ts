import { anyIsHuge, forgetOrder, isHuge, rememberOrder, rememberText } from '../api/huge-objects.ts';
import type { JsonObject } from '../api/json.ts';
import { compareBytewise } from '../api/json-text.ts';
import { JsonWriter } from '../api/json-writer.ts';
import type { KubernetesObject } from '../api/object.ts';
import { sortedInTurns } from '../api/sorted-in-turns.ts';
import { inTurns, type Work } from '../api/turns.ts';

/**
 * Runs `encode`, which encodes these objects. Maps are written in key order: the keys of huge maps are sorted up front,
 * with pauses, and maps of strings written.
 */
export function encodeInTurns<T>(objects: readonly Readonly<KubernetesObject>[], encode: () => T): T | Promise<T> {
  const huge = anyIsHuge() ? objects.flatMap(hugeMapsOf) : [];
  return huge.length === 0 ? encode() : inTurns(inOrder(huge, encode));
}

function* inOrder<T>(maps: readonly JsonObject[], encode: () => T): Work<T> {
  try {
    for (const map of maps) {
      const keys = Object.keys(map);
      yield;
      const sorted = yield* sortedInTurns(keys, compareBytewise);
      rememberOrder(map, sorted);
      const text = yield* textOf(map, sorted);
      if (text !== undefined) rememberText(map, text);
    }
    yield;
    return encode();
  } finally {
    for (const map of maps) forgetOrder(map);
  }
}

const writtenPerPause = 1_000;

/** The JSON of a map of strings; undefined for others. */
function* textOf(map: Readonly<JsonObject>, keys: readonly string[]): Work<Uint8Array | undefined> {
  const out = new JsonWriter();
  let count = 0;
  for (const key of keys) {
    const value = map[key];
    if (typeof value !== 'string') return undefined;
    out.ascii(count++ === 0 ? '{' : ',');
    out.string(key);
    out.ascii(':');
    out.string(value);
    if (count % writtenPerPause === 0) yield;
  }
  out.ascii(count === 0 ? '{}' : '}');
  return out.take();
}

/** Huge maps occur only at the top level (`data`) or in metadata (`labels`). */
function hugeMapsOf(object: Readonly<KubernetesObject>): JsonObject[] {
  return [...Object.values(object), ...Object.values(object.metadata)].filter(isHuge);
}
