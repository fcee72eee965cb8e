import type { Work } from './turns.ts';

/** Visits at a stretch: a millisecond or two. */
const atOnce = 1_000;
/** Visits between two pauses. */
const betweenPauses = 32;

/**
 * A walk through a value that pauses where the value is large, and costs no more than plain loops where it is small.
 * Collections are visited at once while that is not much in all; others are put off. Their visitors write their results
 * into what the walk has begun already.
 *
 *     const visits = new Visits();
 *     const result = walk(value, visits); // calls visits.all(items, visit), and so do visitors
 *     yield* visits.rest();               // now the result is complete
 */
export class Visits {
  #count = 0;
  #putOff: Work<void>[] | undefined;

  /**
   * Visits all items, or those up to the one whose visitor returns false; `then` comes after them, and is told whether
   * they were put off. The answer is whether they have been visited when this returns.
   */
  all<T>(
    items: readonly T[],
    visit: (item: T, index: number) => boolean | undefined | void,
    then?: (late: boolean) => void,
  ): boolean {
    if (this.isMuch(items.length)) {
      this.later(items, visit, then);
      return false;
    }
    // Lists are nearly always short.
    for (let index = 0; index < items.length; index++) if (visit(items[index] as T, index) === false) break;
    then?.(false);
    return true;
  }

  /** Whether so many items are more than can be visited at once; they are counted as visited otherwise. */
  isMuch(count: number): boolean {
    if (count > 0 && this.#count + count > atOnce) return true;
    this.#count += count;
    return false;
  }

  /** Puts items off. With `isMuch` it does what `all` does, for loops too hot for a call of a function per item. */
  later<T>(
    items: readonly T[],
    visit: (item: T, index: number) => boolean | undefined | void,
    then?: (late: boolean) => void,
  ): void {
    (this.#putOff ??= []).push(this.#visitLater(items, visit, then));
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

  /** Does what was put off, and what that puts off. */
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
