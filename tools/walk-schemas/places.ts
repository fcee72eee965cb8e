import type { Schema } from '../../src/schema/schema.ts';

/** A name of a field, a key of a map or an index of a list. */
export type Step = string | number;

/** Where a value may stand in an object of a kind. */
export interface Place {
  readonly path: readonly Step[];
  readonly schema: Schema;
  /** Of the objects on the way, the root first; undefined for maps and lists. */
  readonly parents: readonly Schema[];
}

/** How often a type may stand inside of itself. */
const mostOfOneType = 2;

/** Every place of a schema: fields, one item of each list, one value of each map; parents come before what is in them. */
export function placesOf(schema: Schema): Place[] {
  return [...within({ path: [], schema, parents: [] })];
}

function* within({ path, schema, parents }: Place): Generator<Place> {
  const inside = [...parents, schema];
  if (inside.filter(({ name }) => name !== undefined && name === schema.name).length > mostOfOneType) return;
  for (const { name, schema: inner } of schema.structure?.fields.values() ?? []) {
    yield* placeAt({ path: [...path, name], schema: inner, parents: inside });
  }
  const { items } = schema;
  // Unions of schemas are read as one schema and as a list.
  if (items === undefined) return;
  if (schema.type === 'any') return yield* within({ path, schema: items, parents: inside });
  yield* placeAt({ path: [...path, stepInto(schema)], schema: items, parents: inside });
}

function* placeAt(place: Place): Generator<Place> {
  yield place;
  yield* within(place);
}

function stepInto({ type, items }: Schema): Step {
  if (type === 'array') return 0;
  return items?.format === 'quantity' ? 'cpu' : 'a';
}
