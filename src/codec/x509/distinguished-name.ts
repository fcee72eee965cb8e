import { type DerElement, DerReader, readText, tags } from './der.ts';

/** One attribute of a name (RFC 5280, section 4.1.2.4). */
export interface NamePart {
  readonly oid: string;
  /** Empty unless a string. */
  readonly text: string;
}

export const commonNameOid = '2.5.4.3';
export const organizationOid = '2.5.4.10';

const nameType = { tag: tags.sequence, type: 'RDNSequence' };
const setType = { tag: tags.set, isCompound: true, type: 'RelativeDistinguishedNameSET' };
const partType = { tag: tags.sequence, isCompound: true, type: 'AttributeTypeAndValue' };

/** The attributes in encoded order. Throws DerError. */
export function readName(name: DerElement): readonly NamePart[] {
  const sets = new DerReader(name.whole).list(nameType, setType);
  return sets.flatMap((set) =>
    new DerReader(set.whole).list(setType, partType).map(({ content }) => {
      const part = new DerReader(content);
      return { oid: part.oid(), text: readText(part.any()) };
    }),
  );
}

/** The values of all attributes of one type. */
export function namedParts(parts: readonly NamePart[], oid: string): readonly string[] {
  return parts.filter((part) => part.oid === oid).map(({ text }) => text);
}
