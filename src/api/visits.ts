import type { Work } from './turns.ts';

/** Visits per turn: a millisecond or two. */
const atOnce = 1_000;
/** Visits between two pauses. */
const betweenPauses = 32;
/** Collections in collections that are visited at once: each takes several frames of the stack. */
const mostNested = 200;

/**
 * A traversal that pauses in large values and costs no more than plain loops in small ones.
 * Collections are visited at once while the total is small; larger and deeply nested ones are deferred. Visitors write
 * their results into structures that the traversal has already created.
 *
 *     const visits = new Visits();
 *     const result = walk(value, visits); // calls visits.all(items, visit), and so do visitors
 *     yield* visits.rest();               // now the result is complete
 */
export class Visits {
  #count = 0;
  #nested = 0;
  #putOff: Work<void>[] | undefined;

  /**
   * Visits all items, or those up to the one whose visitor returns false; then calls `then` with whether they were
   * deferred. Returns whether the visits are complete.
   */
  all<T>(
    items: readonly T[],
    visit: (item: T, index: number) => boolean | undefined | void,
    then?: (late: boolean) => void,
  ): boolean {
    if (this.#nested >= mostNested || this.isMuch(items.length)) {
      this.later(items, visit, then);
      return false;
    }
    this.#nested += 1;
    // Lists are nearly always short.
    for (let index = 0; index < items.length; index++) if (visit(items[index] as T, index) === false) break;
    then?.(false);
    this.#nested -= 1;
    return true;
  }

  /** Whether there are too many items to visit at once; if not, they count as visited. */
  isMuch(count: number): boolean {
    if (count > 0 && this.#count + count > atOnce) return true;
    this.#count += count;
    return false;
  }

  /** Defers items. Together with `isMuch` an inlined `all`, for loops too hot for a call per item. */
  later<T>(
    items: readonly T[],
    visit: (item: T, index: number) => boolean | undefined | void,
    then?: (late: boolean) => void,
  ): void {
    this.putOff(this.#visitLater(items, visit, then));
  }

  /** Defers work that has pauses of its own. */
  putOff(work: Work<void>): void {
    (this.#putOff ??= []).push(work);
  }

  *#visitLater<T>(
    items: readonly T[],
    visit: (item: T, index: number) => boolean | undefined | void,
    then: ((late: boolean) => void) | undefined,
  ): Work<void> {
    for (let index = 0; index < items.length; index++) {
      if (visit(items[index] as T, index) === false) break;
      this.#count += 1;
      if (this.#count < betweenPauses) continue;
      yield;
      this.#count = 0;
    }
    then?.(true);
  }

  /** Whether nothing is deferred. */
  get isComplete(): boolean {
    return this.#putOff === undefined;
  }

  /** Runs deferred visits, and those that they defer. */
  *rest(): Work<void> {
    while (this.#putOff !== undefined) {
      const work = this.#putOff.pop();
      if (work === undefined) return;
      yield;
      this.#count = 0;
      yield* work;
    }
  }
}
