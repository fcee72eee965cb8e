/** Returns a function that tells whether a value was passed before. */
export function repetitions<T extends string | number>(): (value: T) => boolean {
  const seen = new Set<T>();
  return (value) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated;
  };
}

/** The first item of each name, for repeated lookups. */
export function firstByName<T extends { readonly name?: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return lastByName(items.toReversed());
}

/** The last item of each name. */
export function lastByName<T extends { readonly name?: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name ?? '', item]));
}
