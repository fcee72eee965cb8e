import type { Work } from './turns.ts';

/** Items that are sorted or merged without a pause. */
const itemsPerPause = 500;

/** The items in order, pausing where there are many: sorted in runs, which are then merged two by two. */
export function* sortInTurns<T>(items: readonly T[], compare: (a: T, b: T) => number): Work<readonly T[]> {
  if (items.length <= itemsPerPause) return items.toSorted(compare);
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += itemsPerPause) {
    runs.push(items.slice(start, start + itemsPerPause).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* merge(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Work<T[]> {
  const merged: T[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    if (merged.length % itemsPerPause === 0) yield;
    const [a, b] = [left[i] as T, right[j] as T]; // within bounds
    if (compare(a, b) <= 0) {
      merged.push(a);
      i++;
    } else {
      merged.push(b);
      j++;
    }
  }
  for (; i < left.length; i++) merged.push(left[i] as T); // within bounds
  for (; j < right.length; j++) merged.push(right[j] as T); // within bounds
  return merged;
}
