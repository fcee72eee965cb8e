const quote = 0x22;
const backslash = 0x5c;
/** Pieces of strings that are searched at once. */
const pieceBytes = 4096;

/** Offset of the closing quote of the JSON string that starts at `start`; at least the length when unterminated. */
export function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; ; at = afterPlainPieces(bytes, at)) {
    const end = Math.min(at + pieceBytes, bytes.length);
    while (at < end && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    if (at < end || at >= bytes.length) return at;
  }
}

/** Offset after as many whole pieces as have no quote and no backslash; native code finds them. */
export function afterPlainPieces(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at + pieceBytes <= bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    if (piece.includes(quote) || piece.includes(backslash)) break;
  }
  return at;
}
