/** Reproducible random numbers from 0 to 1. */
export type Random = () => number;

/** The mulberry32 generator. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number below `end`. */
export function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** A random subset, sometimes reversed. */
export function some<T>(items: readonly T[], random: Random, chance: number): T[] {
  const chosen = items.filter(() => random() < chance);
  return random() < 0.3 ? chosen.toReversed() : chosen;
}
