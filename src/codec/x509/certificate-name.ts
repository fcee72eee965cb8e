import { type DerElement, DerError, DerReader, type Expected, readUcs2, readUtf8, tags } from './der.ts';
import type { NamePart } from './distinguished-name.ts';
import { step } from './public-key.ts';

export interface CertificateName {
  /** Names are equal if these are. */
  readonly encoded: Buffer;
  readonly parts: readonly NamePart[];
}

const setType: Expected = { tag: tags.set, isCompound: true, type: '' };
const partType: Expected = { tag: tags.sequence, isCompound: true, type: '' };

/**
 * The issuer or subject of a certificate, which is stricter about strings than that of a request. Throws DerError with
 * the reference's text.
 */
export function readCertificateName({ content, whole: encoded }: DerElement): CertificateName {
  const name = new DerReader(content);
  const parts: NamePart[] = [];
  while (!name.atEnd) {
    const set = new DerReader(step('x509: invalid RDNSequence', () => name.expect(setType)).content);
    while (!set.atEnd) {
      const part = step('x509: invalid RDNSequence: invalid attribute', () => set.expect(partType));
      const reader = new DerReader(part.content);
      const oid = step('x509: invalid RDNSequence: invalid attribute type', () => reader.oid());
      const value = step('x509: invalid RDNSequence: invalid attribute value', () => reader.simple());
      parts.push({ oid, text: attributeText(value) });
    }
  }
  return { encoded, parts };
}

interface TextForm {
  readonly name: string;
  /** Undefined for invalid content. */
  readonly read: (content: Buffer) => string | undefined;
}

const textForms: { readonly [identifier: number]: TextForm } = {
  12: { name: 'UTF-8 string', read: readUtf8 },
  18: { name: 'NumericString', read: matching(/^[0-9 ]*$/) },
  19: { name: 'PrintableString', read: matching(/^[A-Za-z0-9'()+,\-./ :=?*&]*$/) },
  // T61String: in practice Latin-1.
  20: { name: 'T61String', read: (content) => content.toString('latin1') },
  22: { name: 'IA5String', read: matching(/^[\0-\x7f]*$/) },
  30: { name: 'BMPString', read: readUcs2 },
};

function attributeText({ content, whole }: DerElement): string {
  const identifier = whole[0] ?? 0;
  const form = textForms[identifier];
  const text = form?.read(content);
  if (text !== undefined) return text;
  const problem = form === undefined ? `unsupported string type: ${identifier}` : `invalid ${form.name}`;
  throw new DerError(`x509: invalid RDNSequence: invalid attribute value: ${problem}`);
}

function matching(pattern: RegExp): TextForm['read'] {
  return (content) => {
    const text = content.toString('latin1');
    return pattern.test(text) ? text : undefined;
  };
}
