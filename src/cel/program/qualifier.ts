import { findIn, isList, isMap, itemAt, listSize } from '../values/collections.ts';
import { ConstructedValue } from '../values/constructed.ts';
import { TypedList, TypedObject } from '../values/typed.ts';
import { goTypeName, valueText } from '../values/texts.ts';
import { typeOf } from '../values/type-of.ts';
import { CelError, Double, isError, isInt, isPlainObject, Uint, type Value } from '../values/value.ts';
import type { Frame } from './frame.ts';

/** One step into a value: `.name`, `[index]`. */
export interface Qualifier {
  /** `.?name`: yields an optional. */
  readonly isOptional: boolean;
  /** `has(x.name)`: yields whether it is present. */
  readonly isTest: boolean;
  /** Whether the checker knows the struct that has the field. */
  readonly isDeclared?: boolean;
  /** The key, if constant. */
  readonly key: Value | undefined;
  /** The key, if computed. */
  readonly keyOf: ((frame: Frame) => Value) | undefined;
}

/** The value after a step; an error when absent. Costs one. */
export function qualify(frame: Frame, from: Value, qualifier: Qualifier): Value {
  const { keyOf } = qualifier;
  const key = keyOf === undefined ? (qualifier.key ?? null) : keyOf(frame);
  if (from instanceof ConstructedValue) return fieldOf(frame, from, { key, qualifier });
  const found = isError(key) ? key : lookUp(from, key);
  frame.charge(1);
  if (qualifier.isTest) return found !== undefined && isError(found) ? found : found !== undefined;
  return found === undefined ? missing(from, key) : found;
}

/** Undefined, and free, when absent. */
export function qualifyIfPresent(frame: Frame, from: Value, qualifier: Qualifier): Value | undefined {
  const { keyOf } = qualifier;
  const key = keyOf === undefined ? (qualifier.key ?? null) : keyOf(frame);
  if (isError(key)) return key;
  const found = from instanceof ConstructedValue ? fieldIfSet(from, key, qualifier) : lookUp(from, key);
  if (found !== undefined && !isError(found)) frame.charge(1);
  return found;
}

interface Step {
  readonly key: Value;
  readonly qualifier: Qualifier;
}

function fieldOf(frame: Frame, from: ConstructedValue, { key, qualifier }: Step): Value {
  const { isTest, isDeclared = false } = qualifier;
  frame.charge(1);
  if (isError(key)) return key;
  const found = isTest ? from.has(key, isDeclared) : from.find(key, isDeclared);
  return found === undefined ? missing(from, key) : found;
}

function fieldIfSet(from: ConstructedValue, key: Value, { isDeclared = false }: Qualifier): Value | undefined {
  const isSet = from.has(key, isDeclared);
  if (isSet === false) return undefined;
  return isSet === true ? from.find(key, isDeclared) : isSet;
}

function missing(from: Value, key: Value): CelError {
  const what = isList(from) ? 'index out of bounds' : 'no such key';
  return new CelError(`${what}: ${valueText(key)}`);
}

/** Undefined when absent. */
function lookUp(from: Value, key: Value): Value | undefined {
  if (from instanceof TypedObject && typeof key === 'string') return from.find(key);
  if (!isKey(key)) return new CelError(`invalid qualifier type: ${nativeTypeName(key)}`);
  if (isList(from)) return atIndex(from, key);
  return isMap(from) ? findIn(from, key) : undefined;
}

/** Error messages name the decoded type of JSON. */
function nativeTypeName(key: Value): string {
  if (key === null) return '<nil>';
  if (Array.isArray(key)) return '[]interface {}';
  return isPlainObject(key) ? 'map[string]interface {}' : goTypeName(key);
}

export function isKey(key: Value): boolean {
  return (
    typeof key === 'string' || typeof key === 'boolean' || isInt(key) || key instanceof Uint || key instanceof Double
  );
}

function atIndex(list: Parameters<typeof itemAt>[0], key: Value): Value | undefined {
  if (typeof key === 'number') return key >= 0 && key < listSize(list) ? itemAt(list, key) : undefined;
  if (typeof key === 'bigint') return undefined;
  const index = key instanceof Uint || key instanceof Double ? key.value : undefined;
  if (index === undefined) return new CelError(`unsupported index type '${typeOf(key).name}' in list`);
  if (!Number.isInteger(Number(index))) return new CelError(`unsupported index value ${valueText(key)} in list`);
  if (index < 0 || index >= listSize(list)) return undefined;
  if (list instanceof TypedList) return new CelError(`unsupported index: ${valueText(key)}`);
  return itemAt(list, Number(index));
}
