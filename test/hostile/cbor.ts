/** Hand-written CBOR (RFC 8949), including what no encoder would write. */

const text = 3;
const array = 4;
const map = 5;
const tag = 6;

function head(major: number, argument: number): Buffer {
  const first = major << 5;
  if (argument < 24) return Buffer.from([first | argument]);
  const bytes = Buffer.alloc(5);
  bytes[0] = first | 26;
  bytes.writeUInt32BE(argument, 1);
  return bytes;
}

export const indefiniteArray = Buffer.from([0x9f]);
export const indefiniteMap = Buffer.from([0xbf]);
export const indefiniteText = Buffer.from([0x7f]);
export const indefiniteEnd = Buffer.from([0xff]);

export function cborText(value: string): Buffer {
  return Buffer.concat([head(text, Buffer.byteLength(value)), Buffer.from(value)]);
}

/** The head of an array that claims this many items. */
export const arrayOf = (length: number): Buffer => head(array, length);
export const mapOf = (length: number): Buffer => head(map, length);
export const textHeader = (length: number): Buffer => head(text, length);
export const tagOf = (number: number): Buffer => head(tag, number);

/** Encodes plain data; bytes are taken as an encoded item. */
export function cbor(value: unknown): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (typeof value === 'string') return cborText(value);
  if (typeof value === 'number') return head(value < 0 ? 1 : 0, value < 0 ? -1 - value : value);
  if (Array.isArray(value)) return Buffer.concat([head(array, value.length), ...value.map(cbor)]);
  if (typeof value !== 'object' || value === null)
    return Buffer.from([value === null ? 0xf6 : value === true ? 0xf5 : 0xf4]);
  const members = Object.entries(value).flatMap(([key, member]) => [cborText(key), cbor(member)]);
  return Buffer.concat([head(map, members.length / 2), ...members]);
}

/** The self-described CBOR tag. */
export const selfDescribed = Buffer.from([0xd9, 0xd9, 0xf7]);
