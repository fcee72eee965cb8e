import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import { pick, type Random } from '../random-objects/random.ts';

// Random custom resource schemas, valid and invalid.

const names = ['a', 'b', 'metadata', 'kind', 'apiVersion', 'spec', 'status', 'name'];
const scalars: readonly JsonValue[] = [0, 1, -1, 1.5, 5, 'x', '', 'aaa', true, false, null];
const values: readonly JsonValue[] = [...scalars, [], {}, [1], ['x'], { a: 1 }, { a: 'x' }, { b: { c: 1 } }];
const types = ['string', 'integer', 'number', 'boolean', 'object', 'array'];

/** Keywords with their probability and values. */
const keywords: readonly (readonly [probability: number, name: string, values: readonly JsonValue[]])[] = [
  [0.05, 'nullable', [true]],
  [0.03, 'description', ['d']],
  [0.08, 'format', ['date', 'int32', 'x', 'byte', 'uuid']],
  [0.08, 'minimum', [0, 1, 1.5]],
  [0.08, 'maximum', [0, 5, 2.5]],
  [0.05, 'exclusiveMinimum', [true]],
  [0.08, 'maxLength', [0, 2]],
  [0.05, 'minLength', [1]],
  [0.06, 'pattern', ['^a+$', '(', '[a-z]{2}', '\\d']],
  [0.05, 'maxItems', [1]],
  [0.05, 'minItems', [1]],
  [0.02, 'uniqueItems', [true]],
  [0.04, 'multipleOf', [2, 0.5, 0]],
  [0.05, 'maxProperties', [1]],
  [0.05, 'minProperties', [1]],
  [0.1, 'required', names.map((name) => [name])],
  [0.06, 'enum', values.map((value) => [value, 1])],
  [0.06, 'x-kubernetes-preserve-unknown-fields', [true, true, true, false]],
  [0.04, 'x-kubernetes-embedded-resource', [true]],
  [0.04, 'x-kubernetes-map-type', ['atomic', 'granular', 'x']],
];

const listKeywords: typeof keywords = [
  [0.2, 'x-kubernetes-list-type', ['atomic', 'set', 'map']],
  [0.1, 'x-kubernetes-list-map-keys', names.map((name) => [name])],
];

/** The position of a schema. */
interface SchemaPosition {
  readonly depth: number;
  readonly isRoot: boolean;
  /** Within `anyOf` and the like. */
  readonly isNested: boolean;
}

export function randomSchema(random: Random): JsonObject {
  return schema(random, { depth: 3, isRoot: true, isNested: false });
}

function schema(random: Random, place: SchemaPosition): JsonObject {
  const { depth, isRoot, isNested } = place;
  const chance = (probability: number): boolean => random() < probability;
  const made: JsonObject = {};
  const type = isRoot ? 'object' : chance(isNested ? 0.1 : 0.9) ? pick(random, types) : '';
  if (type !== '') made['type'] = type;
  else if (!isNested && chance(0.5)) made['x-kubernetes-int-or-string'] = true;
  const all = type === 'array' ? [...keywords, ...listKeywords] : keywords;
  for (const [probability, name, choices] of all) if (chance(probability)) made[name] = pick(random, choices);
  if (!isRoot && chance(isNested ? 0.05 : 0.35)) made['default'] = pick(random, values);
  return depth === 0 ? made : { ...made, ...parts(random, place, type) };
}

/** Subschemas by keyword. A single property each: the order of several is random. */
function parts(random: Random, { depth, isRoot, isNested }: SchemaPosition, type: string): JsonObject {
  const made: JsonObject = {};
  const below = (nested = isNested): JsonObject =>
    schema(random, { depth: depth - 1, isRoot: false, isNested: nested });
  const chance = (probability: number): boolean => random() < probability;
  if ((type === 'object' || isNested) && chance(isRoot ? 0.95 : 0.6)) {
    made['properties'] = { [isRoot ? pick(random, ['a', 'b', 'spec']) : pick(random, names)]: below() };
  } else if (type === 'object' && chance(0.5)) made['additionalProperties'] = chance(0.3) ? chance(0.5) : below();
  if (chance(type === 'array' ? 0.9 : isNested ? 0.2 : 0)) made['items'] = below();
  if (chance(0.1)) made['anyOf'] = chance(0.3) ? [{ type: 'integer' }, { type: 'string' }] : [below(true), below(true)];
  if (chance(0.06)) made['oneOf'] = [below(true), below(true)];
  if (chance(0.06)) made['allOf'] = [below(true)];
  if (chance(0.05)) made['not'] = below(true);
  return made;
}
