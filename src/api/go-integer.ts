/** Why a text is no integer, as Go's `strconv` says. */
export type IntegerProblem = 'invalid syntax' | 'value out of range';

const maxUint64 = 2n ** 64n - 1n;
const maxInt64 = 2n ** 63n - 1n;
/** No integer of 64 bits has more; to read thousands of digits takes quadratic time. */
const maxDigits = 20;

/** What keeps a text from being an integer of 64 bits with a sign. */
export function int64Problem(text: string): IntegerProblem | undefined {
  if (!/^[+-]?\d+$/.test(text)) return 'invalid syntax';
  const sign = /^[+-]/.test(text) ? 1 : 0;
  return magnitudeProblem(text.slice(sign), text.startsWith('-') ? maxInt64 + 1n : maxInt64);
}

/** The same without a sign. */
export function uint64Problem(text: string): IntegerProblem | undefined {
  return /^\d+$/.test(text) ? magnitudeProblem(text, maxUint64) : 'invalid syntax';
}

function magnitudeProblem(digits: string, max: bigint): IntegerProblem | undefined {
  let start = 0;
  while (digits[start] === '0') start += 1;
  const significant = digits.slice(start);
  return significant.length > maxDigits || BigInt(significant) > max ? 'value out of range' : undefined;
}
