const cells = { revision: 0, compacted: 1 };

/** After it the revision is looked at again. */
const longestWaitMs = 10;

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
    Atomics.notify(this.#numbers, cells.revision);
  }

  /** Waits until the revision has been counted that the thread of the store is about to count. */
  await(revision: number): void {
    for (let known = this.revision; known < revision; known = this.revision)
      Atomics.wait(this.#numbers, cells.revision, BigInt(known), longestWaitMs);
  }

  get compacted(): number {
    return Number(Atomics.load(this.#numbers, cells.compacted));
  }

  set compacted(revision: number) {
    Atomics.store(this.#numbers, cells.compacted, BigInt(revision));
  }
}
