import { isJsonObject, type JsonObject } from './json.ts';
import { encodeRaw } from './json-text.ts';
import { TextCache } from './text-cache.ts';

/*
 * Objects of one kind that the same clients write have the same owned fields: the `fieldsV1` of their managedFields,
 * often longer than everything else. Each distinct text has one frozen object here, shared by all objects in memory and
 * parsed and encoded once. Large sets are not shared: they rarely recur, and handling them takes long.
 */
const byText = new TextCache<JsonObject>(4 * 1024 * 1024);
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
  return encodeRaw(fields) === text && holdsFieldsAlone(fields) ? share(fields, text) : undefined;
}

function longFieldsOf(text: string): JsonObject {
  const fields = JSON.parse(text) as JsonObject; // the caller has found an object
  keepFieldsText(fields, text);
  return fields;
}

/** The shared object that equals `fields`; `fields` itself when it is large or not a plain field set. */
export function shareFields(fields: JsonObject): JsonObject {
  if (texts.has(fields) || fieldsLeft(fields, maxSharedFields) < 0) return fields;
  const text = encodeRaw(fields);
  return byText.get(text) ?? (holdsFieldsAlone(fields) ? share(fields, text) : fields);
}

/** Keeps the JSON of an object that is not shared and will not change any more. */
export function keepFieldsText(fields: JsonObject, text: string): void {
  texts.set(fields, text);
}

/** The JSON of a shared object, or one kept before; undefined otherwise. */
export function sharedFieldsText(fields: JsonObject): string | undefined {
  return texts.get(fields);
}

/** The remaining budget of fields; negative when exceeded. */
function fieldsLeft(fields: JsonObject, max: number): number {
  let left = max;
  for (const key in fields) {
    left -= 1;
    const below = fields[key];
    if (isJsonObject(below)) left = fieldsLeft(below, left);
    if (left < 0) break;
  }
  return left;
}

function share(fields: JsonObject, text: string): JsonObject {
  freeze(fields);
  byText.set(text, fields);
  texts.set(fields, text);
  return fields;
}

function holdsFieldsAlone(fields: JsonObject): boolean {
  for (const key in fields) {
    const below = fields[key];
    if (key === '__proto__' || !isJsonObject(below) || !holdsFieldsAlone(below)) return false;
  }
  return true;
}

function freeze(fields: JsonObject): void {
  if (Object.isFrozen(fields)) return;
  for (const key in fields) freeze(fields[key] as JsonObject); // checked by holdsFieldsAlone
  Object.freeze(fields);
}
