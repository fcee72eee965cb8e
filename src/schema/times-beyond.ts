import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { isUnreadableTime } from '../api/time/time.ts';
import type { Schema, Structure } from './schema.ts';

/*
 * The zone of a time may move it out of the years 0 to 9999 in UTC. Such a time can be written, but not be read again:
 *
 *   9999-12-31T23:59:59-01:00   read     10000-01-01T00:59:59Z   written
 *
 * Bodies may contain one where the server puts its own time in its place. None is stored.
 */

/** A time that could not be read again. */
export interface TimeBeyond {
  /** `spec.renewTime` */
  readonly path: string;
  readonly text: string;
}

/** The first such time below; its path has a dot before each field. */
type Finder = (value: JsonValue | undefined) => TimeBeyond | undefined;

const finders = new WeakMap<Schema, Finder | undefined>();

export function timeBeyond(schema: Schema, object: Readonly<JsonObject>): TimeBeyond | undefined {
  const found = finderOf(schema)?.(object);
  return found === undefined ? undefined : { ...found, path: found.path.slice(1) };
}

/** Undefined if there are no times below. */
function finderOf(schema: Schema): Finder | undefined {
  if (!finders.has(schema)) finders.set(schema, hasTimes(schema, new Set()) ? compile(schema) : undefined);
  return finders.get(schema);
}

function isTime({ type, format }: Schema): boolean {
  return type === 'string' && (format === 'date-time' || format === 'micro-time');
}

function hasTimes(schema: Schema, seen: Set<Structure>): boolean {
  const { structure, items } = schema;
  // A definition's times stay as they are written.
  if (schema.definition !== undefined) return false;
  if (items !== undefined) return hasTimes(items, seen);
  if (structure === undefined || seen.has(structure)) return isTime(schema);
  seen.add(structure);
  return [...structure.fields.values()].some((field) => hasTimes(field.schema, seen));
}

function compile(schema: Schema): Finder {
  const { type, items, structure } = schema;
  if (isTime(schema)) return findTime;
  if (type === 'array' && items !== undefined) return findInItems(items);
  if (type === 'map' && items !== undefined) return findInValues(items);
  return structure === undefined ? () => undefined : findInFields(structure);
}

function findTime(value: JsonValue | undefined): TimeBeyond | undefined {
  return typeof value === 'string' && isUnreadableTime(value) ? { path: '', text: value } : undefined;
}

function findInItems(items: Schema): Finder {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const find = finderOf(items);
    for (let index = 0; index < value.length; index++) {
      const found = find?.(value[index]);
      if (found !== undefined) return { ...found, path: `[${index}]${found.path}` };
    }
    return undefined;
  };
}

function findInValues(items: Schema): Finder {
  return (value) => {
    if (!isJsonObject(value)) return undefined;
    const find = finderOf(items);
    for (const key in value) {
      const found = find?.(value[key]);
      if (found !== undefined) return { ...found, path: `[${key}]${found.path}` };
    }
    return undefined;
  };
}

function findInFields({ fields }: Structure): Finder {
  const found = [...fields.values()].filter(({ schema }) => hasTimes(schema, new Set()));
  return (value) => {
    if (!isJsonObject(value)) return undefined;
    for (const { name, schema } of found) {
      const inner = value[name];
      const time = inner === undefined ? undefined : finderOf(schema)?.(inner);
      if (time !== undefined) return { ...time, path: `.${name}${time.path}` };
    }
    return undefined;
  };
}
