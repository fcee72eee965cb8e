import type { JsonValue } from '../api/json/json.ts';

/**
 * Removes duplicates from a list of scalars. The last item of the list takes the place of each duplicate:
 *
 *   a b a c b d   ->   a b d c
 *
 * Modifies its argument.
 */
export function withoutRepeats(list: JsonValue[]): JsonValue[] {
  if (new Set(list).size === list.length) return list;
  const places = new Map<JsonValue, number[]>();
  const put = (item: JsonValue, place: number): void => {
    const known = places.get(item);
    if (known === undefined) places.set(item, [place]);
    else known.push(place);
  };
  for (const [place, item] of list.entries()) put(item, place);
  // Items only move from the end toward the front: positions beyond the end belong to items already moved.
  let last = list.length - 1;
  for (let i = 0; i < last; i += 1) {
    const item = list[i] ?? null;
    for (const repeated of (places.get(item) ?? []).filter((place) => place > i).sort((a, b) => a - b)) {
      while (last > repeated && list[last] === item) last -= 1;
      if (repeated > last) break;
      const moved = list[last] ?? null;
      list[repeated] = moved;
      put(moved, repeated);
      last -= 1;
    }
  }
  return list.slice(0, last + 1);
}
