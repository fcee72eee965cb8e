import { CelError, type Int, narrowed } from './value.ts';

// 64-bit integer arithmetic, exact, with an error on overflow. Nearly all values are small, and allocate no BigInt.

export const intOverflow = new CelError('integer overflow');
export const uintOverflow = new CelError('unsigned integer overflow');
const divisionByZero = new CelError('division by zero');
const modulusByZero = new CelError('modulus by zero');

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

export function isInt64(value: bigint): boolean {
  return value >= minInt && value <= maxInt;
}

function isUint64(value: bigint): boolean {
  return value >= 0n && value <= maxUint;
}

function int(value: bigint): Int | CelError {
  return isInt64(value) ? narrowed(value) : intOverflow;
}

function uint(value: bigint): Int | CelError {
  return isUint64(value) ? narrowed(value) : uintOverflow;
}

type Arithmetic = (a: Int, b: Int) => Int | CelError;

export const addInt: Arithmetic = (a, b) => {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return int(BigInt(a) + BigInt(b));
};

export const subtractInt: Arithmetic = (a, b) => {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return int(BigInt(a) - BigInt(b));
};

export const multiplyInt: Arithmetic = (a, b) => {
  if (typeof a === 'number' && typeof b === 'number') {
    // There is no negative zero.
    const product = a * b + 0;
    if (Number.isSafeInteger(product)) return product;
  }
  return int(BigInt(a) * BigInt(b));
};

export const divideInt: Arithmetic = (a, b) => {
  if (b === 0) return divisionByZero;
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return int(BigInt(a) / BigInt(b));
};

export const moduloInt: Arithmetic = (a, b) => {
  if (b === 0) return modulusByZero;
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  // Overflows, as in Go's check.
  return BigInt(a) === minInt && b === -1 ? intOverflow : int(BigInt(a) % BigInt(b));
};

export function negateInt(a: Int): Int | CelError {
  return typeof a === 'number' ? 0 - a : int(-a);
}

export const addUint: Arithmetic = (a, b) => uint(BigInt(a) + BigInt(b));
export const subtractUint: Arithmetic = (a, b) => uint(BigInt(a) - BigInt(b));
export const multiplyUint: Arithmetic = (a, b) => uint(BigInt(a) * BigInt(b));
export const divideUint: Arithmetic = (a, b) => (b === 0 ? divisionByZero : uint(BigInt(a) / BigInt(b)));
export const moduloUint: Arithmetic = (a, b) => (b === 0 ? modulusByZero : uint(BigInt(a) % BigInt(b)));

/** Truncates; an error outside of the range, whose bounds count as outside. */
export function doubleToInt(value: number): Int | CelError {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return intOverflow;
  return narrowed(BigInt(Math.trunc(value)));
}

export function doubleToUint(value: number): Int | CelError {
  if (!(value >= 0 && value < 2 ** 64)) return uintOverflow;
  return narrowed(BigInt(Math.trunc(value)));
}
