import { forms, tags } from './der.ts';

/** The subset of DER (ITU-T X.690) used in certificates. A value is its complete encoding: tag, length, content. */
export type Der = Buffer;

function encode(tag: number, content: Buffer): Der {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

/** Short form below 128, else a count of length bytes and the bytes. */
function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size]);
  const bytes = Buffer.from(size.toString(16).padStart(size > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export function sequence(...items: readonly Der[]): Der {
  return encode(forms.compound | tags.sequence, Buffer.concat(items));
}

/** The items of a set have an order, too (X.690, 11.6). */
export function set(...items: readonly Der[]): Der {
  return encode(forms.compound | tags.set, Buffer.concat(items.toSorted((a, b) => Buffer.compare(a, b))));
}

/** `[number]` around a whole value. */
export function explicit(number: number, item: Der): Der {
  return encode(forms.contextSpecific | forms.compound | number, item);
}

/** `[number]` in place of a primitive value's own tag. */
export function implicit(number: number, content: Buffer): Der {
  return encode(forms.contextSpecific | number, content);
}

/** From the big-endian bytes of a non-negative number. */
export function integer(magnitude: Buffer): Der {
  const first = magnitude.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.from([0]) : magnitude.subarray(first);
  const sign = (digits[0] ?? 0) & 0x80 ? Buffer.from([0]) : Buffer.alloc(0);
  return encode(tags.integer, Buffer.concat([sign, digits]));
}

export function boolean(value: boolean): Der {
  return encode(tags.boolean, Buffer.from([value ? 0xff : 0]));
}

export function octetString(content: Buffer): Der {
  return encode(tags.octetString, content);
}

/** `unusedBits` at the end of the last byte do not count. */
export function bitString(content: Buffer, unusedBits = 0): Der {
  return encode(tags.bitString, Buffer.concat([Buffer.from([unusedBits]), content]));
}

export function utf8String(text: string): Der {
  return encode(tags.utf8, Buffer.from(text, 'utf8'));
}

export function nothing(): Der {
  return encode(tags.null, Buffer.alloc(0));
}

/** A PrintableString, which has letters, digits and a few signs. */
export function printableString(text: string): Der {
  return encode(tags.printable, Buffer.from(text, 'latin1'));
}

/** Base 128, most significant first, all bytes but the last with the high bit; the first two arcs share a byte. */
export function objectIdentifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f));
    return digits;
  });
  return encode(tags.oid, Buffer.from(bytes));
}

/** RFC 5280, 4.1.2.5: two-digit years up to 2049, four-digit years after; whole seconds, UTC. */
export function time(epochMs: number): Der {
  const digits = new Date(epochMs)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '');
  return digits < '2050'
    ? encode(tags.utcTime, Buffer.from(digits.slice(2)))
    : encode(tags.generalizedTime, Buffer.from(digits));
}
