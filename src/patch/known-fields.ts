import { getOwn, isJsonObject, type JsonObject, setOwn } from '../api/json/json.ts';
import { type JsonSource, plainSource } from '../api/json/json-tree.ts';
import { decodeCleanly, decodeObject } from '../schema/decode.ts';
import type { Decoded } from '../schema/decode-exact.ts';
import type { Schema } from '../schema/schema.ts';

/** Fields of an object before a patch, in wire form and as they are decoded: absent, if they decode to nothing. */
export interface KnownFields {
  readonly formed: Readonly<JsonObject>;
  readonly decoded: Readonly<JsonObject>;
}

/** Decodes a patched object, but not those fields again that the patch has left as they were. Throws DecodeError. */
export function decodePatched(schema: Schema, patched: JsonSource, known: KnownFields | undefined): Decoded {
  return (known && decodeChanged(schema, patched, known)) ?? decodeObject(schema, patched);
}

function decodeChanged(
  schema: Schema,
  { value, faithful }: JsonSource,
  { formed, decoded: before }: KnownFields,
): Decoded | undefined {
  if (!faithful || !isJsonObject(value)) return undefined;
  const changed: JsonObject = {};
  for (const name in value) {
    const field = value[name] ?? null;
    if (field !== getOwn(formed, name)) setOwn(changed, name, field);
  }
  const decoded = decodeCleanly(schema, plainSource(changed));
  if (decoded === undefined) return undefined;
  const object: JsonObject = {};
  for (const name in value) {
    const field = getOwn(Object.hasOwn(changed, name) ? decoded.object : before, name);
    if (field !== undefined) object[name] = field;
  }
  return { object, strictErrors: decoded.strictErrors };
}
