import type { Clock } from '../api/time/clock.ts';
import { deadlineIn, timerMsUntil } from '../api/time/deadline.ts';

interface Deadline {
  readonly key: string;
  readonly dueMs: number;
}

/**
 * Reports keys when their time has come, with one timer for the next of them: a binary heap, in which outdated entries
 * stay until they are due.
 */
export class Deadlines implements Disposable {
  readonly #due: (key: string) => void;
  readonly #heap: Deadline[] = [];
  readonly #dueOf = new Map<string, number>();
  readonly #following: Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** By how much the clock has been set forward. */
  #jumpedMs = 0;

  /** Times that a jump of `clock` passes over have come. */
  constructor(due: (key: string) => void, clock?: Clock) {
    this.#due = due;
    this.#following = clock?.onJump?.((ms) => {
      this.#jumpedMs += ms;
      this.#wait();
    });
  }

  /** The earlier of two times of a key counts. */
  set(key: string, delayMs: number): void {
    const dueMs = deadlineIn(delayMs) + this.#jumpedMs;
    if ((this.#dueOf.get(key) ?? Number.POSITIVE_INFINITY) <= dueMs) return;
    this.#dueOf.set(key, dueMs);
    this.#push({ key, dueMs });
    if (this.#heap[0]?.key === key) this.#wait();
  }

  clear(key: string): void {
    this.#dueOf.delete(key);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#following?.[Symbol.dispose]();
    this.#heap.length = 0;
    this.#dueOf.clear();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const next = this.#heap[0];
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.#tell(), timerMsUntil(next.dueMs - this.#jumpedMs));
    this.#timer.unref();
  }

  #tell(): void {
    const now = performance.now() + this.#jumpedMs;
    for (let first = this.#heap[0]; first !== undefined && first.dueMs <= now; first = this.#heap[0]) {
      this.#pop();
      if (this.#dueOf.get(first.key) !== first.dueMs) continue;
      this.#dueOf.delete(first.key);
      this.#due(first.key);
    }
    this.#wait();
  }

  #push(deadline: Deadline): void {
    const heap = this.#heap;
    let at = heap.push(deadline) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.dueMs <= deadline.dueMs) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = deadline;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      const child = (heap[right]?.dueMs ?? Infinity) < (heap[left]?.dueMs ?? Infinity) ? right : left;
      const below = heap[child];
      if (below === undefined || below.dueMs >= last.dueMs) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}
