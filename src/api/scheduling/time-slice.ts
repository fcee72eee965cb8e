/** How long work may keep the event loop before others run. */
const sliceMs = 5;
/** How long work may that begins while other work waits: much may begin in one round of the event loop. */
const sliceAmongOthersMs = 1;

/** Work that waits for its next time slice, in order. */
const waiting: (() => void)[] = [];

/**
 * Work on many objects shares the event loop. It looks after each object whether its time slice is over, and then waits
 * for the next one. However much work there is, one slice runs per round of the event loop.
 *
 *     const timeSlice = new TimeSlice();
 *     for (const item of items) {
 *       if (timeSlice.isOver) await timeSlice.next();
 *       ...
 *     }
 */
export class TimeSlice {
  #endMs: number;

  constructor(startMs = performance.now()) {
    this.#endMs = startMs + (waiting.length === 0 ? sliceMs : sliceAmongOthersMs);
  }

  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  /** Resolves at the beginning of the next time slice of this work. */
  async next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (waiting.push(resolve) === 1) setImmediate(goOn);
    await promise;
    this.#endMs = performance.now() + sliceMs;
  }
}

/** Each lasts until its work waits again or has ended. */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

let ofRound: TimeSlice | undefined;

/** The time slice of short pieces of work, which all that begin in one round of the event loop share. */
export function sliceOfRound(): TimeSlice {
  if (ofRound === undefined) {
    ofRound = new TimeSlice();
    setImmediate(() => (ofRound = undefined));
  }
  return ofRound;
}

/** The results of `work` for each item, one after the other. */
export async function inSlices<T, Result>(items: Iterable<T>, work: (item: T) => Result): Promise<Result[]> {
  const timeSlice = new TimeSlice();
  const results: Result[] = [];
  for (const item of items) {
    // oxlint-disable-next-line no-await-in-loop -- others run meanwhile
    if (timeSlice.isOver) await timeSlice.next();
    results.push(work(item));
  }
  return results;
}
