import type { Work } from '../api/turns.ts';
import { afterPlainPieces } from './string-end.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const minus = 0x2d;
/** Doubles represent every integer of 15 digits. */
const safeDigits = 15;
/** Bytes scanned between two pauses. */
const scannedPerPause = 256 * 1024;

/** Properties of valid JSON that the plain data parsed from it does not have. */
export interface JsonScan {
  readonly colons: number;
  /** Levels of nested objects and arrays. */
  readonly deepest: number;
  /** A key contains an escape. */
  readonly escapedKeys: boolean;
  /** There is a number that a double may change, a negative zero or an escaped surrogate. */
  readonly oddValues: boolean;
}

/** One pass over the bytes, with pauses in large texts; `longTexts`: where long strings begin, if known. */
export function* readScan(bytes: Uint8Array, longTexts: readonly number[] = []): Work<JsonScan> {
  const state: ScanState = { at: 0, colons: 0, depth: 0, deepest: 0, escapedKeys: false, oddValues: false };
  for (;;) {
    scan(bytes, state, longTexts);
    if (state.at >= bytes.length) return state;
    yield;
  }
}

interface ScanState extends JsonScan {
  /** The beginning, a comma, or the end. */
  at: number;
  colons: number;
  depth: number;
  deepest: number;
  escapedKeys: boolean;
  oddValues: boolean;
}

/** Reads the next part. */
function scan(bytes: Uint8Array, state: ScanState, longTexts: readonly number[]): void {
  let { at: i, colons, depth, deepest, escapedKeys, oddValues } = state;
  let escaped = false;
  const { length } = bytes;
  // A closure that used `i` would keep it in memory, and the loop out of registers.
  const from = i;
  const long = longTexts.find((start) => start >= from);
  const pauseAt = i + scannedPerPause;
  for (; i < length; i++) {
    const byte = bytes[i] as number; // within bounds
    if (byte === quote) {
      escaped = false;
      i = i === long ? afterPlainPieces(bytes, i + 1) : i + 1;
      for (let inside = bytes[i] as number; inside !== quote; inside = bytes[++i] as number) {
        if (inside !== backslash) continue;
        escaped = true;
        i++;
        if (bytes[i] === 0x75 && ((bytes[i + 1] as number) | 0x20) === 0x64) oddValues = true;
      }
    } else if (byte === 0x3a) {
      colons++;
      if (escaped) escapedKeys = true;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if (byte >= 0x30 && byte <= 0x39) {
      const end = endOfDigits(bytes, i);
      const after = bytes[end];
      if (end - i > safeDigits || after === 0x2e || after === 0x65 || after === 0x45) oddValues = true;
      else if (byte === 0x30 && bytes[i - 1] === minus) oddValues = true;
      i = end - 1;
    } else if (byte === comma && i >= pauseAt) break;
  }
  state.at = i;
  state.colons = colons;
  state.depth = depth;
  state.deepest = deepest;
  state.escapedKeys = escapedKeys;
  state.oddValues = oddValues;
}

function endOfDigits(bytes: Uint8Array, start: number): number {
  let end = start + 1;
  for (let byte = bytes[end]; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = bytes[end]) end++;
  return end;
}
