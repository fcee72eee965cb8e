import type { Schema, SchemaFormat, Structure } from './schema.ts';

/** Values of any type whose nesting is bounded: owned fields cannot be applied. */
const bounded: ReadonlySet<SchemaFormat | undefined> = new Set(['int-or-string', 'fields-v1']);

const known = new WeakMap<Structure, boolean>();

/** Whether objects of a schema may nest as deeply as they like: free-form JSON, or types that contain themselves. */
export function nestsFreely({ type, format, definition, structure, items }: Schema): boolean {
  if (definition !== undefined || (type === 'any' && !bounded.has(format))) return true;
  return (items !== undefined && nestsFreely(items)) || (structure !== undefined && structureNests(structure));
}

function structureNests(structure: Structure): boolean {
  const found = known.get(structure);
  if (found !== undefined) return found;
  // Met again below itself, it contains itself.
  known.set(structure, true);
  const nests = [...structure.fields.values()].some(({ schema }) => nestsFreely(schema));
  known.set(structure, nests);
  return nests;
}
