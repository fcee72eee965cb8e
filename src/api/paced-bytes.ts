import { createHash } from 'node:crypto';
/** Copied or hashed in well under a millisecond; memory is slow when it is first written to. */
const pieceBytes = 256 * 1024;

/** The concatenation of `parts`, made with pauses. */
export function joinedBytes(parts: readonly Uint8Array[]): Buffer {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of piecesOf(parts)) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The SHA-512 of `bytes` in capital hexadecimal digits, made with pauses. */
export function sha512Of(bytes: Uint8Array): string {
  const hash = createHash('sha512');
  for (const piece of piecesOf([bytes])) {
    hash.update(piece);
  }
  return hash.digest('hex').toUpperCase();
}

function* piecesOf(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const part of parts) {
    for (let start = 0; start < part.length; start += pieceBytes) yield part.subarray(start, start + pieceBytes);
  }
}
