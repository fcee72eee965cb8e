import type { CelType } from '../types/cel-type.ts';
import { findIn, isList, isMap, itemAt, keysOf, listSize } from './collections.ts';
import { typeOf } from './type-of.ts';
import { CelError, isError, type Value } from './value.ts';

/** Whether a value has a type, by the first elements of lists and maps. */
export function isOfType(type: CelType, value: Value): boolean {
  const { kind } = type;
  if (kind === 'dyn' || kind === 'any' || kind === 'param') return true;
  if (type.isNullable === true && value === null) return true;
  if (typeOf(value).name !== type.name) return false;
  if (kind === 'list' && isList(value)) {
    const [item] = type.params;
    return item === undefined || listSize(value) === 0 || isOfType(item, itemAt(value, 0));
  }
  if (kind === 'map' && isMap(value)) {
    const [keyType, valueType] = type.params;
    for (const key of keysOf(value)) {
      const fitsKey = keyType === undefined || isOfType(keyType, key);
      return fitsKey && (valueType === undefined || isOfType(valueType, findIn(value, key) ?? null));
    }
  }
  return true;
}

/** The error of a call without a matching overload; it names the argument types. */
export function noMatch(name: string, args: readonly Value[]): CelError {
  const error = args.find(isError);
  if (error !== undefined) return error;
  return new CelError(`no such overload: ${name}(${args.map((arg) => typeOf(arg).name).join(', ')})`);
}
