import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import type { KeyValue } from '../contract.ts';
import type { Sharing } from '../sharing.ts';

/** Memory without live values that is not worth the time to gather them. */
const toleratedBytes = 32 << 20;
/** Values told as moved together. */
const movedTogether = 500;

/**
 * The values of an engine that other threads use as well. They are parts of blocks, and a block is freed when it has no
 * value that anybody keeps; so a few values that nobody replaces could keep many blocks:
 *
 *     block  1 [pod lease lease ...]  2 [lease lease pod ...]  3 [lease ...]
 *     live      pod                             pod               lease
 *
 * When most of the memory is like that, the values of sparse blocks are copied into new ones.
 */
export class SharedValues {
  readonly sharing: Sharing;
  readonly #values: HeldValues;
  #liveBytes = 0;
  #gatheredAtBytes = 0;
  #isMoving = false;

  constructor(sharing: Sharing, values: HeldValues) {
    this.sharing = sharing;
    this.#values = values;
  }

  /** Everything up to `revision` is visible, and watches have been told. */
  applied(revision: number): void {
    this.sharing.applied(revision);
    const { heldBytes, begunBytes } = this.sharing;
    // What has been left is only freed when V8 collects.
    if (this.#isMoving || begunBytes - this.#gatheredAtBytes < toleratedBytes) return;
    if (heldBytes > 2 * this.#liveBytes + toleratedBytes) void this.gather();
  }

  /** Moves all values into shared memory; others run in between. */
  async moveIn(): Promise<void> {
    await this.#move(
      () => true,
      (value) => this.sharing.share(value),
    );
  }

  /** Moves the values of sparse blocks into others; other work runs in between. */
  async gather(): Promise<void> {
    this.#isMoving = true;
    const liveBytes = await this.#bytesByBlock();
    this.#liveBytes = [...liveBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const isSparse = ({ buffer }: Uint8Array): boolean => (liveBytes.get(buffer) ?? 0) * 2 < buffer.byteLength;
    await this.#move(isSparse, (value) => this.sharing.copy(value));
    this.#gatheredAtBytes = this.sharing.begunBytes;
    this.#isMoving = false;
  }

  async #bytesByBlock(): Promise<Map<ArrayBufferLike, number>> {
    const timeSlice = new TimeSlice();
    const sizes = new Map<ArrayBufferLike, number>();
    for (const { value } of this.#values.all()) {
      sizes.set(value.buffer, (sizes.get(value.buffer) ?? 0) + value.length);
      if (timeSlice.isOver) await timeSlice.next();
    }
    return sizes;
  }

  /** The objects stay, and with them all who refer to those: index, pending writes, history. */
  async #move(isWanted: (value: Uint8Array) => boolean, move: (value: Uint8Array) => Uint8Array): Promise<void> {
    const timeSlice = new TimeSlice();
    let moved: KeyValue[] = [];
    const tell = (): void => {
      if (moved.length > 0) this.#values.onMoved(moved);
      moved = [];
    };
    for (const kv of this.#values.all()) {
      if (isWanted(kv.value)) {
        const held: { value: Uint8Array } = kv;
        held.value = move(kv.value);
        moved.push(kv);
      }
      if (moved.length < movedTogether && !timeSlice.isOver) continue;
      tell();
      if (timeSlice.isOver) await timeSlice.next();
    }
    tell();
  }
}

export interface HeldValues {
  /** The values of all current keys; unaffected by later changes. */
  all(): Iterable<KeyValue>;
  /** Their values are elsewhere now. */
  onMoved(kvs: readonly KeyValue[]): void;
}
