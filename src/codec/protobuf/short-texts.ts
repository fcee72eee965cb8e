const slots = 2048;
const maxBytes = 40;

/**
 * A cache of short ASCII strings: names, enums and keys of objects are few and recur. A lookup is cheaper than
 * creating a string, which objects then share.
 */
export class ShortTexts {
  readonly #texts: string[] = Array.from({ length: slots }, () => '');

  /** The string of `length` bytes; undefined when too long or not ASCII. */
  find(bytes: Buffer, start: number, length: number): string | undefined {
    if (length > maxBytes) return undefined;
    const end = start + length;
    let hash = length;
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number; // within bounds
      if (byte > 127) return undefined;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    const slot = (hash ^ (hash >>> 11)) & (slots - 1);
    const known = this.#texts[slot] as string; // within bounds
    if (isText(known, bytes, start, length)) return known;
    const text = bytes.toString('latin1', start, end);
    this.#texts[slot] = text;
    return text;
  }
}

function isText(text: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let i = 0; i < length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
