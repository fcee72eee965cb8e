import { isJsonObject, type JsonObject } from './json.ts';
import { encodeRaw } from './json-text.ts';
import { TextCache } from '../text/text-cache.ts';

/** Sets of objects that nobody writes any more are forgotten after this time, or twice that. */
const idleMs = 600_000;

/*
 * Objects of one kind that the same clients write have the same owned fields: the `fieldsV1` of their managedFields,
 * often longer than everything else. Each distinct text has one frozen object here, shared by all objects in memory and
 * parsed and encoded once. Large sets are not shared: they rarely recur, and would displace many others.
 */
const byText = new TextCache<JsonObject>(4 * 1024 * 1024, idleMs);
const texts = new WeakMap<JsonObject, string>();

/** Length of the longest shared text. */
const maxSharedLength = 65_536;
/** Fields of the largest shared set. */
const maxSharedFields = 5_000;

/** Matches what this server never writes in field sets: whitespace, most escapes, values other than objects. */
const unusual = /[\s<>&\u2028\u2029]|\\[^"\\]|[^\\]":[^{]/;

/** Whether the field set of a JSON text is small enough to be shared. */
export function isSharable(text: string): boolean {
  return text.length <= maxSharedLength;
}

/** Whether this server would not have written a long text as a field set. */
export function isUnusual(text: string): boolean {
  return unusual.test(text);
}

/**
 * The shared object of a JSON text, or a new one for long text; undefined for text that this server would not have
 * written.
 */
export function sharedFieldsOf(text: string): JsonObject | undefined {
  if (!isSharable(text)) return isUnusual(text) ? undefined : longFieldsOf(text);
  const known = byText.get(text);
  if (known !== undefined) return known;
  const fields = JSON.parse(text) as JsonObject; // the caller has found an object
  const levels = encodeRaw(fields) === text ? levelsOf(fields, Infinity) : undefined;
  return levels && share(fields, { levels, text });
}

function longFieldsOf(text: string): JsonObject {
  const fields = JSON.parse(text) as JsonObject; // the caller has found an object
  keepFieldsText(fields, text);
  return fields;
}

/** The shared object that equals `fields`; `fields` itself when it is large or not a plain field set. */
export function shareFields(fields: JsonObject): JsonObject {
  const levels = texts.has(fields) ? undefined : levelsOf(fields, maxSharedFields);
  if (levels === undefined) return fields;
  const text = encodeRaw(fields);
  return byText.get(text) ?? share(fields, { levels, text });
}

/** Keeps the JSON of an object that is not shared and will not change any more. */
export function keepFieldsText(fields: JsonObject, text: string): void {
  texts.set(fields, text);
}

/** The JSON of a shared object, or one kept before; undefined otherwise. */
export function sharedFieldsText(fields: JsonObject): string | undefined {
  return texts.get(fields);
}

interface Sharable {
  /** All objects in it. */
  readonly levels: readonly JsonObject[];
  readonly text: string;
}

function share(fields: JsonObject, { levels, text }: Sharable): JsonObject {
  for (const level of levels) Object.freeze(level);
  byText.set(text, fields);
  texts.set(fields, text);
  return fields;
}

/** The objects in a field set of at most `max` fields; undefined if it is none. No recursion: sets may be deep. */
function levelsOf(fields: JsonObject, max: number): readonly JsonObject[] | undefined {
  const levels = [fields];
  let left = max;
  for (let level: JsonObject | undefined = fields, at = 0; level !== undefined; level = levels[++at]) {
    for (const key in level) {
      const below = level[key];
      if (--left < 0 || key === '__proto__' || !isJsonObject(below)) return undefined;
      levels.push(below);
    }
  }
  return levels;
}
