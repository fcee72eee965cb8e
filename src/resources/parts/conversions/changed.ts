import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts';

/** Converts an object to another version; may modify and return its argument. */
export type Change = (object: JsonObject) => JsonObject;

/** Changes the object's spec. */
export function inSpec(change: Change): Change {
  return (object) => changed(object, 'spec', change);
}

/** Changes one field of the object, if present. */
export function changed(object: JsonObject, field: string, change: Change): JsonObject {
  const part = getOwn(object, field);
  return isJsonObject(part) ? { ...object, [field]: change(part) } : object;
}

/** Changes all items of one of the object's lists. */
export function eachOf(object: JsonObject, field: string, change: Change): JsonObject {
  const items = getOwn(object, field);
  if (!Array.isArray(items)) return object;
  return { ...object, [field]: items.map((item) => (isJsonObject(item) ? change(item) : item)) };
}

/** Renames a field of the object. */
export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([field, value]) => [field === from ? to : field, value]));
}

/** Drops fields without a value. */
export function present(fields: { readonly [field: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}
