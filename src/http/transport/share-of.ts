/** The first ones of a share of those that count, rounded down. */
export function shareOf<T>(all: Iterable<T>, counts: (one: T) => boolean, share: number): readonly T[] {
  const counted = [...all].filter(counts);
  return counted.slice(0, Math.floor(counted.length * share));
}
