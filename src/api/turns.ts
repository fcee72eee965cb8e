import { TimeSlice } from './time-slice.ts';
import type { Soon } from './soon.ts';

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
  const turns = new TimeSlice();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) return resumed(work, turns, step.value);
    if (turns.isOver) return resumed(work, turns, turns.next());
  }
}

async function resumed<T>(work: Work<T>, turns: TimeSlice, pause: Promise<void>): Promise<T> {
  await pause;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) await step.value;
    else if (turns.isOver) await turns.next();
  }
}
