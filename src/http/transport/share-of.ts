/** Which connections end of those that may. */
export interface Shedding {
  readonly share: number;
  /** Connections that have been open for less time stay. */
  readonly minAgeMs: number;
}

/** The first ones of a share of those that count, rounded down. `openedMs`: undefined for those that do not. */
export function shareOf<T>(
  all: Iterable<T>,
  openedMs: (one: T) => number | undefined,
  { share, minAgeMs }: Shedding,
): readonly T[] {
  const latestMs = performance.now() - minAgeMs;
  const counted = [...all].filter((one) => (openedMs(one) ?? Number.POSITIVE_INFINITY) <= latestMs);
  return counted.slice(0, Math.floor(counted.length * share));
}
