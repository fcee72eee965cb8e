/**
 * Findings (errors, warnings) in an object, in the order in which they are reported. Generated lazily: those beyond
 * the most that are reported are never made.
 */
export type Findings<T> = Iterable<T>;

/** Whether it is known to be empty; a generator does not know before it runs. */
function isNothing(findings: Findings<unknown>): boolean {
  return Array.isArray(findings) && findings.length === 0;
}

// The most findings reported. The reference reports all of them, in answers of gigabytes for some bodies; five thousand
// ordinary errors are half a million characters, and the answer contains each twice.
export const maxFound = 5000;
const maxChars = 1024 * 1024;

/** Findings as a list; those beyond the maximum are not looked for. */
export function allOf<T>(findings: Findings<T>): T[] {
  const kept: T[] = [];
  for (const finding of findings) if (kept.push(finding) > maxFound) break;
  return kept;
}

/** Passes findings through, and returns whether there were any: `const isWrong = yield* through(...)`. */
export function* through<T>(findings: Findings<T>): Generator<T, boolean> {
  let any = false;
  for (const finding of findings) {
    any = true;
    yield finding;
  }
  return any;
}

/** Passes findings through, and notes them. */
export function* noted<T>(findings: Findings<T>, into: T[]): Generator<T, void> {
  for (const finding of findings) {
    into.push(finding);
    yield finding;
  }
}

/** Whether there are any. */
export function hasAny(findings: Findings<unknown>): boolean {
  for (const _ of findings) return true;
  return false;
}

export interface Collected<T> {
  readonly found: readonly T[];
  /** There may be more that were not looked for. */
  readonly isCut: boolean;
}

const nothing: Collected<never> = { found: [], isCut: false };

/** Collects findings up to the maximum, without duplicates unless they may repeat. */
export function collect<T>(
  findings: Findings<T>,
  textOf: (finding: T) => string,
  mayRepeat: (finding: T) => boolean = () => false,
): Collected<T> {
  if (isNothing(findings)) return nothing;
  const found: T[] = [];
  let texts: Set<string> | undefined;
  let [count, chars] = [0, 0];
  for (const finding of findings) {
    if (count === maxFound || chars > maxChars) return { found, isCut: true };
    const text = textOf(finding);
    texts ??= new Set();
    if (!texts.has(text) || mayRepeat(finding)) found.push(finding);
    texts.add(text);
    count += 1;
    chars += text.length;
  }
  return found.length === 0 ? nothing : { found, isCut: false };
}

/** The findings of `find` for each item of a list. Most items have none; `find` may be eager or lazy. */
export function findingsOfItems<T, F>(items: readonly T[], find: (item: T, index: number) => Findings<F>): Findings<F> {
  return items.length > itemsAtOnce ? inManyItems(items, find) : inFewItems(items, find);
}

/** More items than ordinary objects have are looked at one by one, as far as their findings are wanted. */
const itemsAtOnce = 32;

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

function* each<F>(all: readonly Findings<F>[]): Generator<F, void> {
  for (const findings of all) yield* findings;
}

function* inManyItems<T, F>(items: readonly T[], find: (item: T, index: number) => Findings<F>): Generator<F, void> {
  let index = 0;
  for (const item of items) {
    const found = find(item, index);
    if (!isNothing(found)) yield* found;
    index++;
  }
}
