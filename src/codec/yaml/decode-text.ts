import { isUtf8 } from 'node:buffer';

/** The decoded characters of a YAML stream, up to the first invalid one. */
export interface YamlText {
  readonly text: string;
  /** The error in what follows; undefined when everything was decoded. */
  readonly problem?: string;
  /**
   * Offset in `text` at which reading fails with `problem`. The reference decodes blocks of 512 bytes at a time, so
   * an invalid character is met as soon as anything in its block is read.
   */
  readonly failsFrom: number;
}

const blockBytes = 512;
// Line breaks, tabs and printable characters; surrogates are paired, as the bytes are UTF-8.
const controlCharacter = /[^\t\n\r\x20-\x7e\u0085\u00a0-\ufffd]/;

/** Decodes UTF-8, or UTF-16 after a byte order mark. */
export function decodeYamlText(bytes: Uint8Array): YamlText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode(bytes, 2, (offset) => utf16(bytes, offset, true));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, 2, (offset) => utf16(bytes, offset, false));
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (isUtf8(bytes)) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8', start);
    if (!controlCharacter.test(text)) return { text, failsFrom: Number.POSITIVE_INFINITY };
  }
  return decode(bytes, start, (offset) => utf8(bytes, offset));
}

/** A character, or the error; `atEnd` when bytes are missing. */
type Decoded =
  | { readonly code: number; readonly width: number; readonly problem?: undefined }
  | { readonly problem: string; readonly atEnd?: boolean };

function decode(bytes: Uint8Array, start: number, characterAt: (offset: number) => Decoded): YamlText {
  const blocks: string[] = [];
  let length = 0;
  let block: string[] = [];
  let offset = start;
  let blockEnd = blockBytes;
  const read = (): string => [...blocks, ...block].join('');
  while (offset < bytes.length) {
    const decoded = characterAt(offset);
    const { problem } = decoded;
    if (offset + (problem === undefined ? decoded.width : 1) > blockEnd) {
      const text = block.join('');
      length += text.length;
      block = [];
      blockEnd = offset + blockBytes;
      blocks.push(text);
    }
    if (problem !== undefined) {
      const text = read();
      return { text, problem, failsFrom: decoded.atEnd === true ? text.length : length };
    }
    const character = String.fromCodePoint(decoded.code);
    if (controlCharacter.test(character) && character.length === 1) {
      return { text: read(), problem: 'control characters are not allowed', failsFrom: length };
    }
    block.push(character);
    offset += decoded.width;
  }
  return { text: read(), failsFrom: Number.POSITIVE_INFINITY };
}

/** Smallest code point of UTF-8 sequences by length. */
const smallestCodes = [0, 0, 0x80, 0x800, 0x10000];

function utf8(bytes: Uint8Array, offset: number): Decoded {
  const lead = bytes[offset] ?? 0;
  const width = lead < 0x80 ? 1 : lead >> 5 === 0b110 ? 2 : lead >> 4 === 0b1110 ? 3 : lead >> 3 === 0b11110 ? 4 : 0;
  if (width === 0) return { problem: 'invalid leading UTF-8 octet' };
  if (offset + width > bytes.length) return { problem: 'incomplete UTF-8 octet sequence', atEnd: true };
  let code = width === 1 ? lead : lead & (0xff >> (width + 1));
  for (let i = 1; i < width; i++) {
    const byte = bytes[offset + i] ?? 0;
    if (byte >> 6 !== 0b10) return { problem: 'invalid trailing UTF-8 octet' };
    code = (code << 6) | (byte & 0x3f);
  }
  if (code < (smallestCodes[width] ?? 0)) return { problem: 'invalid length of a UTF-8 sequence' };
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return { problem: 'invalid Unicode character' };
  return { code, width };
}

function utf16(bytes: Uint8Array, offset: number, littleEndian: boolean): Decoded {
  const unitAt = (at: number): number => {
    const first = bytes[at] ?? 0;
    const second = bytes[at + 1] ?? 0;
    return littleEndian ? first | (second << 8) : second | (first << 8);
  };
  if (offset + 2 > bytes.length) return { problem: 'incomplete UTF-16 character', atEnd: true };
  const high = unitAt(offset);
  if (high >> 10 === 0b110111) return { problem: 'unexpected low surrogate area' };
  if (high >> 10 !== 0b110110) return { code: high, width: 2 };
  if (offset + 4 > bytes.length) return { problem: 'incomplete UTF-16 surrogate pair', atEnd: true };
  const low = unitAt(offset + 2);
  if (low >> 10 !== 0b110111) return { problem: 'expected low surrogate area' };
  return { code: 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff), width: 4 };
}
