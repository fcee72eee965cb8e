import { isJsonObject, type JsonObject } from './json.ts';
import { encodeRaw } from './json-text.ts';
import { TextCache } from './text-cache.ts';

/*
 * Objects of one kind that the same clients write own the same fields: the `fieldsV1` of their managedFields, often longer than
 * all the rest, are the same texts again and again. Each such text has one object here, frozen, that all objects in memory
 * share: it is parsed and encoded once. Large sets are not worth it: few come again, and each step takes long.
 */
const byText = new TextCache<JsonObject>(4 * 1024 * 1024);
const texts = new WeakMap<JsonObject, string>();

/** Characters of the longest text that has a shared object. */
const maxSharedLength = 65_536;
/** Fields of the largest shared object. */
const maxSharedFields = 5_000;

/** What the JSON of a set has not as this server writes it: blanks, most escapes, and values that are no objects. */
const unusual = /[\s<>&\u2028\u2029]|\\[^"\\]|[^\\]":[^{]/;

/**
 * The shared object of a JSON text, or one of its own for long text; undefined for text that is not as this server writes
 * sets of fields.
 */
export function sharedFieldsOf(text: string): JsonObject | undefined {
  if (text.length > maxSharedLength) return unusual.test(text) ? undefined : longFieldsOf(text);
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

/** The shared object that equals `fields`; `fields` itself where there are other things than fields in it, or very many. */
export function shareFields(fields: JsonObject): JsonObject {
  if (texts.has(fields) || fieldsLeft(fields, maxSharedFields) < 0) return fields;
  const text = encodeRaw(fields);
  return byText.get(text) ?? (holdsFieldsAlone(fields) ? share(fields, text) : fields);
}

/** Keeps the JSON of an object that is not shared; nobody changes it any more. */
export function keepFieldsText(fields: JsonObject, text: string): void {
  texts.set(fields, text);
}

/** The JSON of an object that is shared or has been kept with it; undefined for others. */
export function sharedFieldsText(fields: JsonObject): string | undefined {
  return texts.get(fields);
}

/** What is left of a number of fields; negative where there are more. */
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
  for (const key in fields) freeze(fields[key] as JsonObject); // holdsFieldsAlone has looked
  Object.freeze(fields);
}
