import { isEmptyObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { hasNotedEmpties, noteEmpty, noteZeroStruct } from '../api/json/written-notes.ts';
import { canonicalZero } from './decode-scalars.ts';
import { isNullWhenEmpty } from './omission.ts';
import type { Field, Schema } from './schema.ts';

// Zero values: non-pointer fields drop them, list items and map values keep them.

/** The value that a field keeps: undefined if it is the zero value and so means absence. */
export function keptValue(field: Field, value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined) return undefined;
  const { schema, pointer, keepsZero = false } = field;
  if (typeof value === 'object') {
    if (pointer || schema.type === 'any' || (value !== null && !isEmpty(value))) return value;
    if (value === null) return undefined;
    if (hasNotedEmpties(value)) {
      noteZeroStruct(value);
      return value;
    }
    // An empty list in a field that is always written is owned; a list encoded as its own protobuf message can be
    // present and empty.
    return isNullWhenEmpty(field) || schema.protobufItems === true || schema.keepsEmpty === true ? value : undefined;
  }
  // Free-form JSON is kept unchanged.
  if (pointer || (schema.type === 'any' && schema.format !== 'int-or-string' && schema.format !== 'schema-or-bool'))
    return value;
  switch (typeof value) {
    case 'string':
      return !keepsZero && value === canonicalZero(schema) && schema.type === 'string' ? undefined : value;
    case 'boolean':
      return value === false ? undefined : value;
    default:
      return value === 0 || value === 0n ? undefined : value;
  }
}

function isEmpty(value: JsonValue[] | JsonObject): boolean {
  return Array.isArray(value) ? value.length === 0 : isEmptyObject(value);
}

/** The value of a null list item or map value. */
export function zeroElement(schema: Schema): JsonValue {
  switch (schema.type) {
    case 'object':
    case 'map':
      return {};
    case 'array':
      return [];
    case 'string':
      return schema.format === 'date-time' || schema.format === 'micro-time' ? null : canonicalZero(schema);
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'any':
      return schema.format === 'int-or-string' ? 0 : schema.format === 'schema-or-bool' ? false : null;
  }
}

/** Empty lists, maps and bytes are dropped; what they were written as is noted. */
export function noteEmptyMember(object: JsonObject, field: Field | undefined, value: JsonValue | undefined): void {
  if (field === undefined || value === undefined || value === null) return;
  const form = field.schema.format === 'byte' ? 'bytes' : emptyForms[field.schema.type];
  if (form !== undefined) noteEmpty(object, field.name, form);
}

const emptyForms: { readonly [type in Schema['type']]?: 'list' | 'map' } = { array: 'list', map: 'map' };
