import { compareNumbers, isNumeric } from './numbers.ts';
import { ConcatList, isList, type List } from './collections.ts';
import {
  addInt,
  addUint,
  divideInt,
  divideUint,
  moduloInt,
  moduloUint,
  multiplyInt,
  multiplyUint,
  negateInt,
  subtractInt,
  subtractUint,
} from './int64.ts';
import { mergedByKeys, unionOfSets } from './keyed-lists.ts';
import { LoopList } from './loop-values.ts';
import { addDuration, betweenTimes, compareTimes, durationSum, shiftTime } from './times.ts';
import { modeOf } from './typed.ts';
import {
  CelError,
  Double,
  Duration,
  isBytes,
  isError,
  type Int,
  isInt,
  noSuchOverload,
  Timestamp,
  Uint,
  type Value,
} from './value.ts';

// Operators. Unsupported operands yield one of two errors, as in the reference.

/** Types with methods of their own report unsupported operators themselves. */
export function unsupported(name: string, value: Value): CelError {
  if (isError(value)) return value;
  const hasMethods = typeof value === 'string' || value instanceof Timestamp || value instanceof Duration;
  return hasMethods ? noSuchOverload : new CelError(`no such overload: ${name}`);
}

type Binary = (a: Value, b: Value) => Value;

interface NumberOperation {
  readonly name: string;
  readonly int: (a: Int, b: Int) => Int | CelError;
  readonly uint: (a: Int, b: Int) => Int | CelError;
  readonly double?: (a: number, b: number) => number;
}

function onNumbers({ name, int, uint, double }: NumberOperation, other?: Binary): Binary {
  return (a, b) => {
    if (isInt(a)) return isInt(b) ? int(a, b) : noSuchOverload;
    if (a instanceof Uint) {
      if (!(b instanceof Uint)) return noSuchOverload;
      const result = uint(a.value, b.value);
      return isError(result as Value) ? (result as CelError) : Uint.of(result as Int);
    }
    if (a instanceof Double && double !== undefined) {
      return b instanceof Double ? new Double(double(a.value, b.value)) : noSuchOverload;
    }
    return other?.(a, b) ?? unsupported(name, a);
  };
}

export const add = onNumbers({ name: '_+_', int: addInt, uint: addUint, double: (a, b) => a + b }, (a, b) => {
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noSuchOverload;
  if (isList(a)) return isList(b) ? addLists(a, b) : noSuchOverload;
  if (isBytes(a)) return isBytes(b) ? new Uint8Array(Buffer.concat([a, b])) : noSuchOverload;
  if (a instanceof Duration) {
    if (b instanceof Duration) return durationSum(a, b, addInt);
    return b instanceof Timestamp ? addDuration(b, a) : noSuchOverload;
  }
  if (a instanceof Timestamp) return b instanceof Duration ? addDuration(a, b) : noSuchOverload;
  return unsupported('_+_', a);
});

/** Set and map lists are merged, others concatenated. */
function addLists(a: List, b: List): Value {
  if (a instanceof LoopList) {
    a.append(b);
    return a;
  }
  const mode = modeOf(a);
  if (mode === 'set') return unionOfSets(a, b);
  if (mode === 'atomic') return ConcatList.of(a, b);
  return mergedByKeys(a, b, mode.keys);
}

export const subtract = onNumbers(
  { name: '_-_', int: subtractInt, uint: subtractUint, double: (a, b) => a - b },
  (a, b) => {
    if (a instanceof Duration) return b instanceof Duration ? durationSum(a, b, subtractInt) : noSuchOverload;
    if (!(a instanceof Timestamp)) return unsupported('_-_', a);
    if (b instanceof Timestamp) return betweenTimes(a, b);
    return b instanceof Duration ? shiftTime(a, b) : noSuchOverload;
  },
);

export const multiply = onNumbers({ name: '_*_', int: multiplyInt, uint: multiplyUint, double: (a, b) => a * b });
export const divide = onNumbers({ name: '_/_', int: divideInt, uint: divideUint, double: (a, b) => a / b });
export const modulo = onNumbers({ name: '_%_', int: moduloInt, uint: moduloUint });

export function negate(a: Value): Value {
  if (isInt(a)) return negateInt(a);
  if (a instanceof Double) return new Double(-a.value);
  if (a instanceof Duration) {
    const nanos = negateInt(a.nanos);
    return nanos instanceof CelError ? nanos : new Duration(nanos);
  }
  return typeof a === 'boolean' ? noSuchOverload : unsupported('-_', a);
}

const notOrdered = new CelError('NaN values cannot be ordered');

/** Negative, zero or positive; an error for unordered types. `name` is the operator. */
export function compare(a: Value, b: Value, name = '_<_'): number | CelError {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  if (isNumeric(a)) {
    if (!isNumeric(b)) return a instanceof Double && Number.isNaN(a.value) ? notOrdered : noSuchOverload;
    const order = compareNumbers(a, b);
    return Number.isNaN(order) ? notOrdered : order;
  }
  if (typeof a === 'string') return typeof b === 'string' ? compareText(a, b) : noSuchOverload;
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : noSuchOverload;
  if (isBytes(a)) return isBytes(b) ? Buffer.compare(a, b) : noSuchOverload;
  if (a instanceof Timestamp) {
    return b instanceof Timestamp ? compareTimes(a, b) : noSuchOverload;
  }
  if (a instanceof Duration) {
    return b instanceof Duration ? (a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0) : noSuchOverload;
  }
  return unsupported(name, a);
}

export function isComparable(value: Value): boolean {
  if (isNumeric(value) || typeof value === 'string' || typeof value === 'boolean') return true;
  return isBytes(value) || value instanceof Timestamp || value instanceof Duration;
}

/** Strings are ordered by their UTF-8 bytes, which differs from UTF-16 order beyond the basic plane. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (x === y) continue;
    return byteOrder(x) < byteOrder(y) ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

/** In UTF-8, characters beyond the basic plane sort last. */
function byteOrder(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
