const cells = { revision: 0, compacted: 1 };

/**
 * The latest revision and the latest compaction of a store, in memory that all threads share. The thread of the store
 * writes, when all others have been sent what they need to know of that revision, and before anybody is told of it.
 */
export class RevisionCells {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: BigInt64Array;

  constructor(memory = new SharedArrayBuffer(16)) {
    this.memory = memory;
    this.#numbers = new BigInt64Array(memory);
  }

  get revision(): number {
    return Number(Atomics.load(this.#numbers, cells.revision));
  }

  set revision(revision: number) {
    Atomics.store(this.#numbers, cells.revision, BigInt(revision));
  }

  get compacted(): number {
    return Number(Atomics.load(this.#numbers, cells.compacted));
  }

  set compacted(revision: number) {
    Atomics.store(this.#numbers, cells.compacted, BigInt(revision));
  }
}
