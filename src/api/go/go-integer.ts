/** A parse error of Go's `strconv`. */
export type IntegerProblem = 'invalid syntax' | 'value out of range';

const maxUint64 = 2n ** 64n - 1n;
const maxInt64 = 2n ** 63n - 1n;
/** More digits than 64 bits hold; parsing thousands of digits takes quadratic time. */
const maxDigits = 20;

/** The error of parsing a signed 64-bit integer; undefined for valid ones. */
export function int64Problem(text: string): IntegerProblem | undefined {
  if (!/^[+-]?\d+$/.test(text)) return 'invalid syntax';
  const sign = /^[+-]/.test(text) ? 1 : 0;
  return magnitudeProblem(text.slice(sign), text.startsWith('-') ? maxInt64 + 1n : maxInt64);
}

/** The error of parsing an unsigned 64-bit integer; undefined for valid ones. */
export function uint64Problem(text: string): IntegerProblem | undefined {
  return /^\d+$/.test(text) ? magnitudeProblem(text, maxUint64) : 'invalid syntax';
}

function magnitudeProblem(digits: string, max: bigint): IntegerProblem | undefined {
  let start = 0;
  while (digits[start] === '0') start += 1;
  const significant = digits.slice(start);
  return significant.length > maxDigits || BigInt(significant) > max ? 'value out of range' : undefined;
}
