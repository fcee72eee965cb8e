const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/**
 * The order of keys in YAML: by character, but letters last, and runs of digits by their value, so that `a2` precedes
 * `a10`.
 */
export function compareKeys(a: string, b: string): number {
  const x = charsOf(a);
  const y = charsOf(b);
  const length = Math.min(x.length, y.length);
  for (let i = 0; i < length; i++) {
    const left = x[i] ?? '';
    const right = y[i] ?? '';
    if (left === right) continue;
    const leftLetter = letter.test(left);
    const rightLetter = letter.test(right);
    if (leftLetter && rightLetter) return codeOf(left) - codeOf(right);
    if (leftLetter || rightLetter) return rightLetter ? -1 : 1;
    return compareNumbers(x, y, i);
  }
  return x.length - y.length;
}

type Chars = ArrayLike<string>;

/** A string serves as its list of characters where each is one unit. */
function charsOf(text: string): Chars {
  return surrogate.test(text) ? [...text] : text;
}

const surrogate = /[\ud800-\udfff]/;

function compareNumbers(x: Chars, y: Chars, start: number): number {
  const leading = x[start] === '0' || y[start] === '0' ? leadingDigit(x, start) : 0n;
  const left = readNumber(x, start, leading);
  const right = readNumber(y, start, leading);
  if (left.value !== right.value) return left.value < right.value ? -1 : 1;
  if (left.end !== right.end) return left.end - right.end;
  return codeOf(x[start] ?? '') - codeOf(y[start] ?? '');
}

/** 1 when a non-zero digit precedes in the same run. */
function leadingDigit(chars: Chars, start: number): bigint {
  for (let i = start - 1; i >= 0 && digit.test(chars[i] ?? ''); i--) if (chars[i] !== '0') return 1n;
  return 0n;
}

function readNumber(chars: Chars, start: number, leading: bigint): { value: bigint; end: number } {
  let value = leading;
  let end = start;
  for (; end < chars.length && digit.test(chars[end] ?? ''); end++) {
    // Go's int64 wraps around.
    value = BigInt.asIntN(64, value * 10n + BigInt(codeOf(chars[end] ?? '') - 0x30));
  }
  return { value, end };
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}
