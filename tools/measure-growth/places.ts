import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import { setOwn } from '../../src/api/json/json.ts';
import type { Schema } from '../../src/schema/schema.ts';

/** A list or map in the objects of a kind, by field names; `[]` is the first item of an enclosing list or map. */
export interface Collection {
  readonly steps: readonly string[];
  readonly schema: Schema;
}

/** What a grown collection is filled with. */
export type Filling = 'empty' | 'alike' | 'different';
export const fillings: readonly Filling[] = ['empty', 'alike', 'different'];

const inItem = '[]';

/** Every list and map of a schema; those of recursive types once. */
export function* placesOf(
  schema: Schema,
  steps: readonly string[] = [],
  above: ReadonlySet<string> = new Set(),
): Generator<Collection> {
  const { type, name, items, structure } = schema;
  if (type === 'array' || type === 'map') {
    yield { steps, schema };
    if (items !== undefined) yield* placesOf(items, [...steps, inItem], above);
  } else if (structure !== undefined && (name === undefined || !above.has(name))) {
    const inside = name === undefined ? above : new Set([...above, name]);
    for (const field of structure.fields.values()) yield* placesOf(field.schema, [...steps, field.name], inside);
  } else if (items !== undefined) yield* placesOf(items, steps, above);
}

export function placeName({ steps }: Collection): string {
  return steps.join('.').replaceAll(`.${inItem}`, inItem);
}

/** A copy of the object with `count` items at one place. */
export function grown(
  root: Schema,
  object: JsonObject,
  place: Collection,
  filling: Filling,
  count: number,
): JsonObject {
  const copy = structuredClone(object);
  const last = place.steps.at(-1) ?? '';
  const parent = reach(root, copy, place.steps.slice(0, -1));
  const inside = place.schema.items;
  const sample = firstOf(parent[last]);
  const itemAt = (index: number): JsonValue => {
    if (inside === undefined || filling === 'empty') return inside === undefined ? '' : emptyOf(inside);
    const like = sample ?? valueOf(inside, 0);
    return filling === 'alike' ? structuredClone(like) : different(like, valueOf(inside, index), index);
  };
  if (place.schema.type === 'array') parent[last] = Array.from({ length: count }, (_, index) => itemAt(index));
  else {
    const map: JsonObject = {};
    for (let index = 0; index < count; index++) {
      setOwn(map, filling === 'empty' ? `?${index}` : `key-${index}`, itemAt(index));
    }
    parent[last] = map;
  }
  return copy;
}

/** The object or list at the end of the path; missing parents are created. */
function reach(root: Schema, object: JsonObject, steps: readonly string[]): JsonObject {
  let schema: Schema | undefined = root;
  let parent: JsonObject = object;
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const key: string = step !== inItem ? step : Array.isArray(parent) ? '0' : (Object.keys(parent)[0] ?? 'key');
    schema =
      step === inItem ? schema?.items : (schema?.structure ?? schema?.items?.structure)?.fields.get(step)?.schema;
    const isList = schema?.type === 'array' && !isLast ? true : schema?.type === 'array';
    parent[key] ??= isList ? [] : step === inItem && schema !== undefined ? (valueOf(schema, 0) as JsonObject) : {};
    // List items are addressed by index.
    parent = parent[key] as JsonObject;
  }
  return parent;
}

function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : undefined;
}

function emptyOf({ type }: Schema): JsonValue {
  if (type === 'array') return [];
  return type === 'string' ? '' : type === 'integer' || type === 'number' ? 0 : type === 'boolean' ? false : {};
}

/** A value with every scalar field set. */
function valueOf({ type, format, enum: values, items, structure }: Schema, index: number, depth = 0): JsonValue {
  switch (type) {
    case 'string':
      return values?.[0] ?? scalarTexts[format ?? '']?.(index) ?? `a${index}`;
    case 'integer':
    case 'number':
      return index + 1;
    case 'boolean':
      return true;
    case 'array':
      return items === undefined || depth > 2 ? [] : [valueOf(items, index, depth + 1)];
    case 'map':
      return items === undefined || depth > 2 ? {} : { a: valueOf(items, index, depth + 1) };
    case 'any':
      return format === 'int-or-string' ? index + 1 : {};
    case 'object': {
      const object: JsonObject = {};
      for (const { name, schema } of structure?.fields.values() ?? []) {
        const isPart = schema.type === 'object' || schema.type === 'array' || schema.type === 'map';
        if (!isPart || depth < 1) object[name] = valueOf(schema, index, depth + 1);
      }
      return object;
    }
  }
}

const scalarTexts: { readonly [format: string]: (index: number) => string } = {
  'date-time': () => '2026-01-02T03:04:05Z',
  'micro-time': () => '2026-01-02T03:04:05.000006Z',
  duration: (index) => `${index}s`,
  quantity: (index) => `${index}`,
  byte: () => 'YQ==',
};

/** Makes an item distinct from a valid one: changes its strings and numbers, except those that look like an enum. */
function different(like: JsonValue, made: JsonValue, index: number): JsonValue {
  if (typeof like === 'string') return /^[A-Z]/.test(like) ? like : typeof made === 'string' ? made : `a${index}`;
  if (typeof like === 'number') return like + index;
  if (typeof like !== 'object' || like === null || Array.isArray(like)) return structuredClone(like);
  return Object.fromEntries(
    Object.entries(like).map(([name, value]) => {
      const isName = typeof value === 'string' && !/^[A-Z/]/.test(value) && !/[:/]/.test(value);
      return [name, isName ? `${value}${index}` : typeof value === 'number' ? value + index : structuredClone(value)];
    }),
  );
}
