import { isJsonObject, type JsonObject } from '../api/json/json.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Gives `object` the fields of `before` that `version` has no place for, though the schema of both has: a webhook that
 * was asked in that version has not seen them. Items of lists are left alone.
 */
export function keepUnseenFields(
  object: JsonObject,
  before: Readonly<JsonObject>,
  { schema, version }: { readonly schema: Schema; readonly version: Schema },
): void {
  if (schema === version || version.structure === undefined) return;
  for (const [name, field] of schema.structure?.fields ?? []) {
    const [value, own] = [before[name], object[name]];
    if (value === undefined) continue;
    const seen = version.structure.fields.get(name);
    if (seen === undefined) object[name] = value;
    else if (isJsonObject(value) && isJsonObject(own)) {
      keepUnseenFields(own, value, { schema: field.schema, version: seen.schema });
    }
  }
}
