const offset = 0x6c62272e07bb014262b821756295c58dn;
const prime = 0x1000000000000000000013bn;
const mask = (1n << 128n) - 1n;

/** 128-bit FNV-1a in hexadecimal: the reference sorts ports and subsets by this hash of their Go representation. */
export function goHash(printed: string): string {
  let hash = offset;
  for (const byte of Buffer.from(printed)) hash = ((hash ^ BigInt(byte)) * prime) & mask;
  return hash.toString(16).padStart(32, '0');
}

/** Sorted by the hash of what `print` returns. */
export function sortedByHash<T>(items: readonly T[], print: (item: T) => string): readonly T[] {
  if (items.length < 2) return items;
  const hashed = items.map((item) => ({ item, hash: goHash(print(item)) }));
  return hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)).map(({ item }) => item);
}
