/** The three high bits of an item's first byte (RFC 8949 section 3.1). */
export const majorTypes = {
  positive: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  array: 4,
  map: 5,
  tag: 6,
  primitive: 7,
} as const;

/** Their names in errors. */
export const typeNames: readonly string[] = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
];

export function typeName(major: number): string {
  return typeNames[major] ?? '';
}

/** Supported tag numbers (RFC 8949 section 3.4). */
export const tags = {
  timeText: 0,
  epochTime: 1,
  positiveBignum: 2,
  negativeBignum: 3,
  base64Url: 21,
  base64: 22,
  base16: 23,
  selfDescribed: 55_799,
} as const;

/** Tag 55799, which begins every body. */
export const selfDescribedPrefix: Uint8Array = Uint8Array.of(0xd9, 0xd9, 0xf7);

/** The head of a float of 64 bits. */
export const doubleByte = 0xfb;
export const nullByte = 0xf6;
export const undefinedByte = 0xf7;
export const breakByte = 0xff;
/** Additional information of indefinite-length items. */
export const indefinite = 31;
/** The largest argument that fits the first byte. */
export const largestInline = 23;

export const maxInt64 = 2n ** 63n - 1n;
