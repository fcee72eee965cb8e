import { isEmptyObject } from '../api/huge-objects.ts';
import type { JsonObject, JsonValue } from '../api/json.ts';
import { canonicalZero } from './decode-scalars.ts';
import { isNullWhenEmpty } from './omission.ts';
import type { Field, Schema } from './schema.ts';

// Zero values: fields that are no pointers drop them, lists and maps write them out.

/** The value as the field keeps it: undefined when it is the zero value and so means absence. */
export function keptValue(field: Field, value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined) return undefined;
  const { schema, pointer } = field;
  if (typeof value === 'object') {
    if (pointer || schema.type === 'any' || (value !== null && !isEmpty(value))) return value;
    if (value === null) return undefined;
    // Who writes nothing into a list that is always written owns it; one that is a message of its own is there when it is empty.
    return isNullWhenEmpty(field) || schema.protobufItems === true || schema.keepsEmpty === true ? value : undefined;
  }
  // Free JSON keeps what it was given.
  if (pointer || (schema.type === 'any' && schema.format !== 'int-or-string' && schema.format !== 'schema-or-bool'))
    return value;
  switch (typeof value) {
    case 'string':
      return value === canonicalZero(schema) && schema.type === 'string' ? undefined : value;
    case 'boolean':
      return value === false ? undefined : value;
    default:
      return value === 0 || value === 0n ? undefined : value;
  }
}

function isEmpty(value: JsonValue[] | JsonObject): boolean {
  return Array.isArray(value) ? value.length === 0 : isEmptyObject(value);
}

/** What an element of a list or map holds when it was null. */
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
