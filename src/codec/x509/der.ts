/** A malformed encoding (X.690); clients see the message. */
export class DerError extends Error {
  override name = 'DerError';
  readonly code = 'DER';
}

function syntaxError(text: string): DerError {
  return new DerError(`asn1: syntax error: ${text}`);
}

function structureError(text: string): DerError {
  return new DerError(`asn1: structure error: ${text}`);
}

export const tags = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  null: 5,
  oid: 6,
  utf8: 12,
  sequence: 16,
  set: 17,
  printable: 19,
  utcTime: 23,
  generalizedTime: 24,
  bmp: 30,
} as const;

/** Bits of the first byte beside the tag. */
export const forms = { compound: 0x20, contextSpecific: 0x80 } as const;

interface Header {
  readonly tagClass: number;
  readonly tag: number;
  readonly isCompound: boolean;
  readonly length: number;
  /** Where the content starts. */
  readonly start: number;
}

/** One encoded value. */
export interface DerElement extends Header {
  readonly content: Buffer;
  /** The value with its header. */
  readonly whole: Buffer;
}

/** The expected encoding of a value; errors name it by `type`. */
export interface Expected {
  readonly tag: number;
  readonly type: string;
  readonly tagClass?: number;
  readonly isCompound?: boolean;
}

/** Reads consecutive values; throws DerError. */
export class DerReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  /** A value of any kind. */
  any(): DerElement {
    return this.#element(this.#header());
  }

  /** A value whose tag is a single byte: the reference's parser of certificates knows no others. */
  simple(): DerElement {
    const header = this.#header();
    if (header.tag >= 0x1f) throw syntaxError('long tag');
    return this.#element(header);
  }

  expect({ tag, type, tagClass = 0, isCompound = false }: Expected): DerElement {
    const header = this.#header();
    if (header.tag !== tag || header.tagClass !== tagClass || header.isCompound !== isCompound) {
      throw structureError(
        `tags don't match (${tag} vs {class:${header.tagClass} tag:${header.tag} length:${header.length} isCompound:${header.isCompound}}) {optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false} ${type} @${header.start}`,
      );
    }
    return this.#element(header);
  }

  /** Whether the next value has the tag; false at the end. */
  isNext({ tag, tagClass = 0, isCompound = false }: Expected): boolean {
    return this.#bytes[this.#offset] === ((tagClass << 6) | (isCompound ? forms.compound : 0) | tag);
  }

  /** The members of a SEQUENCE. */
  sequence(type: string): { readonly members: DerReader; readonly whole: Buffer } {
    const { content, whole } = this.expect({ tag: tags.sequence, type, isCompound: true });
    return { members: new DerReader(content), whole };
  }

  /** A list of values of one type. */
  list(expected: Expected, member: Expected | undefined): DerElement[] {
    const reader = new DerReader(this.expect({ ...expected, isCompound: true }).content);
    const members: DerElement[] = [];
    while (!reader.atEnd) members.push(reader.#member(member));
    return members;
  }

  #member(expected: Expected | undefined): DerElement {
    const header = readHeader(this.#bytes, this.#offset);
    const { tag, tagClass = 0, isCompound = false } = expected ?? header;
    if (header.tag !== tag || header.tagClass !== tagClass || header.isCompound !== isCompound) {
      throw structureError('sequence tag mismatch');
    }
    if (header.start + header.length > this.#bytes.length) throw syntaxError('truncated sequence');
    return this.#element(header);
  }

  oid(): string {
    return readOid(this.expect({ tag: tags.oid, type: 'ObjectIdentifier' }).content);
  }

  /** An INTEGER of 64 bits. */
  integer(): bigint {
    return readInteger(this.expect({ tag: tags.integer, type: 'int' }).content);
  }

  bitString(): Buffer {
    return readBitString(this.expect({ tag: tags.bitString, type: 'BitString' }).content);
  }

  #header(): Header {
    if (this.atEnd) throw syntaxError('sequence truncated');
    return readHeader(this.#bytes, this.#offset);
  }

  #element(header: Header): DerElement {
    const end = header.start + header.length;
    if (end > this.#bytes.length) throw syntaxError('data truncated');
    const whole = this.#bytes.subarray(this.#offset, end);
    const content = this.#bytes.subarray(header.start, end);
    this.#offset = end;
    return { ...header, content, whole };
  }
}

export function trailingData(): DerError {
  return syntaxError('trailing data');
}

function readHeader(bytes: Buffer, offset: number): Header {
  const first = bytes[offset] ?? 0;
  let position = offset + 1;
  let tag = first & 0x1f;
  if (tag === 0x1f) {
    const long = readBase128(bytes, position);
    if (long.value < 0x1f) throw syntaxError('non-minimal tag');
    tag = long.value;
    position = long.next;
  }
  const { length, start } = readLength(bytes, position);
  return { tagClass: first >> 6, tag, isCompound: (first & forms.compound) !== 0, length, start };
}

function readLength(bytes: Buffer, offset: number): { readonly length: number; readonly start: number } {
  const first = bytes[offset];
  if (first === undefined) throw syntaxError('truncated tag or length');
  let position = offset + 1;
  if (first < 0x80) return { length: first, start: position };
  if (first === 0x80) throw syntaxError('indefinite length found (not DER)');
  let length = 0;
  for (let index = 0; index < (first & 0x7f); index++) {
    const byte = bytes[position];
    if (byte === undefined) throw syntaxError('truncated tag or length');
    position++;
    if (length >= 1 << 23) throw structureError('length too large');
    length = length * 256 + byte;
    if (length === 0) throw structureError('superfluous leading zeros in length');
  }
  if (length < 0x80) throw structureError('non-minimal length');
  return { length, start: position };
}

function readBase128(bytes: Buffer, offset: number): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let position = offset; position < bytes.length; position++) {
    const byte = bytes[position] ?? 0;
    if (position - offset === 5) throw structureError('base 128 integer too large');
    if (position === offset && byte === 0x80) throw syntaxError('integer is not minimally encoded');
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (value > 0x7fffffff) throw structureError('base 128 integer too large');
    return { value, next: position + 1 };
  }
  throw syntaxError('truncated base 128 integer');
}

export function readOid(content: Buffer): string {
  if (content.length === 0) throw syntaxError('zero length OBJECT IDENTIFIER');
  const first = readBase128(content, 0);
  const root = Math.min(Math.floor(first.value / 40), 2);
  const arcs = [root, first.value - root * 40];
  for (let position = first.next; position < content.length;) {
    const arc = readBase128(content, position);
    arcs.push(arc.value);
    position = arc.next;
  }
  return arcs.join('.');
}

/** A signed INTEGER of any size. */
export function readBigInteger(content: Buffer): bigint {
  if (content.length === 0) throw structureError('empty integer');
  const [first = 0, second = 0] = content;
  if (content.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))) {
    throw structureError('integer not minimally-encoded');
  }
  return BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`));
}

function readInteger(content: Buffer): bigint {
  const value = readBigInteger(content);
  if (content.length > 8) throw structureError('integer too large');
  return value;
}

/** The bits, the last one least significant. */
function readBitString(content: Buffer): Buffer {
  if (content.length === 0) throw syntaxError('zero length BIT STRING');
  const padding = content[0] ?? 0;
  const last = content[content.length - 1] ?? 0;
  if (padding > 7 || (content.length === 1 && padding > 0) || (last & ((1 << padding) - 1)) !== 0) {
    throw syntaxError('invalid padding bits in BIT STRING');
  }
  const bytes = content.subarray(1);
  return padding === 0 ? bytes : shiftedRight(bytes, padding);
}

function shiftedRight(bytes: Buffer, by: number): Buffer {
  return Buffer.from(bytes.map((byte, index) => ((byte >> by) | ((bytes[index - 1] ?? 0) << (8 - by))) & 0xff));
}

/** Character sets of string tags. T61String is Latin-1 in practice. */
const textForms: { readonly [tag: number]: readonly [pattern: RegExp, error: string] } = {
  18: [/^[0-9 ]*$/, 'asn1: syntax error: NumericString contains invalid character'],
  19: [/^[A-Za-z0-9'()+,\-./ :=?*&]*$/, 'asn1: syntax error: PrintableString contains invalid character'],
  20: [/^/, ''],
  22: [/^[\0-\x7f]*$/, 'asn1: syntax error: IA5String contains invalid character'],
};

/** The string value of a name attribute; empty for other values. */
export function readText({ tag, tagClass, isCompound, content }: DerElement): string {
  if (tagClass !== 0 || isCompound) return '';
  if (tag === tags.utf8) return readUtf8(content) ?? invalid('asn1: invalid UTF-8 string');
  if (tag === tags.bmp) return readUcs2(content) ?? invalid('invalid BMPString');
  const form = textForms[tag];
  if (form === undefined) return '';
  const text = content.toString('latin1');
  return form[0].test(text) ? text : invalid(form[1]);
}

function invalid(problem: string): never {
  throw new DerError(problem);
}

/** Undefined if the bytes are not UTF-8. */
export function readUtf8(content: Buffer): string | undefined {
  const text = content.toString('utf8');
  return Buffer.from(text).equals(content) ? text : undefined;
}

/** A BMPString, without its terminator; undefined if it contains surrogates or noncharacters. */
export function readUcs2(content: Buffer): string | undefined {
  if (content.length % 2 !== 0) return undefined;
  const text = Buffer.from(content).swap16().toString('utf16le').replace(/\0$/, '');
  return /[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/.test(text) ? undefined : text;
}
