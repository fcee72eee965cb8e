import type { Work } from './turns.ts';

/** Items sorted or merged between two pauses. */
const betweenPauses = 512;

/** The result of `sort`, with pauses. */
export function* sortedInTurns<T>(items: readonly T[], compare: (a: T, b: T) => number): Work<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += betweenPauses) {
    runs.push(items.slice(start, start + betweenPauses).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* mergedRuns(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedRuns<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Work<readonly T[]> {
  const [last, first] = [left.at(-1), right[0]];
  // Most input is sorted already.
  if (last === undefined || first === undefined || compare(last, first) <= 0) return left.concat(right);
  const merged: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    const [a, b] = [left[l] as T, right[r] as T]; // both are within their runs
    const isLeft = compare(a, b) <= 0;
    merged.push(isLeft ? a : b);
    if (isLeft) l++;
    else r++;
    if (merged.length % betweenPauses === 0) yield;
  }
  return merged.concat(left.slice(l), right.slice(r));
}
