import { soonInTurns, type Work } from './turns.ts';

/**
 * What is found one by one in an object that may be large: errors, warnings. Finding is work, so it is done when asked for,
 * and an `undefined` in between has nothing to say but that others may go on:
 *
 *     for (const item of items) {
 *       if (pauseIsDue()) yield;
 *       ...
 *     }
 */
export type Findings<T> = Iterable<T | undefined>;

/** Whether it is known that nothing is found; a generator does not tell before it runs. */
export function isNothing(findings: Findings<unknown>): boolean {
  return Array.isArray(findings) && findings.length === 0;
}

/** Items looked at between two pauses: a fraction of a millisecond, and next to none in ordinary objects. */
const itemsPerPause = 32;
let items = 0;

/** Counts one item of a list; true when it is time for a pause. */
export function pauseIsDue(): boolean {
  items = (items + 1) % itemsPerPause;
  return items === 0;
}

// Nobody reads that far. The reference tells all, and makes gigabytes of answers to some bodies; five thousand ordinary
// errors are half a million characters, and an answer of twice that, as it says each of them twice.
export const maxFound = 5000;
const maxChars = 1024 * 1024;

/**
 * Keeps findings back for whoever must know them before it goes on; pauses pass: `const errors = yield* keptBack(...)`.
 * More than can be told are not looked for.
 */
export function* keptBack<T>(findings: Findings<T>): Generator<undefined, T[]> {
  const kept: T[] = [];
  for (const finding of findings) {
    if (finding === undefined) yield;
    else if (kept.push(finding) > maxFound) break;
  }
  return kept;
}

/** Tells whether there are any, and them: `const isWrong = yield* through(...)`. */
export function* through<T>(findings: Findings<T>): Generator<T | undefined, boolean> {
  let any = false;
  for (const finding of findings) {
    any ||= finding !== undefined;
    yield finding;
  }
  return any;
}

/** Whether there are any; pauses pass. */
export function* hasAny(findings: Findings<unknown>): Generator<undefined, boolean> {
  for (const finding of findings) {
    if (finding !== undefined) return true;
    yield;
  }
  return false;
}

/** All findings at once, of what is small; of what is not, no more than can be told. */
export function allOf<T>(findings: Findings<T>): T[] {
  const all: T[] = [];
  for (const finding of findings) {
    if (finding !== undefined && all.push(finding) > maxFound) break;
  }
  return all;
}

export interface Collected<T> {
  readonly found: readonly T[];
  /** There may be more, which nobody has looked for. */
  readonly isCut: boolean;
}

/** Collects findings, those that read alike once, until there are more than anybody reads; others may go on in between. */
export function collect<T>(
  findings: Findings<T>,
  textOf: (finding: T) => string,
): Collected<T> | Promise<Collected<T>> {
  return isNothing(findings) ? nothing : soonInTurns(collecting(findings, textOf));
}

const nothing: Collected<never> = { found: [], isCut: false };

function* collecting<T>(findings: Findings<T>, textOf: (finding: T) => string): Work<Collected<T>> {
  let byText: Map<string, T> | undefined;
  let [count, chars] = [0, 0];
  for (const finding of findings) {
    if (finding !== undefined) {
      byText ??= new Map();
      if (count === maxFound || chars > maxChars) return { found: [...byText.values()], isCut: true };
      const text = textOf(finding);
      byText.set(text, finding);
      count += 1;
      chars += text.length;
    }
    yield;
  }
  return byText === undefined ? nothing : { found: [...byText.values()], isCut: false };
}

/**
 * What `find` finds in each item of a list. Most items have nothing to tell, and those of an ordinary list are all asked at once; `find` may find when it is
 * called or later.
 */
export function findingsOfItems<T, F>(items: readonly T[], find: (item: T, index: number) => Findings<F>): Findings<F> {
  return items.length > itemsPerPause ? inManyItems(items, find) : inFewItems(items, find);
}

function inFewItems<T, F>(items: readonly T[], find: (item: T, index: number) => Findings<F>): Findings<F> {
  let first: Findings<F> | undefined;
  let more: Findings<F>[] | undefined;
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (isNothing(found)) continue;
    if (first === undefined) first = found;
    else (more ??= [first]).push(found);
  }
  return more === undefined ? (first ?? []) : each(more);
}

function* each<F>(all: readonly Findings<F>[]): Generator<F | undefined, void> {
  for (const findings of all) yield* findings;
}

function* inManyItems<T, F>(
  items: readonly T[],
  find: (item: T, index: number) => Findings<F>,
): Generator<F | undefined, void> {
  let index = 0;
  for (const item of items) {
    if (pauseIsDue()) yield;
    const found = find(item, index);
    if (!isNothing(found)) yield* found;
    index++;
  }
}
