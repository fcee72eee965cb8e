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

/** The subject of a certificate. Throws DerError. */
export function readSubject(der: Buffer): readonly NamePart[] {
  const { members: body } = new DerReader(der).sequence('certificate').members.sequence('tbsCertificate');
  const { tag, tagClass } = body.any();
  // The version is the only optional field before it.
  const fieldsBefore = tagClass === 2 && tag === 0 ? 4 : 3;
  for (let field = 0; field < fieldsBefore; field += 1) body.any();
  return readName(body.any());
}

/** The values of all attributes of one type. */
export function namedParts(parts: readonly NamePart[], oid: string): readonly string[] {
  return parts.filter((part) => part.oid === oid).map(({ text }) => text);
}
