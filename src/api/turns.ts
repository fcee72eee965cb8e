/** How long a piece of long work keeps the event loop to itself. */
const turnMs = 5;

/** Works whose turn is over, in the order in which they go on. */
const waiting: (() => void)[] = [];

/**
 * Long work that shares the event loop. It asks after each small piece whether its turn is over, and then waits for the next one. All long works take
 * turns with each other and with everybody else: one of them runs in each round of the loop, however many there are.
 *
 *     const turns = new Turns();
 *     for (const item of items) {
 *       if (turns.isOver) await turns.next();
 *       ...
 *     }
 */
export class Turns {
  #endMs = performance.now() + turnMs;

  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  /** Resolves when it is this work's turn again. */
  async next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (waiting.push(resolve) === 1) setImmediate(goOn);
    await promise;
    this.#endMs = performance.now() + turnMs;
  }
}

/** The next one's turn lasts until it waits again or is done; whoever is left has a later round. */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/** A computation that may pause at each `yield`, or wait for what it yields; whoever runs it decides what happens meanwhile. */
export type Work<T> = Generator<Promise<void> | undefined, T, undefined>;

/** Runs all of it at once: work that waits for nothing. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) throw new Error('work that waits cannot be finished at once');
  }
}

/** What a promise gives, inside of work; values are there already. */
export function* awaited<T>(value: T | Promise<T>): Work<T> {
  if (!(value instanceof Promise)) return value;
  const given: T[] = [];
  yield value.then((result) => {
    given.push(result);
  });
  return given[0] as T; // the promise has been kept
}

/** Runs it in turns, so that nobody waits long for the event loop; work that takes less than a turn is not interrupted. */
export async function inTurns<T>(work: Work<T>, turns: Turns = new Turns()): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) await step.value;
    else if (turns.isOver) await turns.next();
  }
}

/** The same, but what has been done within its first turn is given as it is, without a promise. */
export function soonInTurns<T>(work: Work<T>): T | Promise<T> {
  const turns = new Turns();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) return step.value.then(() => inTurns(work, turns));
    if (turns.isOver) return turns.next().then(() => inTurns(work, turns));
  }
}
