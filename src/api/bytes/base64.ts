/** Thrown for invalid base64; clients see the message. */
export class Base64Error extends Error {
  override readonly name = 'Base64Error';
  readonly code = 'BASE64';
}

/** A multiple of four characters. */
const canonical = /^[A-Za-z0-9+/]*(?:[AQgw]==|[AEIMQUYcgkosw048]=)?$/;
const maxMatched = 4096;
/** A multiple of four characters. */
const partLength = 64 * 1024;
const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const standardAlphabet: ReadonlySet<number> = new Set(Buffer.from(`${alphanumeric}+/`));
const urlAlphabet: ReadonlySet<number> = new Set(Buffer.from(`${alphanumeric}-_`));
const padding = 0x3d;

/** The canonical encoding of what `text` encodes: no line breaks, no trailing bits. Throws Base64Error. */
export function canonicalBase64(text: string): string {
  if (isCanonical(text)) return text;
  return decode(text, standardAlphabet).toString('base64');
}

/**
 * Whether a text is what encoding yields. For long texts, decoding and encoding natively is ten times as fast as a
 * pattern.
 */
function isCanonical(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  if (text.length <= maxMatched) return canonical.test(text);
  // Memory for the whole is slow when it is first written to.
  for (let start = 0; start < text.length; start += partLength) {
    const part = text.slice(start, start + partLength);
    if (Buffer.from(part, 'base64').toString('base64') !== part) return false;
  }
  // Only the end may be padded.
  const padded = text.indexOf('=');
  return padded === -1 || padded >= text.length - 2;
}

/** The bytes that `text` encodes with `-` and `_`. Throws Base64Error. */
export function decodeUrlBase64(text: string): Uint8Array {
  return new Uint8Array(decode(text, urlAlphabet));
}

/** The bytes of URL-safe base64 without padding; bits beyond the last byte are ignored. Throws Base64Error. */
export function decodeRawUrlBase64(text: string): Buffer {
  const joined = text.replace(/[\r\n]/g, '');
  if (/^[\w-]*$/.test(joined) && joined.length % 4 !== 1) return Buffer.from(joined, 'base64url');
  const position = firstIllegalByte(text.replaceAll('=', '!'), urlAlphabet) ?? text.length;
  throw new Base64Error(`illegal base64 data at input byte ${position}`);
}

function decode(text: string, alphabet: ReadonlySet<number>): Buffer {
  const position = firstIllegalByte(text, alphabet);
  if (position !== undefined) throw new Base64Error(`illegal base64 data at input byte ${position}`);
  return Buffer.from(text.replace(/[\r\n]/g, ''), 'base64');
}

/** Offset that Go's decoder reports: it reads groups of four and names the byte that broke the group. */
function firstIllegalByte(text: string, alphabet: ReadonlySet<number>): number | undefined {
  const bytes = Buffer.from(text, 'utf8');
  let index = 0;
  const skipLineBreaks = (): void => {
    while (bytes[index] === 0x0a || bytes[index] === 0x0d) index++;
  };
  while (index < bytes.length) {
    for (let filled = 0; filled < 4; filled++) {
      skipLineBreaks();
      if (index === bytes.length) return filled === 0 ? undefined : index - filled;
      const byte = bytes[index++] ?? 0;
      if (alphabet.has(byte)) continue;
      if (byte !== padding || filled < 2) return index - 1;
      skipLineBreaks();
      if (filled === 2) {
        if (index === bytes.length) return bytes.length;
        if (bytes[index] !== padding) return index - 1;
        index++;
        skipLineBreaks();
      }
      return index < bytes.length ? index : undefined;
    }
  }
  return undefined;
}
