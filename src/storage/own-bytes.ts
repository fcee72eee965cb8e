/**
 * The bytes in memory that belongs to them alone, as those are that are kept: a small view would keep its large
 * underlying buffer alive (Node's buffer pool, a request body).
 */
export function ownBytes(value: Uint8Array): Uint8Array {
  return value.byteLength * 2 >= value.buffer.byteLength ? value : joinedBytes([value]);
}

/** Pieces, one after the other, in memory that belongs to them alone. */
export function joinedBytes(pieces: readonly Uint8Array[]): Buffer {
  let sizeBytes = 0;
  for (const piece of pieces) sizeBytes += piece.length;
  const joined = Buffer.allocUnsafeSlow(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
