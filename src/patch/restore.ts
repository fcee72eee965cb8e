import { goKindOf } from '../api/json/go-print.ts';
import { unspelledOf } from '../api/json/json-tree.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import { decodePlain } from '../schema/decode.ts';
import { DecodeError } from '../schema/decode-errors.ts';
import type { Schema } from '../schema/schema.ts';
import { kindOf } from './patch-type.ts';

/*
 * The result of a strategic merge is decoded more leniently than a body, with errors of its own: no paths, Go kinds
 * instead of JSON types, integers truncated to their size, and integral doubles accepted as integers.
 */

/** Converts `value` to what the decoder accepts. Throws DecodeError. */
export function restore(schema: Schema, value: JsonValue): JsonValue {
  if (value === null) return null;
  switch (kindOf(schema)) {
    case 'struct':
      return schema.type === 'object' ? restoreStruct(schema, value) : restoreSpecial(schema, value);
    case 'map':
      return restoreMap(schema, value);
    case 'slice':
      return schema.format === 'byte' ? restoreBytes(schema, value) : restoreList(schema, value);
    case 'interface':
      return unspelledOf(value);
    default:
      return restoreScalar(schema, value);
  }
}

function restoreStruct(schema: Schema, value: JsonValue): JsonValue {
  if (!isJsonObject(value)) throw new DecodeError(`cannot restore struct from: ${goKindOf(value)}`);
  if (schema.structure === undefined) return unspelledOf(value);
  const restored: JsonObject = { ...value };
  for (const { name, schema: field } of schema.structure.fields.values()) {
    if (Object.hasOwn(value, name)) setOwn(restored, name, restore(field, value[name] ?? null));
  }
  return restored;
}

function restoreMap({ items }: Schema, value: JsonValue): JsonValue {
  if (!isJsonObject(value)) throw new DecodeError(`cannot restore map from ${goKindOf(value)}`);
  const restored: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    setOwn(restored, key, items === undefined ? unspelledOf(item) : restore(items, item));
  }
  return restored;
}

function restoreList({ items }: Schema, value: JsonValue): JsonValue {
  if (!Array.isArray(value)) throw new DecodeError(`cannot restore slice from ${goKindOf(value)}`);
  return items === undefined ? unspelledOf(value) : value.map((item) => restore(items, item));
}

function restoreBytes(schema: Schema, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return restoreSpecial(schema, value);
  if (typeof value !== 'string') throw new DecodeError(`cannot restore slice from ${goKindOf(value)}`);
  try {
    return restoreSpecial(schema, value);
  } catch (error) {
    throw error instanceof DecodeError ? new DecodeError(`error decoding from json: ${error.message}`) : error;
  }
}

/** Types with their own wire form decode their JSON as in a body, written by Go's encoder. */
function restoreSpecial(schema: Schema, written: JsonValue): JsonValue {
  const value = unspelledOf(written);
  decodePlain(schema, value);
  return value;
}

function restoreScalar(schema: Schema, written: JsonValue): JsonValue {
  const from = goKindOf(written);
  const value = unspelledOf(written);
  const to = kindOf(schema);
  const number = from === 'int64' || from === 'float64';
  if (to === from || (to.startsWith('float') && number)) return value;
  if (!number || (to === 'string' && from === 'float64') || to === 'bool') {
    throw new DecodeError(`unrecognized type: ${to}`);
  }
  if (to === 'string' || !Number.isInteger(Number(value))) {
    throw new DecodeError(`cannot convert ${from} to ${schema.goType}`);
  }
  return cutInteger(to, BigInt(value as number | bigint)); // `from` is a number
}

/** An integer of a smaller size keeps its low bits; one beyond 64 bits becomes the minimum, as on amd64. */
function cutInteger(kind: string, integer: bigint): JsonValue {
  const value = BigInt.asIntN(64, integer) === integer ? integer : -(2n ** 63n);
  const bits = Number(/^\D*(\d+)$/.exec(kind)?.[1] ?? 64);
  const cut = kind.startsWith('u') ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  return Number.isSafeInteger(Number(cut)) ? Number(cut) : cut;
}
