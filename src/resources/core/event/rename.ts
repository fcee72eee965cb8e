import type { JsonObject } from '../../../api/json.ts';

/** The object with some of its fields under other names. */
export function renameFields(object: JsonObject, names: readonly (readonly [from: string, to: string])[]): JsonObject {
  const renamed = new Map(names);
  return Object.fromEntries(Object.entries(object).map(([field, value]) => [renamed.get(field) ?? field, value]));
}
