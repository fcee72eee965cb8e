import type { JsonObject } from '../api/json/json.ts';

/** Builds an object with a member per item, pausing after each: documents have hundreds of definitions and paths. */
export function namedParts<Item>(
  items: readonly Item[],
  make: (item: Item) => readonly [name: string, part: JsonObject],
): JsonObject {
  const parts: [string, JsonObject][] = [];
  for (const item of items) {
    const [name, part] = make(item);
    parts.push([name, part]);
  }
  return Object.fromEntries(parts);
}
