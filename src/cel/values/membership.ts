import { findIn, isList, isMap, itemsOf } from './collections.ts';
import { equals } from './equality.ts';
import { TypedList } from './typed.ts';
import { sizeOf } from './size.ts';
import { CelError, Duration, isError, noSuchOverload, Timestamp, type Value } from './value.ts';

/** `value in container` */
export function containsKey(value: Value, container: Value): Value {
  if (isList(container)) return containsItem(container, value);
  if (!isMap(container)) return isError(container) ? container : noSuchOverload;
  const found = findIn(container, value);
  return found !== undefined && isError(found) ? found : found !== undefined;
}

/** Typed items are compared by their own rules, which may yield an error. */
export function containsItem(list: Value, value: Value): Value {
  if (!isList(list)) return noSuchOverload;
  const isTyped = list instanceof TypedList;
  let problem: CelError | undefined;
  for (const item of itemsOf(list)) {
    const equal = isTyped ? equals(item, value) : equals(value, item);
    if (equal === true) return true;
    if (isTyped && equal instanceof CelError) problem ??= equal;
  }
  return problem ?? false;
}

/** `size(value)` */
export function measured(value: Value): Value {
  const size = sizeOf(value);
  if (size !== undefined) return size;
  const hasMethods = value instanceof Timestamp || value instanceof Duration;
  return hasMethods ? noSuchOverload : new CelError('no such overload: size');
}
