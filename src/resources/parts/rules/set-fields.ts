import type { JsonValue } from '../../../api/json/json.ts';
import { writtenEmpty } from '../../../api/json/written-notes.ts';

type Fields = { readonly [field: string]: unknown };

/** Whether a field has a value, be it an empty list or map. */
export function isSet(object: object, field: string): boolean {
  return (object as Fields)[field] !== undefined || writtenEmpty(object, field) !== undefined;
}

/** What messages show of a list, a map or bytes: null only if the field was not written. */
export function shownField<T extends object>(object: T, field: keyof T & string): JsonValue {
  // Decoded objects are JSON.
  const value = object[field] ?? writtenEmpty(object, field) ?? null;
  return value as JsonValue;
}
