import type { Schema } from '../../src/schema/schema.ts';

/** A field name, a map key or a list index. */
export type Step = string | number;

/** A place for a value in an object of a kind. */
export interface FieldPosition {
  readonly path: readonly Step[];
  readonly schema: Schema;
  /** Schemas of the parents, the root first; undefined for maps and lists. */
  readonly parents: readonly Schema[];
}

/** How often a type may be nested within itself. */
const mostOfOneType = 2;

/** Every place of a schema: fields, one item per list, one value per map; parents come before their parts. */
export function placesOf(schema: Schema): FieldPosition[] {
  return [...within({ path: [], schema, parents: [] })];
}

function* within({ path, schema, parents }: FieldPosition): Generator<FieldPosition> {
  const inside = [...parents, schema];
  if (inside.filter(({ name }) => name !== undefined && name === schema.name).length > mostOfOneType) return;
  for (const { name, schema: inner } of schema.structure?.fields.values() ?? []) {
    yield* placeAt({ path: [...path, name], schema: inner, parents: inside });
  }
  const { items } = schema;
  // Schema unions are visited both as one schema and as a list.
  if (items === undefined) return;
  if (schema.type === 'any') return yield* within({ path, schema: items, parents: inside });
  yield* placeAt({ path: [...path, stepInto(schema)], schema: items, parents: inside });
}

function* placeAt(place: FieldPosition): Generator<FieldPosition> {
  yield place;
  yield* within(place);
}

function stepInto({ type, items }: Schema): Step {
  if (type === 'array') return 0;
  return items?.format === 'quantity' ? 'cpu' : 'a';
}
