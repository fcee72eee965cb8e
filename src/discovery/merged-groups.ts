import type { JsonObject } from '../api/json/json.ts';
import { nameOf, objectsIn, stringValue, textsIn } from '../api/json/json-parts.ts';

/**
 * The items of several servers as one list, in the order of the first, with what only others serve after what precedes
 * it there.
 */
export function mergedGroups(lists: readonly (readonly JsonObject[])[]): readonly JsonObject[] {
  return mergedBy(lists, nameOf, (one, other) => ({
    ...one,
    versions: mergedBy([objectsIn(one['versions']), objectsIn(other['versions'])], versionOf, (first, second) => ({
      ...first,
      resources: mergedBy([objectsIn(first['resources']), objectsIn(second['resources'])], pluralOf, mergedResource),
    })),
  }));
}

/** The verbs and subresources of both, sorted unless they are the same. */
function mergedResource(one: JsonObject, other: JsonObject): JsonObject {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  const subresources = new Map(
    [one, other].flatMap((each) =>
      objectsIn(each['subresources']).map((sub) => [stringValue(sub['subresource']), sub]),
    ),
  );
  const verbs = new Set([one, other].flatMap((each) => textsIn(each['verbs'])));
  const sorted = [...subresources].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sub]) => sub);
  return { ...one, verbs: [...verbs].toSorted(), ...(sorted.length === 0 ? {} : { subresources: sorted }) };
}

function mergedBy(
  lists: readonly (readonly JsonObject[])[],
  keyOf: (item: JsonObject) => string,
  merge: (one: JsonObject, other: JsonObject) => JsonObject,
): JsonObject[] {
  const merged: JsonObject[] = [];
  for (const list of lists) {
    let place = 0;
    for (const item of list) {
      const at = merged.findIndex((each) => keyOf(each) === keyOf(item));
      const known = merged[at];
      if (known === undefined) merged.splice(place, 0, item);
      else merged[at] = merge(known, item);
      place = (known === undefined ? place : at) + 1;
    }
  }
  return merged;
}

function versionOf({ version }: JsonObject): string {
  return stringValue(version);
}

function pluralOf({ resource }: JsonObject): string {
  return stringValue(resource);
}
