import { goQuote } from '../../api/go-quote.ts';
import { type JsonObject, type JsonValue, setOwn } from '../../api/json.ts';
import { noteFloat } from '../../api/written-notes.ts';
import { findIn, isList, isMap, itemsOf, keysOf, type List, type Mapping, MapValue } from './collections.ts';
import { declaredText } from '../types/cel-type.ts';
import { ConstructedMessage, ConstructedObject } from './constructed.ts';
import { convert } from './conversions.ts';
import { nativeProblem } from './native.ts';
import { goTypeName, valueText } from './texts.ts';
import {
  Double,
  Duration,
  isBytes,
  isInt,
  Optional,
  StoredTime,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** A value that has no form in JSON. */
export class ValueJsonError extends Error {
  override readonly name: string = 'ValueJsonError';
  readonly code: string = 'VALUE_JSON';
}

/** A value that JSON does not have, where there is no text for it. */
export class ForeignJsonError extends ValueJsonError {
  override readonly name = 'ForeignJsonError';
  override readonly code = 'FOREIGN_JSON';
  readonly value: Value;
  /** Where it is: names and indices. */
  readonly steps: readonly (string | number)[];
  /** Of an object that has no form: the error that takes its place. */
  readonly why: string | undefined;

  constructor(value: Value, steps: readonly (string | number)[] = [], why?: string) {
    super(nativeProblem(value, 'json'));
    this.value = value;
    this.steps = steps;
    this.why = why;
  }

  /** The error as seen from the value around. */
  below(step: string | number): ForeignJsonError {
    return new ForeignJsonError(this.value, [step, ...this.steps], this.why);
  }
}

/** How values that JSON does not have are written. */
export interface JsonForm {
  /** Times, durations and bytes are text; otherwise they have no form, and neither do null and NaN. */
  readonly hasText: boolean;
  /** Maps within lists and other maps may be map literals, and not constructed objects only. */
  readonly hasInnerMaps: boolean;
  /** The name of the struct that an object is, which has no form; undefined for maps. */
  readonly structName?: (object: object) => string | undefined;
}

/** The JSON of the result of an expression, in which whole floats are noted. Throws a ValueJsonError. */
export function toJson(value: Value, form: JsonForm): JsonValue {
  if (value === null && form.hasText) return null;
  if (typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value;
  if (isList(value)) return listJson(value, form);
  if (isMap(value)) return mapJson(value, form);
  if (value instanceof ConstructedObject || (form.hasText && value instanceof ConstructedMessage)) {
    return fieldsJson(value, form);
  }
  if (value instanceof Double && (form.hasText || Number.isFinite(value.value))) return finite(value);
  if (!form.hasText) return nativeJson(value, form);
  if (value instanceof Uint) return value.value;
  if (value instanceof Optional) return toJson(presentIn(value), form);
  const text = textOf(value);
  if (text !== undefined) return text;
  throw new ValueJsonError(nativeProblem(value, 'json'));
}

function fieldsJson(value: ConstructedObject | ConstructedMessage, form: JsonForm): JsonObject {
  if (!form.hasText) {
    for (const [name, field] of value.fields) {
      const key = field instanceof MapValue ? keysOf(field).find((each) => typeof each !== 'string') : undefined;
      if (key === undefined) continue;
      const shown = isInt(key)
        ? `'${goQuote(String.fromCodePoint(Number(key))).slice(1, -1)}'`
        : `%!q(${goTypeName(key)}=${valueText(key)})`;
      const why = `map key ${shown} is of type ${goTypeName(key)}, not string`;
      throw new ForeignJsonError(value, [], `fail to convert field ${goQuote(name)}: ${why}`);
    }
  }
  return objectJson([...value.fields], (member) => toJson(member, form));
}

/** What the value holds in Go, if that is JSON. */
function nativeJson(value: Value, form: JsonForm): JsonValue {
  if (value instanceof Optional) return value.value === undefined ? null : toJson(value.value, form);
  if (value instanceof TypeValue) return declaredText(value.named);
  if (value instanceof StoredTime) return value.written;
  throw new ForeignJsonError(value);
}

function listJson(list: List, form: JsonForm): JsonValue[] {
  const json: JsonValue[] = [];
  for (const item of itemsOf(list)) {
    if (isWholeFloat(item)) noteFloat(json, json.length);
    json.push(placed(json.length, () => innerJson(item, form)));
  }
  return json;
}

function presentIn({ value }: Optional): Value {
  if (value === undefined) throw new ValueJsonError('optional.none() dereference');
  return value;
}

/** Adds the place to errors that tell it. */
function placed(step: string | number, make: () => JsonValue): JsonValue {
  try {
    return make();
  } catch (error) {
    throw error instanceof ForeignJsonError ? error.below(step) : error;
  }
}

function isWholeFloat(value: Value): boolean {
  return value instanceof Double && Number.isSafeInteger(value.value);
}

/** For values within a list or a map literal. */
function innerJson(value: Value, form: JsonForm): JsonValue {
  if (value instanceof MapValue && !form.hasInnerMaps) throw new ForeignJsonError(value);
  return toJson(value, form);
}

function textOf(value: Value): string | undefined {
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

function mapJson(map: Mapping, form: JsonForm): JsonObject {
  const struct = form.structName?.(map);
  if (struct !== undefined)
    throw new ValueJsonError(`type conversion error from struct type ${struct} to *structpb.Value`);
  const inner = map instanceof MapValue ? innerJson : toJson;
  const entries = keysOf(map).map((key) => [key, findIn(map, key) ?? null] as const);
  return objectJson(entries, (member) => inner(member, form));
}

function objectJson(
  entries: readonly (readonly [key: Value, member: Value])[],
  inner: (member: Value) => JsonValue,
): JsonObject {
  const json: JsonObject = {};
  for (const [key, member] of entries) {
    if (typeof key !== 'string') throw new ValueJsonError(keyProblem(key));
    if (isWholeFloat(member)) noteFloat(json, key);
    setOwn(
      json,
      key,
      placed(key, () => inner(member)),
    );
  }
  return json;
}

/** Why a key is none of a JSON object. */
function keyProblem(key: Value): string {
  return nativeProblem(key, 'string');
}
