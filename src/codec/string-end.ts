const quote = 0x22;
const backslash = 0x5c;

/** Offset after the JSON string that starts at `start`; at least the length when it is unterminated. */
export function skipString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at + 1;
}
