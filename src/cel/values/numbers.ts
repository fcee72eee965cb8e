import { Double, type Int, isInt, Uint, type Value } from './value.ts';

export type Numeric = Int | Uint | Double;

export function isNumeric(value: Value): value is Numeric {
  return isInt(value) || value instanceof Uint || value instanceof Double;
}

/** Negative, zero or positive; NaN when either operand is. Numbers of different types are compared by value. */
export function compareNumbers(a: Numeric, b: Numeric): number {
  if (a instanceof Double) return compareDouble(a.value, b);
  if (b instanceof Double) return -compareDouble(b.value, a);
  const [x, y] = [a instanceof Uint ? a.value : a, b instanceof Uint ? b.value : b];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Integers are converted to doubles here, so distinct ones may equal the same double. */
function compareDouble(a: number, b: Numeric): number {
  if (b instanceof Double) return order(a, b.value);
  const [min, max] = b instanceof Uint ? [0, 2 ** 64] : [-(2 ** 63), 2 ** 63];
  if (a < min) return -1;
  if (a > max) return 1;
  return order(a, Number(b instanceof Uint ? b.value : b));
}

function order(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return a === b ? 0 : Number.NaN;
}
