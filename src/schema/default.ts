import { type Clock, systemClock } from '../api/time/clock.ts';
import { copyJson, getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { Defaulters } from './defaulters.ts';
import type { Field, Schema, Structure } from './schema.ts';

/** Defaults one value and its parts. */
type Defaulter = (value: JsonValue, clock: Clock) => void;

const compiled = new WeakMap<Defaulters, Map<Structure, Defaulter | undefined>>();

/** Applies defaults, parents before their parts. Visits only what can have defaults. */
export function applyDefaults(
  schema: Schema,
  object: KubernetesObject,
  defaulters: Defaulters,
  clock: Clock = systemClock,
): void {
  let known = compiled.get(defaulters);
  if (known === undefined) {
    known = new Map();
    compiled.set(defaulters, known);
  }
  // Objects are JSON-shaped.
  defaulterOf(schema, defaulters, known)?.(object, clock);
}

function defaulterOf(
  schema: Schema,
  defaulters: Defaulters,
  known: Map<Structure, Defaulter | undefined>,
): Defaulter | undefined {
  const { items, structure } = schema;
  if (schema.type === 'array' || schema.type === 'map') {
    const item = items === undefined ? undefined : defaulterOf(items, defaulters, known);
    return item === undefined ? undefined : (value, clock) => eachItem(value, item, clock);
  }
  if (schema.type !== 'object' || structure === undefined) return undefined;
  if (known.has(structure)) return known.get(structure);
  if (!hasDefaults(schema, defaulters, new Set())) {
    known.set(structure, undefined);
    return undefined;
  }
  // A recursive type may be reached again below: it then gets the defaulter completed here.
  const later: { fill?: Defaulter } = {};
  known.set(structure, (value, clock) => later.fill?.(value, clock));
  later.fill = compile(schema, structure, { defaulters, known });
  known.set(structure, later.fill);
  return later.fill;
}

/** Whether there are defaults in a type, or in one that it contains: a type may contain itself. */
function hasDefaults({ items, name, structure, type }: Schema, defaulters: Defaulters, seen: Set<Structure>): boolean {
  if (type === 'array' || type === 'map') return items !== undefined && hasDefaults(items, defaulters, seen);
  if (type !== 'object' || structure === undefined || seen.has(structure)) return false;
  seen.add(structure);
  if (name !== undefined && getOwn(defaulters, name) !== undefined) return true;
  for (const field of structure.fields.values()) {
    if (hasMarkedDefault(field) || hasDefaults(field.schema, defaulters, seen)) return true;
  }
  return false;
}

/** A field with defaults at or below it. */
interface Part {
  readonly name: string;
  readonly field: Field;
  readonly fill: Defaulter;
}

function compile(
  schema: Schema,
  structure: Structure,
  { defaulters, known }: { readonly defaulters: Defaulters; readonly known: Map<Structure, Defaulter | undefined> },
): Defaulter {
  const own = schema.name === undefined ? undefined : getOwn(defaulters, schema.name);
  const marked = [...structure.fields.values()].filter(hasMarkedDefault);
  const parts: Part[] = [];
  for (const field of structure.fields.values()) {
    const fill = defaulterOf(field.schema, defaulters, known);
    if (fill !== undefined) parts.push({ name: field.name, field, fill });
  }
  return (value, clock) => {
    if (!isJsonObject(value)) return;
    own?.(value, clock);
    for (const { name, schema: fieldSchema } of marked) {
      if (value[name] === undefined) value[name] = copyJson(fieldSchema.default as JsonValue);
    }
    for (const part of parts) fillPart(value, part, clock);
  };
}

/** A struct that is not a pointer is always present, so its defaults apply even if none of it was written. */
function fillPart(parent: JsonObject, { name, field, fill }: Part, clock: Clock): void {
  const present = parent[name];
  if (present !== undefined) {
    fill(present, clock);
  } else if (field.schema.type === 'object' && !field.pointer) {
    const made: JsonObject = {};
    fill(made, clock);
    if (Object.keys(made).length > 0) parent[name] = made;
  }
}

function eachItem(value: JsonValue, item: Defaulter, clock: Clock): void {
  if (Array.isArray(value)) for (const part of value) item(part, clock);
  else if (isJsonObject(value)) for (const key in value) item(value[key] as JsonValue, clock); // an own key
}

/**
 * The zero value of a non-pointer field is its absence, so a zero default means nothing; a pointer's default always
 * counts.
 */
function hasMarkedDefault({ pointer, schema: { default: value } }: Field): boolean {
  if (value === undefined || value === null) return false;
  if (pointer) return true;
  if (value === '' || value === 0 || value === false) return false;
  return !(typeof value === 'object' && Object.keys(value).length === 0);
}
