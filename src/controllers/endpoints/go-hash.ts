const offset = 0x6c62272e07bb014262b821756295c58dn;
const prime = 0x1000000000000000000013bn;
const mask = (1n << 128n) - 1n;

/** FNV-1a of 128 bits, in hexadecimal digits: what the reference sorts ports and subsets by, over the way in which Go prints them. */
export function goHash(printed: string): string {
  let hash = offset;
  for (const byte of Buffer.from(printed)) hash = ((hash ^ BigInt(byte)) * prime) & mask;
  return hash.toString(16).padStart(32, '0');
}

/** Sorted by the hash of what `print` makes of them. */
export function sortedByHash<T>(items: readonly T[], print: (item: T) => string): readonly T[] {
  if (items.length < 2) return items;
  const hashed = items.map((item) => ({ item, hash: goHash(print(item)) }));
  return hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)).map(({ item }) => item);
}
