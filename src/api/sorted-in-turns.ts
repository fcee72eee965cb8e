import type { Work } from './turns.ts';

// oxlint-disable-next-line require-yield -- until its callers are plain
export function* sortedInTurns<T>(items: readonly T[], compare: (a: T, b: T) => number): Work<readonly T[]> {
  return items.toSorted(compare);
}
