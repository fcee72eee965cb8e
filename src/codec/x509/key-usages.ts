import { bitString, type Der, objectIdentifier, sequence } from './der-writer.ts';

/** Bits of the keyUsage extension (RFC 5280, 4.2.1.3), from the left, by their names in the certificates API. */
const bits: ReadonlyMap<string, number> = new Map([
  ['signing', 0],
  ['digital signature', 0],
  ['content commitment', 1],
  ['key encipherment', 2],
  ['data encipherment', 3],
  ['key agreement', 4],
  ['cert sign', 5],
  ['crl sign', 6],
  ['encipher only', 7],
  ['decipher only', 8],
]);

/** Purposes of the extendedKeyUsage extension, in encoding order. */
const purposes: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

export interface EncodedUsages {
  /** Undefined without usages of this sort. */
  readonly keyUsage: Der | undefined;
  readonly extendedKeyUsage: Der | undefined;
}

/** Unknown usages are left out; see `unknownUsages`. */
export function encodeUsages(usages: readonly string[]): EncodedUsages {
  const used = usages.flatMap((usage) => bits.get(usage) ?? []);
  const oids = [...purposes].flatMap(([usage, oid]) => (usages.includes(usage) ? [oid] : []));
  return {
    keyUsage: used.length === 0 ? undefined : encodeBits(used),
    extendedKeyUsage: oids.length === 0 ? undefined : sequence(...[...new Set(oids)].map(objectIdentifier)),
  };
}

export function unknownUsages(usages: readonly string[]): readonly string[] {
  return usages.filter((usage) => !bits.has(usage) && !purposes.has(usage));
}

/** Ends with the last set bit. */
function encodeBits(used: readonly number[]): Der {
  const size = Math.max(...used) + 1;
  const bytes = Buffer.alloc(Math.ceil(size / 8));
  for (const bit of used) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return bitString(bytes, bytes.length * 8 - size);
}
