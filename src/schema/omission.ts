import { isEmptyObject, isJsonObject, type JsonValue } from '../api/json/json.ts';
import type { Field, Schema } from './schema.ts';

// Which fields are written without a value, and how.

/** Whether an absent field is still written. */
export function isAlwaysWritten(field: Field | undefined): boolean {
  if (field === undefined) return false;
  return field.omit === 'never' || (field.omit === 'empty' && !field.pointer && isStruct(field.schema));
}

/** When a non-pointer field is omitted. */
export function emptyTest(schema: Schema): (value: JsonValue | undefined) => boolean {
  if (isStruct(schema)) return (value) => isZero(schema, value);
  switch (schema.type) {
    case 'array':
      return (value) => !Array.isArray(value) || value.length === 0;
    case 'map':
      return (value) => !isJsonObject(value) || isEmptyObject(value);
    default:
      return (value) =>
        value === undefined || value === null || value === '' || value === 0 || value === 0n || value === false;
  }
}

const structFormats: ReadonlySet<string> = new Set([
  'date-time',
  'micro-time',
  'duration',
  'quantity',
  'int-or-string',
  'raw-extension',
  'fields-v1',
  'json',
  'schema-or-bool',
  'schema-or-array',
  'schema-or-strings',
]);

/** Types that are structs in Go: `omitempty` does not omit them. */
export function isStruct(schema: Schema): boolean {
  return schema.type === 'object' || structFormats.has(schema.format ?? '');
}

/** All fields are zero, as `omitzero` requires. */
function isZero(schema: Schema, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (schema.type !== 'object' || !isJsonObject(value)) return false;
  for (const key in value) {
    const field = schema.structure?.fields.get(key);
    const item = value[key];
    if (item === undefined || item === null) continue;
    if (field === undefined || field.pointer || Array.isArray(item)) return false;
    if (typeof item === 'object' ? !isZero(field.schema, item) : Boolean(item)) return false;
  }
  return true;
}

/** JSON of the zero values of types with their own wire form. */
const zeroTexts: { readonly [format: string]: string } = {
  'date-time': 'null',
  'micro-time': 'null',
  duration: '"0s"',
  quantity: '"0"',
  byte: 'null',
  'int-or-string': '0',
  'schema-or-bool': 'false',
};

export function zeroTextOf({ format }: Schema, otherwise: string): string {
  return zeroTexts[format ?? ''] ?? otherwise;
}

/**
 * Lists that are written as null when empty, like those decoded from protobuf, which has no empty lists. `items` of
 * list kinds are `[]`.
 */
export function isNullWhenEmpty({ name, omit, pointer, schema }: Field): boolean {
  return omit === 'never' && !pointer && schema.type === 'array' && schema.protobufItems !== true && name !== 'items';
}

/**
 * Times whose null in the wire form is the zero time, since they are omitted when absent. Those that are always written
 * are null when absent, too.
 */
export function isNullWhenZero({ pointer, omit, schema: { format } }: Field): boolean {
  return pointer && omit !== 'never' && (format === 'date-time' || format === 'micro-time');
}

export function isEmptyArray(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}
