import { type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import type { Schema } from './schema.ts';

/*
 * Takes out what a schema does not know. An object that preserves unknown fields keeps them with all that is in them; below its known
 * fields the schema counts again. Lists hand preservation on to their items.
 *
 *   preserves  { known: { x: 1 }, other: { y: 1 } }   known prunes x, other stays
 */

export interface Pruned {
  readonly object: JsonObject;
  /** Paths of what has gone, in the order of their characters: `spec.ports[0].other`. */
  readonly unknown: readonly string[];
}

/** What objects of a kind have beside their schema: nothing in them is pruned. */
export const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Prunes an object of a kind. Shares with `object` what stays as it is. */
export function pruneUnknown(schema: Schema, object: JsonObject): Pruned {
  const unknown: string[] = [];
  const kept = pruneObject({ ...schema, embeddedResource: true }, object, {
    path: '',
    unknown,
    preserves: preserves(schema),
  });
  return { object: kept, unknown: unknown.sort() };
}

interface Place {
  readonly path: string;
  readonly unknown: string[];
  /** Whether what is unknown here stays. */
  readonly preserves: boolean;
}

function preserves(schema: Schema | undefined): boolean {
  return schema?.preserveUnknownFields === true;
}

/** `schema` is undefined where nothing is known. */
function prune(schema: Schema | undefined, value: JsonValue, place: Place): JsonValue {
  if (typeof value !== 'object' || value === null || (schema === undefined && place.preserves)) return value;
  const here = { ...place, preserves: place.preserves || preserves(schema) };
  return Array.isArray(value) ? pruneItems(schema?.items, value, here) : pruneObject(schema, value, here);
}

function pruneItems(items: Schema | undefined, value: JsonValue[], place: Place): JsonValue[] {
  let kept = value;
  for (const [index, before] of value.entries()) {
    const after = prune(items, before, { ...place, path: `${place.path}[${index}]` });
    if (after === before) continue;
    if (kept === value) kept = value.slice();
    kept[index] = after;
  }
  return kept;
}

function pruneObject(schema: Schema | undefined, value: JsonObject, place: Place): JsonObject {
  const kept: JsonObject = {};
  let isSame = true;
  for (const [key, before] of Object.entries(value)) {
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const after = pruneField(schema, { key, value: before }, { ...place, path });
    if (after !== undefined) setOwn(kept, key, after);
    // Kind and metadata of the object itself are read by others.
    else if (place.path !== '' || !metaFields.has(key)) place.unknown.push(path);
    if (after !== before) isSame = false;
  }
  return isSame ? value : kept;
}

/** Undefined: the field goes. */
function pruneField(
  schema: Schema | undefined,
  { key, value }: { readonly key: string; readonly value: JsonValue },
  place: Place,
): JsonValue | undefined {
  if (schema?.embeddedResource === true && metaFields.has(key)) return value;
  const field = schema?.structure?.fields.get(key)?.schema;
  // Below what is known the schema of the field decides.
  if (field !== undefined || schema?.type === 'map') {
    return prune(field ?? schema?.items, value, { ...place, preserves: false });
  }
  return place.preserves ? value : undefined;
}
