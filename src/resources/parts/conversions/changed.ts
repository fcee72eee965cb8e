import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../api/json.ts';

/** What an object of one version is in another; may change and answer the object that it is given. */
export type Change = (object: JsonObject) => JsonObject;

/** The object with a change of its specification. */
export function inSpec(change: Change): Change {
  return (object) => changed(object, 'spec', change);
}

/** The object with one of its parts changed, if it has it. */
export function changed(object: JsonObject, field: string, change: Change): JsonObject {
  const part = getOwn(object, field);
  return isJsonObject(part) ? { ...object, [field]: change(part) } : object;
}

/** The object with all items of one of its lists changed. */
export function eachOf(object: JsonObject, field: string, change: Change): JsonObject {
  const items = getOwn(object, field);
  if (!Array.isArray(items)) return object;
  return { ...object, [field]: items.map((item) => (isJsonObject(item) ? change(item) : item)) };
}

/** The object with one of its fields under another name. */
export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([field, value]) => [field === from ? to : field, value]));
}

/** The fields that have a value. */
export function present(fields: { readonly [field: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}
