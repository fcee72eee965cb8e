import { createHash } from 'node:crypto';
import type { Work } from './turns.ts';

/** Copied or hashed in well under a millisecond; memory is slow when it is first written to. */
const pieceBytes = 256 * 1024;

/** The concatenation of `parts`, made with pauses. */
export function* joinedBytes(parts: readonly Uint8Array[]): Work<Buffer> {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of piecesOf(parts)) {
    yield;
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The SHA-512 of `bytes` in capital hexadecimal digits, made with pauses. */
export function* sha512Of(bytes: Uint8Array): Work<string> {
  const hash = createHash('sha512');
  for (const piece of piecesOf([bytes])) {
    yield;
    hash.update(piece);
  }
  return hash.digest('hex').toUpperCase();
}

function* piecesOf(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const part of parts) {
    for (let start = 0; start < part.length; start += pieceBytes) yield part.subarray(start, start + pieceBytes);
  }
}
