import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import { DecodeError } from './decode-errors.ts';
import type { Schema } from './schema.ts';

const bitsOf: { readonly [format: string]: number } = { int32: 32, int64: 64 };

/**
 * Converts integers in free-form JSON as Go does: overflow wraps around, fractions are refused. Body decoders
 * refuse both, but merging yields objects that were never decoded.
 */
export function convertedIntegers(schema: Schema, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => convertedIntegers(items, item));
  }
  if (isJsonObject(value)) return convertedObject(schema, value);
  const bits = schema.type === 'integer' ? bitsOf[schema.format ?? ''] : undefined;
  if (bits === undefined || (typeof value !== 'number' && typeof value !== 'bigint')) return value;
  if (typeof value === 'number' && !Number.isInteger(value)) {
    throw new DecodeError(`cannot convert float64 to ${schema.goType}`);
  }
  return plain(BigInt.asIntN(bits, asInt64(BigInt(value))));
}

function convertedObject(schema: Schema, object: JsonObject): JsonObject {
  const converted: JsonObject = {};
  for (const key of Object.keys(object)) {
    const value = getOwn(object, key) ?? null;
    const below = schema.structure?.fields.get(key)?.schema ?? schema.items;
    setOwn(converted, key, below === undefined ? value : convertedIntegers(below, value));
  }
  return converted;
}

const smallest = -(2n ** 63n);

/** An integer beyond 64 bits was parsed as a float, which amd64 converts to the minimum. */
function asInt64(value: bigint): bigint {
  return value === BigInt.asIntN(64, value) ? value : smallest;
}

function plain(value: bigint): number | bigint {
  return value === BigInt(Number(value)) && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
