import { isJsonObject, type JsonObject } from './json.ts';
import { encodeRaw } from './json-text.ts';
import { TextCache } from './text-cache.ts';

/*
 * Objects of one kind that the same clients write own the same fields: the `fieldsV1` of their managedFields, often longer than
 * all the rest, are the same texts again and again. Each such text has one object here, frozen, that all objects in memory
 * share: it is parsed and encoded once.
 */
const byText = new TextCache<JsonObject>(4 * 1024 * 1024);
const texts = new WeakMap<JsonObject, string>();

/** The shared object of a JSON text; undefined for text that is not as this server writes sets of fields. */
export function sharedFieldsOf(text: string): JsonObject | undefined {
  const known = byText.get(text);
  if (known !== undefined) return known;
  const fields = JSON.parse(text) as JsonObject; // the caller has found an object
  return encodeRaw(fields) === text && holdsFieldsAlone(fields) ? share(fields, text) : undefined;
}

/** The shared object that equals `fields`; `fields` itself where there are other things than fields in it. */
export function shareFields(fields: JsonObject): JsonObject {
  if (texts.has(fields)) return fields;
  const text = encodeRaw(fields);
  return byText.get(text) ?? (holdsFieldsAlone(fields) ? share(fields, text) : fields);
}

/** The JSON of a shared object; undefined for others. */
export function sharedFieldsText(fields: JsonObject): string | undefined {
  return texts.get(fields);
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
