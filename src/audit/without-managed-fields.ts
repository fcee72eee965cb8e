import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { encodeRaw } from '../api/json-text.ts';
import { parseJson } from '../codec/json.ts';

/** An object, a list or a Table without the owners of fields. */
export function withoutManagedFields(json: string): string {
  if (!json.includes('"managedFields"')) return json.trimEnd();
  const { value } = parseJson(Buffer.from(json));
  if (!isJsonObject(value)) return json.trimEnd();
  const { items, rows } = value;
  strip(value);
  for (const item of listed(items)) strip(item);
  for (const row of listed(rows)) strip(getOwn(row, 'object'));
  return encodeRaw(value);
}

function listed(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** In place: it was parsed for this. */
function strip(object: JsonValue | undefined): void {
  const metadata = isJsonObject(object) ? getOwn(object, 'metadata') : undefined;
  if (isJsonObject(metadata)) delete metadata['managedFields'];
}
