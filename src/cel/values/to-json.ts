import type { JsonObject, JsonValue } from '../../api/json.ts';
import { setOwn } from '../../api/json.ts';
import { findIn, isList, isMap, itemsOf, keysOf, type Mapping } from './collections.ts';
import { ConstructedObject } from './constructed.ts';
import { convert } from './conversions.ts';
import { goTypeName, valueText } from './texts.ts';
import { Double, Duration, isBytes, isInt, Timestamp, Uint, type Value } from './value.ts';

/** A value that has no form in JSON. */
export class ValueJsonError extends Error {
  override readonly name = 'ValueJsonError';
  readonly code = 'VALUE_JSON';
}

/** The JSON of a value that an expression has made. Throws a ValueJsonError. */
export function toJson(value: Value): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value;
  if (isList(value)) return [...itemsOf(value)].map(toJson);
  if (isMap(value)) return mapJson(value);
  if (value instanceof Double) return finite(value);
  if (value instanceof Uint) return value.value;
  if (isBytes(value)) return Buffer.from(value).toString('base64');
  const text = value instanceof Timestamp || value instanceof Duration ? convert(value, 'string') : undefined;
  if (typeof text === 'string') return text;
  throw new ValueJsonError(`unsupported native conversion from ${goTypeName(value)}`);
}

function finite({ value }: Double): number {
  if (Number.isFinite(value)) return value;
  throw new ValueJsonError(`json: unsupported value: ${value}`);
}

function mapJson(map: Mapping): JsonObject {
  const json: JsonObject = {};
  for (const key of keysOf(map)) {
    if (typeof key !== 'string') {
      const found = `${goTypeName(key)}`;
      throw new ValueJsonError(`map key ${valueText(key)} is of type ${found}, not string`);
    }
    setOwn(json, key, memberJson(map, key));
  }
  return json;
}

function memberJson(map: Mapping, key: string): JsonValue {
  try {
    return toJson(findIn(map, key) ?? null);
  } catch (error) {
    if (!(error instanceof ValueJsonError) || !(map instanceof ConstructedObject)) throw error;
    throw new ValueJsonError(`fail to convert field ${JSON.stringify(key)}: ${error.message}`);
  }
}
