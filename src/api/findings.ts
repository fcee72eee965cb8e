import { inTurns, type Work } from './turns.ts';

/**
 * Findings (errors, warnings) in an object that may be large. They are generated lazily, and an `undefined` among them
 * is a pause in which other requests may run:
 *
 *     for (const item of items) {
 *       if (pauseIsDue()) yield;
 *       ...
 *     }
 */
export type Findings<T> = Iterable<T | undefined>;

/** Whether it is known to be empty; a generator does not know before it runs. */
export function isNothing(findings: Findings<unknown>): boolean {
  return Array.isArray(findings) && findings.length === 0;
}

/** Items between two pauses: a fraction of a millisecond, and more than ordinary objects have. */
const itemsPerPause = 32;
let items = 0;

/** Counts one item of a list; true when a pause is due. */
export function pauseIsDue(): boolean {
  items = (items + 1) % itemsPerPause;
  return items === 0;
}

// The most findings reported. The reference reports all of them, in answers of gigabytes for some bodies; five thousand
// ordinary errors are half a million characters, and the answer contains each twice.
export const maxFound = 5000;
const maxChars = 1024 * 1024;

/**
 * Collects findings that are needed before going on; pauses pass through: `const errors = yield* keptBack(...)`.
 * Findings beyond the maximum are not looked for.
 */
export function* keptBack<T>(findings: Findings<T>): Generator<undefined, T[]> {
  const kept: T[] = [];
  for (const finding of findings) {
    if (finding === undefined) yield;
    else if (kept.push(finding) > maxFound) break;
  }
  return kept;
}

/** Passes findings through, and returns whether there were any: `const isWrong = yield* through(...)`. */
export function* through<T>(findings: Findings<T>): Generator<T | undefined, boolean> {
  let any = false;
  for (const finding of findings) {
    any ||= finding !== undefined;
    yield finding;
  }
  return any;
}

/** Passes findings through, and notes them. */
export function* noted<T>(findings: Findings<T>, into: T[]): Generator<T | undefined, void> {
  for (const finding of findings) {
    if (finding !== undefined) into.push(finding);
    yield finding;
  }
}

/** Whether there are any; pauses pass through. */
export function* hasAny(findings: Findings<unknown>): Generator<undefined, boolean> {
  for (const finding of findings) {
    if (finding !== undefined) return true;
    yield;
  }
  return false;
}

/** All findings synchronously, for small inputs; at most the maximum otherwise. */
export function allOf<T>(findings: Findings<T>): T[] {
  const all: T[] = [];
  for (const finding of findings) {
    if (finding !== undefined && all.push(finding) > maxFound) break;
  }
  return all;
}

export interface Collected<T> {
  readonly found: readonly T[];
  /** There may be more that were not looked for. */
  readonly isCut: boolean;
}

/** Collects findings up to the maximum, without duplicates unless they may repeat; other requests may run meanwhile. */
export function collect<T>(
  findings: Findings<T>,
  textOf: (finding: T) => string,
  mayRepeat: (finding: T) => boolean = () => false,
): Collected<T> | Promise<Collected<T>> {
  return isNothing(findings) ? nothing : inTurns(collecting(findings, textOf, mayRepeat));
}

const nothing: Collected<never> = { found: [], isCut: false };

function* collecting<T>(
  findings: Findings<T>,
  textOf: (finding: T) => string,
  mayRepeat: (finding: T) => boolean,
): Work<Collected<T>> {
  const found: T[] = [];
  let texts: Set<string> | undefined;
  let [count, chars] = [0, 0];
  for (const finding of findings) {
    if (finding !== undefined) {
      if (count === maxFound || chars > maxChars) return { found, isCut: true };
      const text = textOf(finding);
      texts ??= new Set();
      if (!texts.has(text) || mayRepeat(finding)) found.push(finding);
      texts.add(text);
      count += 1;
      chars += text.length;
    }
    yield;
  }
  return found.length === 0 ? nothing : { found, isCut: false };
}

/**
 * The findings of `find` for each item of a list. Most items have none, and those of ordinary lists are checked at
 * once; `find` may be eager or lazy.
 */
export function findingsOfItems<T, F>(items: readonly T[], find: (item: T, index: number) => Findings<F>): Findings<F> {
  return items.length > itemsPerPause ? inManyItems(items, find) : inFewItems(items, find);
}

/** All of these in sequence. Those that are known to be empty cost nothing further, unlike a `yield*` of each. */
export function joined<F>(...all: readonly Findings<F>[]): Findings<F> {
  return findingsOfItems(all, (findings) => findings);
}

function inFewItems<T, F>(items: readonly T[], find: (item: T, index: number) => Findings<F>): Findings<F> {
  let first: Findings<F> | undefined;
  let more: Findings<F>[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const found = find(items[index] as T, index); // within bounds
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
