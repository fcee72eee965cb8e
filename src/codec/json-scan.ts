import { BodyLimitError } from './body-limits.ts';
import { findSyntaxError, JsonSyntaxError } from './json-syntax.ts';

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
/** For null, which becomes an empty object in lists of objects. */
const letterN = 0x6e;
/** Doubles represent every integer of 15 digits. */
const safeDigits = 15;

/** What a text may contain. */
export interface JsonLimits {
  /** Objects and lists. */
  readonly collections: number;
  readonly depth: number;
}

/** Properties of valid JSON that the plain data parsed from it does not have. */
export interface JsonScan {
  readonly colons: number;
  /** A key contains an escape. */
  readonly escapedKeys: boolean;
  /** There is a number that a double may change, a negative zero or an escaped surrogate. */
  readonly oddValues: boolean;
}

/**
 * One pass over the bytes, which need not be valid JSON. Throws at what exceeds a limit: BodyLimitError and
 * JsonSyntaxError.
 */
export function scanJson(bytes: Uint8Array, limits: JsonLimits): JsonScan {
  const { length } = bytes;
  const { collections: most } = limits;
  let colons = 0;
  let collections = 0;
  let depth = 0;
  let escaped = false;
  let escapedKeys = false;
  let oddValues = false;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number; // within bounds
    if (byte === quote) {
      escaped = false;
      i++;
      for (let inside = bytes[i]; inside !== quote && i < length; inside = bytes[++i]) {
        if (inside !== backslash) continue;
        escaped = true;
        i++;
        if (bytes[i] === 0x75 && ((bytes[i + 1] as number) | 0x20) === 0x64) oddValues = true;
      }
    } else if (byte === 0x3a) {
      colons++;
      if (escaped) escapedKeys = true;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++collections > most) throw new BodyLimitError();
      if (++depth > limits.depth) throw findSyntaxError(bytes) ?? new JsonSyntaxError('exceeded max depth');
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if (byte >= 0x30 && byte <= 0x39) {
      const end = endOfDigits(bytes, i);
      const after = bytes[end];
      if (end - i > safeDigits || after === 0x2e || after === 0x65 || after === 0x45) oddValues = true;
      else if (byte === 0x30 && bytes[i - 1] === minus) oddValues = true;
      i = end - 1;
    } else if (byte === letterN && ++collections > most) throw new BodyLimitError();
  }
  return { colons, escapedKeys, oddValues };
}

function endOfDigits(bytes: Uint8Array, start: number): number {
  let end = start + 1;
  for (let byte = bytes[end]; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = bytes[end]) end++;
  return end;
}
