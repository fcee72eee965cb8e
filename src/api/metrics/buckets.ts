/** Prometheus' usual upper bounds of durations, in seconds. */
export const defaultBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Upper bounds of which each is twice the one before. */
export function exponentialBuckets(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first * 2 ** index);
}
