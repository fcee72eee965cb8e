const quote = 0x22;
const backslash = 0x5c;
/** Longer strings are searched by the engine. */
const shortBytes = 24;

/** Offset after the JSON string that starts at `start`; at least the length when it is unterminated. */
export function skipString(bytes: Uint8Array, start: number): number {
  const near = Math.min(start + 1 + shortBytes, bytes.length);
  let at = start + 1;
  while (at < near) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    at += byte === backslash ? 2 : 1;
  }
  return at < bytes.length ? skipLong(bytes, at) : at + 1;
}

/** The end of a string from a place within it, after whole characters and escapes. */
function skipLong(bytes: Uint8Array, start: number): number {
  for (let at = start; ;) {
    const end = bytes.indexOf(quote, at);
    if (end === -1) return bytes.length + 1;
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
    at = end + 1;
  }
}
