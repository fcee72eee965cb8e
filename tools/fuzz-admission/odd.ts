import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import type { Random } from '../random-objects/repeatable-random.ts';

/** Fields of an object, each with how likely it is there and what makes it. */
export type Fields = { readonly [name: string]: readonly [chance: number, make: (random: Random) => JsonValue] };

/** An object with some of the fields; now and then one of them is null. */
export function someOf(random: Random, fields: Fields): JsonObject {
  const value: JsonObject = {};
  for (const [name, [chance, make]] of Object.entries(fields)) {
    if (!random.chance(chance)) continue;
    value[name] = random.chance(0.03) ? null : make(random);
  }
  return value;
}

/** One of the values. */
export function oneOf(...values: readonly JsonValue[]): (random: Random) => JsonValue {
  return (random) => random.pick(values) ?? null;
}

/** Up to `most` items. */
export function upTo(most: number, make: (random: Random, index: number) => JsonValue): (random: Random) => JsonValue {
  return (random) => Array.from({ length: random.below(most + 1) }, (_, index) => make(random, index));
}

/** A map with some of the keys. */
export function mapOf(
  keys: readonly string[],
  make: (random: Random) => JsonValue,
  chance = 0.4,
): (random: Random) => JsonValue {
  return (random) => someOf(random, Object.fromEntries(keys.map((key) => [key, [chance, make] as const])));
}
