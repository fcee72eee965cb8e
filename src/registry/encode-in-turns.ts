import { anyIsHuge, forgetOrder, isHuge, rememberOrder } from '../api/huge-objects.ts';
import type { JsonObject } from '../api/json.ts';
import { compareBytewise } from '../api/json-text.ts';
import type { KubernetesObject } from '../api/object.ts';
import { sortedInTurns } from '../api/sorted-in-turns.ts';
import { inTurns, type Work } from '../api/turns.ts';

/**
 * Runs `encode`, which encodes these objects. Maps are written in key order: the keys of huge maps are sorted up front,
 * with pauses.
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
      rememberOrder(map, yield* sortedInTurns(keys, compareBytewise));
    }
    yield;
    return encode();
  } finally {
    for (const map of maps) forgetOrder(map);
  }
}

/** Huge maps occur only at the top level (`data`) or in metadata (`labels`). */
function hugeMapsOf(object: Readonly<KubernetesObject>): JsonObject[] {
  return [...Object.values(object), ...Object.values(object.metadata)].filter(isHuge);
}
