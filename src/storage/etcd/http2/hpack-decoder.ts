import { entryOverheadBytes, staticFields, usualTableBytes } from './hpack-tables.ts';
import { Http2Error } from './http2-error.ts';
import { huffmanDecoded } from './huffman.ts';

export type HeaderField = readonly [name: string, value: string];

/** Decodes the header blocks of one connection (RFC 7541), which refer to fields of earlier ones. */
export class HpackDecoder {
  /** Latest first. */
  readonly #fields: HeaderField[] = [];
  #sizeBytes = 0;
  #limitBytes = usualTableBytes;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;

  /** Throws an Http2Error. */
  decode(block: Buffer): readonly HeaderField[] {
    this.#block = block;
    this.#at = 0;
    const fields: HeaderField[] = [];
    while (this.#at < block.length) {
      const field = this.#next(block[this.#at] ?? 0);
      if (field !== undefined) fields.push(field);
    }
    return fields;
  }

  /** Undefined: no field, but a new size of the table. */
  #next(first: number): HeaderField | undefined {
    if (first >= 0x80) return this.#indexed(this.#integer(7));
    if (first >= 0x40) {
      const field = this.#literal(6);
      this.#add(field);
      return field;
    }
    if (first < 0x20) return this.#literal(4);
    const limit = this.#integer(5);
    if (limit > usualTableBytes) throw new Http2Error('compression', `a table of ${limit} bytes is over the limit`);
    this.#limitBytes = limit;
    this.#evict();
    return undefined;
  }

  #indexed(index: number): HeaderField {
    const field = staticFields[index - 1] ?? this.#fields[index - 1 - staticFields.length];
    if (field === undefined) throw new Http2Error('compression', `there is no field ${index}`);
    return field;
  }

  #literal(prefixBits: number): HeaderField {
    const index = this.#integer(prefixBits);
    const name = index === 0 ? this.#text() : this.#indexed(index)[0];
    return [name, this.#text()];
  }

  #integer(prefixBits: number): number {
    const most = 2 ** prefixBits - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    for (let scale = 1; scale <= 2 ** 21; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new Http2Error('compression', 'an integer is too large');
  }

  #text(): string {
    const isHuffman = (this.#block[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(7);
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.#block.length) throw new Http2Error('compression', 'a header block is cut off');
    if (isHuffman) return huffmanDecoded(this.#block.subarray(start, this.#at));
    return this.#block.toString('latin1', start, this.#at);
  }

  #byte(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw new Http2Error('compression', 'a header block is cut off');
    this.#at += 1;
    return byte;
  }

  #add(field: HeaderField): void {
    this.#fields.unshift(field);
    this.#sizeBytes += sizeOf(field);
    this.#evict();
  }

  #evict(): void {
    while (this.#sizeBytes > this.#limitBytes) {
      const oldest = this.#fields.pop();
      if (oldest === undefined) return;
      this.#sizeBytes -= sizeOf(oldest);
    }
  }
}

function sizeOf([name, value]: HeaderField): number {
  return name.length + value.length + entryOverheadBytes;
}
