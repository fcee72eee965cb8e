/** The offset basis, in four words of 32 bits, the lowest first. */
const offset = [0x6295c58d, 0x62b82175, 0x07bb0142, 0x6c62272e] as const;
/** The prime is 2^88 + this. */
const low = 0x13b;
const word = 2 ** 32;

/** 128-bit FNV-1a in hexadecimal: the reference sorts ports and subsets by this hash of their Go representation. */
export function goHash(printed: string): string {
  let [a, b, c, d]: readonly [number, number, number, number] = offset;
  for (const byte of Buffer.from(printed)) {
    const x = (a ^ byte) >>> 0;
    const [p0, p1] = [x * low, b * low + Math.floor((x * low) / word)];
    const p2 = c * low + Math.floor(p1 / word) + ((x << 24) >>> 0);
    const p3 = d * low + Math.floor(p2 / word) + ((b << 24) >>> 0) + (x >>> 8);
    [a, b, c, d] = [p0 >>> 0, p1 >>> 0, p2 >>> 0, p3 >>> 0];
  }
  return [d, c, b, a].map((part) => part.toString(16).padStart(8, '0')).join('');
}

/** Sorted by the hash of what `print` returns. */
export function sortedByHash<T>(items: readonly T[], print: (item: T) => string): readonly T[] {
  if (items.length < 2) return items;
  const hashed: { readonly item: T; readonly hash: string }[] = [];
  for (const item of items) {
    hashed.push({ item, hash: goHash(print(item)) });
  }
  return hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)).map(({ item }) => item);
}
