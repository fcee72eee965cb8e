import { Base64Error, canonicalBase64 } from '../api/bytes/base64.ts';
import { DurationError, formatDuration, parseDuration } from '../api/time/duration.ts';
import { canonicalQuantity, QuantityError } from '../api/values/quantity.ts';
import { canonicalMicroTimeText, canonicalTimeText, TimeError } from '../api/time/time.ts';
import type { Schema } from './schema.ts';
import { blanks, withoutEdges } from '../api/text/text-edges.ts';

/** Canonical texts of string types with their own wire form, as the reference writes them. */
export const canonicalText: { readonly [format: string]: (text: string) => string } = {
  'date-time': canonicalTimeText,
  'micro-time': canonicalMicroTimeText,
  duration: (text) => formatDuration(parseDuration(text)),
  quantity: (text) => canonicalQuantity(trimSpace(text)),
  byte: canonicalBase64,
};

/** Whether an error comes from `canonicalText`. */
export function isTextError(error: unknown): error is Error {
  return (
    error instanceof TimeError ||
    error instanceof DurationError ||
    error instanceof QuantityError ||
    error instanceof Base64Error
  );
}

/**
 * Trims blanks but not ASCII control characters: they are escaped in JSON, and the reference trims before unescaping.
 */
function trimSpace(text: string): string {
  return withoutEdges(text, `${blanks}\u0085`);
}

/** Canonical texts that mean absence if the field is not a pointer. */
const zeroTexts: { readonly [format: string]: string } = {
  'date-time': '0001-01-01T00:00:00Z',
  'micro-time': '0001-01-01T00:00:00.000000Z',
  duration: '0s',
  quantity: '0',
  byte: '',
};

/** The canonical text of a string type's zero value. */
export function canonicalZero({ format }: Schema): string {
  return zeroTexts[format ?? ''] ?? '';
}

interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

function signed(bits: bigint): Range {
  return { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n };
}

function unsigned(bits: bigint): Range {
  return { min: 0n, max: 2n ** bits - 1n };
}

const ranges: { readonly [format: string]: Range } = {
  int32: signed(32n),
  int64: signed(64n),
  uint8: unsigned(8n),
  uint16: unsigned(16n),
  uint32: unsigned(32n),
  uint64: unsigned(64n),
};

/** Smallest and largest value of an integer node. */
export function integerRange({ format }: Schema): Range {
  return ranges[format ?? ''] ?? signed(64n);
}
