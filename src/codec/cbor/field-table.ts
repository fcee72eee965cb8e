import type { Field, Schema } from '../../schema/schema.ts';

/** One field of the table. */
export interface TableField<T> {
  readonly name: string;
  readonly schema: Schema;
  readonly pointer: boolean;
  /** Derived from the schema at first use. */
  node: T | undefined;
  /** The name's bytes. */
  readonly key: Uint8Array;
  /** Next field in the same slot; -1 for none. */
  readonly next: number;
}

/** A hash table of fields by the bytes of their names: no string is made of a key in a body. */
export class FieldTable<T> {
  readonly fields: readonly TableField<T>[];
  readonly #slots: Int16Array;
  readonly #mask: number;

  constructor(fields: readonly Field[]) {
    let size = 8;
    while (size < fields.length * 2) size *= 2;
    this.#mask = size - 1;
    this.#slots = new Int16Array(size).fill(-1);
    this.fields = fields.map(({ name, schema, pointer }, index) => {
      const key = new Uint8Array(Buffer.from(name));
      const slot = slotOf(key, 0, key.length) & this.#mask;
      const next = this.#slots[slot] ?? -1;
      this.#slots[slot] = index;
      return { name, schema, pointer, node: undefined, key, next };
    });
  }

  /** Index of the field named by `length` bytes at `start`; -1 for none. */
  find(bytes: Uint8Array, start: number, length: number): number {
    if (length === 0) return -1;
    let index = this.#slots[slotOf(bytes, start, length) & this.#mask] as number; // within the mask
    while (index !== -1) {
      const { key, next } = this.fields[index] as TableField<T>; // slots contain indexes of fields
      if (key.length === length && isAt(key, bytes, start)) return index;
      index = next;
    }
    return -1;
  }
}

function slotOf(bytes: Uint8Array, start: number, length: number): number {
  // Within bounds: checked by the caller.
  const first = bytes[start] as number;
  const middle = bytes[start + (length >> 1)] as number;
  return length * 7 + first * 31 + middle * 13 + (bytes[start + length - 1] as number) * 17;
}

function isAt(key: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < key.length; i++) if (key[i] !== bytes[start + i]) return false;
  return true;
}
