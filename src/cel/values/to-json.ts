import { type JsonObject, type JsonValue, setOwn } from '../../api/json/json.ts';
import { noteFloat } from '../../api/json/written-notes.ts';
import { findIn, isList, isMap, itemsOf, keysOf, type List, type Mapping } from './collections.ts';
import { ConstructedMessage, ConstructedObject } from './constructed.ts';
import { convert } from './conversions.ts';
import { nativeProblem } from './native.ts';
import { Double, Duration, isBytes, isInt, Optional, Timestamp, Uint, type Value } from './value.ts';

/** A value that has no form in JSON. */
export class ValueJsonError extends Error {
  override readonly name = 'ValueJsonError';
  readonly code = 'VALUE_JSON';
}

/** The Go types of objects and lists; those without a form in JSON are neither undefined nor `json`. */
export type GoTypes = (collection: object) => string | undefined;

/** The JSON of the result of an expression, in which whole floats are noted. Throws a ValueJsonError. */
export function toJson(value: Value, types?: GoTypes): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value;
  if (isList(value)) return listJson(value, types);
  if (isMap(value)) return mapJson(value, types);
  if (value instanceof ConstructedObject || value instanceof ConstructedMessage) {
    return objectJson([...value.fields], types);
  }
  if (value instanceof Double) return finite(value);
  if (value instanceof Uint) return value.value;
  if (value instanceof Optional) return toJson(presentIn(value), types);
  const text = jsonString(value);
  if (text !== undefined) return text;
  throw new ValueJsonError(nativeProblem(value, 'json'));
}

export function isWholeFloat(value: Value): boolean {
  return value instanceof Double && Number.isSafeInteger(value.value);
}

function listJson(list: List, types: GoTypes | undefined): JsonValue[] {
  checkType(types?.(list));
  const json: JsonValue[] = [];
  for (const item of itemsOf(list)) {
    if (isWholeFloat(item)) noteFloat(json, json.length);
    json.push(toJson(item, types));
  }
  return json;
}

function checkType(goType: string | undefined): void {
  if (goType === undefined || goType === 'json') return;
  if (goType.startsWith('[]')) throw new ValueJsonError("type conversion error from 'list(dyn)' to '*structpb.Value'");
  if (goType.startsWith('map['))
    throw new ValueJsonError("type conversion error from 'map(dyn, dyn)' to '*structpb.Value'");
  throw new ValueJsonError(`type conversion error from struct type ${goType} to *structpb.Value`);
}

function presentIn({ value }: Optional): Value {
  if (value === undefined) throw new ValueJsonError('optional.none() dereference');
  return value;
}

function jsonString(value: Value): string | undefined {
  if (isBytes(value)) return Buffer.from(value).toString('base64');
  const text = value instanceof Timestamp || value instanceof Duration ? convert(value, 'string') : undefined;
  return typeof text === 'string' ? text : undefined;
}

function finite({ value }: Double): number {
  if (Number.isFinite(value)) return value;
  const what = `invalid ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'} value`;
  const why = `proto:\u00a0google.protobuf.Value.number_value: ${what}`;
  throw new ValueJsonError(`json: error calling MarshalJSON for type *structpb.Value: ${why}`);
}

function mapJson(map: Mapping, types: GoTypes | undefined): JsonObject {
  checkType(types?.(map));
  // In the order in which Go writes them: the first that does not fit is what errors are about.
  const keys = keysOf(map).toSorted();
  return objectJson(
    keys.map((key) => [key, findIn(map, key) ?? null] as const),
    types,
  );
}

function objectJson(
  entries: readonly (readonly [key: Value, member: Value])[],
  types: GoTypes | undefined,
): JsonObject {
  const json: JsonObject = {};
  for (const [key, member] of entries) {
    if (typeof key !== 'string') throw new ValueJsonError(nativeProblem(key, 'string'));
    if (isWholeFloat(member)) noteFloat(json, key);
    setOwn(json, key, toJson(member, types));
  }
  return json;
}
