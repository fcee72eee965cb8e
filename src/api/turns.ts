import type { Soon } from './soon.ts';

/** How long long-running work may block the event loop. */
export const turnMs = 5;
/** The same for work that begins while other work waits: much may begin in one round of the event loop. */
const firstOfManyMs = 1;

/** Shorter work does not count. */
const countedMs = 0.3;

/** Suspended work, in the order in which it resumes. */
const waiting: (() => void)[] = [];
/** What work has taken in this round of the event loop: all that begins in one round shares a turn. */
let usedMs = 0;

/**
 * Long-running work that shares the event loop. It checks after each small step whether its turn is over, and then
 * waits for the next. All such work takes turns with each other and with everything else: one piece runs per round of
 * the event loop, however many there are.
 *
 *     const turns = new Turns();
 *     for (const item of items) {
 *       if (turns.isOver) await turns.next();
 *       ...
 *     }
 */
export class Turns {
  #endMs: number;

  constructor(startMs = performance.now()) {
    this.#endMs = startMs + Math.min(waiting.length === 0 ? turnMs : firstOfManyMs, turnMs - usedMs);
  }

  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  /** Resolves at this work's next turn. */
  async next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (waiting.push(resolve) === 1) setImmediate(goOn);
    await promise;
    this.#endMs = performance.now() + turnMs;
  }
}

/**
 * Turns of work that comes in pieces, such as the keys of a queue: their turn ends when those of one round of the event
 * loop have taken long.
 */
export class TurnsOfPieces {
  #turns: Turns | undefined;

  /** To be awaited before each piece; undefined: it may begin at once. */
  next(): Promise<void> | undefined {
    this.#turns ??= this.#begin();
    return this.#turns.isOver ? this.#turns.next() : undefined;
  }

  #begin(): Turns {
    setImmediate(() => (this.#turns = undefined));
    return new Turns();
  }
}

/** The next turn lasts until that work waits again or completes; the others run in later rounds. */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/**
 * Adds up the time of short pieces of work in this round of the event loop. True when they have taken as much as a
 * turn: what causes them, such as a connection that is read, then pauses until its next turn.
 */
export function turnIsUsed(tookMs: number): boolean {
  use(tookMs);
  return usedMs >= turnMs;
}

function use(tookMs: number): void {
  if (usedMs === 0) setImmediate(() => (usedMs = 0));
  usedMs += tookMs;
}

/** A computation that may pause at each `yield`, or await a yielded promise; the caller decides what runs meanwhile. */
export type Work<T> = Generator<Promise<void> | undefined, T, undefined>;

/** Runs it synchronously: for work that awaits nothing. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) throw new Error('asynchronous work cannot be finished synchronously');
  }
}

/** Awaits a promise inside of work, which may catch what it is rejected with; plain values are returned at once. */
export function* awaited<T>(value: T | Promise<T>): Work<T> {
  if (!(value instanceof Promise)) return value;
  const outcomes: (() => T)[] = [];
  yield value.then(
    (result) => void outcomes.push(() => result),
    (error: unknown) =>
      void outcomes.push(() => {
        throw error;
      }),
  );
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('work goes on when what it has yielded is settled');
  return outcome();
}

/**
 * Runs it in turns, so that the event loop is never blocked for long. Work that completes within its first turn is not
 * interrupted, and returns its result (or throws) without a promise.
 */
export function inTurns<T>(work: Work<T>): Soon<T> {
  const startMs = performance.now();
  const turns = new Turns(startMs);
  for (;;) {
    const step = work.next();
    if (step.done === true) {
      const tookMs = performance.now() - startMs;
      if (tookMs > countedMs) use(tookMs);
      return step.value;
    }
    if (step.value !== undefined) return resumed(work, turns, step.value);
    if (turns.isOver) return resumed(work, turns, turns.next());
  }
}

async function resumed<T>(work: Work<T>, turns: Turns, pause: Promise<void>): Promise<T> {
  await pause;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) await step.value;
    else if (turns.isOver) await turns.next();
  }
}
