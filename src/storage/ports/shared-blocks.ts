import { countHere } from '../../api/metrics/counted-memory.ts';

/** Shared memory, as one thread names it to others. */
export interface NumberedBlock {
  readonly block: number;
  readonly memory: SharedArrayBuffer;
}

/** Where a value is. */
export interface BlockSlice {
  readonly block: number;
  readonly offset: number;
  readonly length: number;
}

/** The memory of blocks, by their numbers. */
export type BlockMemory = ReadonlyMap<number, SharedArrayBuffer>;

export const blockBytes = 1 << 20;
/** Larger values get a block of their own: what is left of a block is lost when the next one is begun. */
const sharedBelowBytes = blockBytes / 4;
/** How many blocks a thread may begin. */
const blocksPerOwner = 2 ** 28;

/**
 * Values in shared memory, each in a part of a block. A thread fills its blocks one after the other and gives them
 * numbers that no other thread uses. Nothing is ever overwritten: V8 frees a block when no thread refers to it.
 */
export class SharedBlocks {
  readonly #owner: number;
  readonly #onBegun: (block: NumberedBlock) => void;
  readonly #numbers = new WeakMap<ArrayBufferLike, number>();
  #begun = 0;
  #current: NumberedBlock | undefined;
  #used = 0;

  /** `onBegun` is told of the blocks that this thread begins. */
  constructor(owner: number, onBegun: (block: NumberedBlock) => void = () => undefined) {
    this.#owner = owner;
    this.#onBegun = onBegun;
  }

  /** Another thread's block. */
  learn({ block, memory }: NumberedBlock): void {
    this.#numbers.set(memory, block);
    countHere(memory);
  }

  /** The number of the block that the value is in; undefined: it is not in shared memory. */
  numberOf(value: Uint8Array): number | undefined {
    return this.#numbers.get(value.buffer);
  }

  /** The value itself if it is in a block already, else a copy that is. */
  share(value: Uint8Array): Uint8Array {
    return this.numberOf(value) === undefined ? this.copy(value) : value;
  }

  /** The number of the block that is being filled. */
  get current(): number | undefined {
    return this.#current?.block;
  }

  /** A copy in a block of this thread. */
  copy(value: Uint8Array): Uint8Array {
    const { length } = value;
    const copy = length > sharedBelowBytes ? Buffer.from(this.#begin(length).memory) : this.#room(length);
    copy.set(value);
    return copy;
  }

  /** Copies in one block that holds nothing else. */
  copyTogether(values: readonly Uint8Array[]): Uint8Array[] {
    const sizeBytes = values.reduce((sum, { length }) => sum + length, 0);
    if (sizeBytes === 0) return [...values];
    const { memory } = this.#begin(sizeBytes);
    let used = 0;
    return values.map((value) => {
      const copy = Buffer.from(memory, used, value.length);
      copy.set(value);
      used += value.length;
      return copy;
    });
  }

  #room(length: number): Buffer {
    if (this.#current === undefined || this.#used + length > blockBytes) {
      this.#current = this.#begin(blockBytes);
      this.#used = 0;
    }
    const room = Buffer.from(this.#current.memory, this.#used, length);
    this.#used += length;
    return room;
  }

  #begin(sizeBytes: number): NumberedBlock {
    const memory = new SharedArrayBuffer(sizeBytes);
    const begun = { block: this.#owner * blocksPerOwner + this.#begun++, memory };
    this.#numbers.set(memory, begun.block);
    countHere(memory);
    this.#onBegun(begun);
    return begun;
  }
}

export function ownerOf(block: number): number {
  return Math.floor(block / blocksPerOwner);
}

/** The value at a place: a view, nothing is copied. */
export function valueAt(memory: BlockMemory, { block, offset, length }: BlockSlice): Uint8Array {
  if (length === 0) return Buffer.alloc(0);
  const found = memory.get(block);
  if (found === undefined) throw new Error(`block ${block} of shared memory is not known here`);
  return Buffer.from(found, offset, length);
}
