import type { HeaderField } from './hpack-decoder.ts';
import { entryOverheadBytes, staticFields, usualTableBytes } from './hpack-tables.ts';

/** Fields that are the same in many requests. Others are not put into the table. */
const repeated: ReadonlySet<string> = new Set([
  ':authority',
  ':path',
  'te',
  'content-type',
  'grpc-timeout',
  'hasleader',
]);

const staticIndices: ReadonlyMap<string, number> = new Map(
  staticFields.map(([name, value], index) => [`${name}\0${value}`, index + 1]),
);

/**
 * Encodes the header blocks of one connection (RFC 7541). Fields are put into the table of the peer while there is
 * room; none is ever evicted, so that the index of a field follows from the number of fields put there after it.
 */
export class HpackEncoder {
  /** The number of fields in the table when a field was put there, itself included. */
  readonly #positions = new Map<string, number>();
  #sizeBytes = 0;
  #limitBytes = usualTableBytes;
  #hasNewLimit = false;

  /** The peer has said how large its table may be. */
  limit(bytes: number): void {
    const limit = Math.min(bytes, usualTableBytes);
    if (limit === this.#limitBytes) return;
    this.#limitBytes = limit;
    this.#hasNewLimit = true;
  }

  encode(fields: readonly HeaderField[]): Buffer {
    const bytes: number[] = [];
    if (this.#hasNewLimit) this.#announce(bytes);
    for (const [name, value] of fields) this.#field(bytes, name, value);
    return Buffer.from(bytes);
  }

  /** A table of no bytes first: it empties that of the peer. */
  #announce(bytes: number[]): void {
    this.#hasNewLimit = false;
    this.#positions.clear();
    this.#sizeBytes = 0;
    putInteger(bytes, 0, { mark: 0x20, prefixBits: 5 });
    putInteger(bytes, this.#limitBytes, { mark: 0x20, prefixBits: 5 });
  }

  #field(bytes: number[], name: string, value: string): void {
    const field = `${name}\0${value}`;
    const known = staticIndices.get(field) ?? this.#indexOf(field);
    if (known !== undefined) {
      putInteger(bytes, known, { mark: 0x80, prefixBits: 7 });
      return;
    }
    const sizeBytes = name.length + value.length + entryOverheadBytes;
    const isKept = repeated.has(name) && this.#sizeBytes + sizeBytes <= this.#limitBytes;
    if (isKept) {
      this.#sizeBytes += sizeBytes;
      this.#positions.set(field, this.#positions.size + 1);
    }
    bytes.push(isKept ? 0x40 : 0);
    putText(bytes, name);
    putText(bytes, value);
  }

  #indexOf(field: string): number | undefined {
    const position = this.#positions.get(field);
    return position === undefined ? undefined : staticFields.length + 1 + this.#positions.size - position;
  }
}

function putInteger(
  bytes: number[],
  value: number,
  { mark, prefixBits }: { readonly mark: number; readonly prefixBits: number },
): void {
  const most = 2 ** prefixBits - 1;
  if (value < most) {
    bytes.push(mark | value);
    return;
  }
  bytes.push(mark | most);
  let rest = value - most;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}

function putText(bytes: number[], text: string): void {
  const encoded = Buffer.from(text, 'latin1');
  putInteger(bytes, encoded.length, { mark: 0, prefixBits: 7 });
  for (const byte of encoded) bytes.push(byte);
}
