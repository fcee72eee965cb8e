import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { encodeRaw } from '../api/json/json-text.ts';
import { parseOwnJson } from '../codec/json.ts';

/** An object, a list or a Table, as JSON, without the owners of fields. */
export function withoutManagedFields(json: Uint8Array): Uint8Array {
  if (!Buffer.from(json.buffer, json.byteOffset, json.byteLength).includes('"managedFields"')) return json;
  const { value } = parseOwnJson(json);
  if (!isJsonObject(value)) return json;
  const { items, rows } = value;
  strip(value);
  for (const item of listed(items)) strip(item);
  for (const row of listed(rows)) strip(getOwn(row, 'object'));
  return Buffer.from(encodeRaw(value));
}

function listed(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** In place: it was parsed for this. */
function strip(object: JsonValue | undefined): void {
  const metadata = isJsonObject(object) ? getOwn(object, 'metadata') : undefined;
  if (isJsonObject(metadata)) delete metadata['managedFields'];
}
