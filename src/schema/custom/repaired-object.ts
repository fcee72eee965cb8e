import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../api/json/json.ts';
import { decodedPart } from '../decode.ts';
import type { Schema } from '../schema.ts';

/**
 * A custom object that its schema cannot decode, as other or older servers may have stored it, without metadata fields
 * of the wrong type, so that it can still be read, repaired and deleted.
 */
export function repairedObject(schema: Schema, value: JsonValue): JsonValue {
  if (schema.definition === undefined) return isJsonObject(value) ? withoutMismatches(schema, value) : value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => repairedObject(items, item));
  }
  if (!isJsonObject(value)) return value;
  const repaired: JsonObject = {};
  for (const [name, part] of Object.entries(value)) {
    const known = schema.structure?.fields.get(name)?.schema ?? (schema.type === 'map' ? schema.items : undefined);
    setOwn(repaired, name, known === undefined ? part : repairedObject(known, part));
  }
  return repaired;
}

/** Metadata without what does not fit them. */
function withoutMismatches({ structure }: Schema, metadata: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(metadata)) {
    const field = structure?.fields.get(name)?.schema;
    if (field !== undefined && (value === null || decodedPart(field, value) !== undefined)) setOwn(kept, name, value);
  }
  return kept;
}
