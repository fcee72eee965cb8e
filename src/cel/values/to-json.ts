import { type JsonObject, type JsonValue, setOwn } from '../../api/json.ts';
import { noteFloat } from '../../api/written-notes.ts';
import { findIn, isList, isMap, itemsOf, keysOf, type List, type Mapping, MapValue } from './collections.ts';
import { convert } from './conversions.ts';
import { typeText } from '../types/cel-type.ts';
import { valueText } from './texts.ts';
import { typeOf } from './type-of.ts';
import { Double, Duration, isBytes, isInt, Timestamp, Uint, type Value } from './value.ts';

/** A value that has no form in JSON. */
export class ValueJsonError extends Error {
  override readonly name = 'ValueJsonError';
  readonly code = 'VALUE_JSON';
}

/** How values that JSON does not have are written. */
export interface JsonForm {
  readonly null: null | 0;
  /** Times, durations and bytes are text; otherwise they have no form. */
  readonly hasText: boolean;
  /** Maps within lists and other maps may be map literals, and not constructed objects only. */
  readonly hasInnerMaps: boolean;
}

/** The JSON of the result of an expression, in which whole floats are noted. Throws a ValueJsonError. */
export function toJson(value: Value, form: JsonForm): JsonValue {
  if (value === null) return form.null;
  if (typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value;
  if (isList(value)) return listJson(value, form);
  if (isMap(value)) return mapJson(value, form);
  if (value instanceof Double) return finite(value);
  if (value instanceof Uint) return value.value;
  const text = form.hasText ? textOf(value) : undefined;
  if (text !== undefined) return text;
  throw new ValueJsonError(`type conversion not supported for '${typeText(typeOf(value))}'`);
}

function listJson(list: List, form: JsonForm): JsonValue[] {
  const json: JsonValue[] = [];
  for (const item of itemsOf(list)) {
    if (isWholeFloat(item)) noteFloat(json, json.length);
    json.push(innerJson(item, form));
  }
  return json;
}

function isWholeFloat(value: Value): boolean {
  return value instanceof Double && Number.isSafeInteger(value.value);
}

/** For values within a list or a map literal. */
function innerJson(value: Value, form: JsonForm): JsonValue {
  if (value instanceof MapValue && !form.hasInnerMaps) throw new ValueJsonError('a map literal within a list or a map');
  return toJson(value, form);
}

function textOf(value: Value): string | undefined {
  if (isBytes(value)) return Buffer.from(value).toString('base64');
  const text = value instanceof Timestamp || value instanceof Duration ? convert(value, 'string') : undefined;
  return typeof text === 'string' ? text : undefined;
}

function finite({ value }: Double): number {
  if (Number.isFinite(value)) return value;
  throw new ValueJsonError(`json: unsupported value: ${value}`);
}

function mapJson(map: Mapping, form: JsonForm): JsonObject {
  const json: JsonObject = {};
  for (const key of keysOf(map)) {
    if (typeof key !== 'string') throw new ValueJsonError(`map key ${valueText(key)} is not a string`);
    const member = findIn(map, key) ?? null;
    if (isWholeFloat(member)) noteFloat(json, key);
    setOwn(json, key, map instanceof MapValue ? innerJson(member, form) : toJson(member, form));
  }
  return json;
}
