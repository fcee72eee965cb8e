import { type DerElement, DerError, DerReader, type Expected, readBigInteger, tags } from './der.ts';
import {
  type AltNames,
  type Extension,
  noAltNames,
  readAltNames,
  readExtension,
  readOptionalBoolean,
} from './extensions.ts';
import { type PublicKey, readAlgorithm, readPublicKey, step } from './public-key.ts';

/** The fields of a certificate (RFC 5280) in use. */
export interface Certificate {
  readonly publicKey: PublicKey | undefined;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly altNames: AltNames;
  readonly isAuthority: boolean;
  readonly hasBasicConstraints: boolean;
}

const sequenceOf = (type: string): Expected => ({ tag: tags.sequence, isCompound: true, type });

/** Throws DerError with the reference's text. */
export function parseCertificate(der: Buffer): Certificate {
  const [first, ...more] = parseCertificates(der, 'one');
  if (first === undefined) throw new DerError('x509: malformed certificate');
  if (more.length > 0) throw new DerError('x509: trailing data');
  return first;
}

/** Concatenated certificates. */
export function parseCertificates(der: Buffer, count: 'one' | 'all' = 'all'): Certificate[] {
  const reader = new DerReader(der);
  const certificates: Certificate[] = [];
  while (!reader.atEnd) {
    if (count === 'one' && certificates.length > 0) throw new DerError('x509: trailing data');
    certificates.push(readCertificate(step('x509: malformed certificate', () => reader.expect(sequenceOf('')))));
  }
  return certificates;
}

function readCertificate({ content }: DerElement): Certificate {
  const outer = new DerReader(content);
  const body = new DerReader(step('x509: malformed tbs certificate', () => outer.expect(sequenceOf(''))).content);
  const { version, serial } = readHead(body);
  if (serial < 0n) throw new DerError('x509: negative serial number');
  const inner = step('x509: malformed signature algorithm identifier', () => body.expect(sequenceOf('')));
  const outerAlgorithm = step('x509: malformed algorithm identifier', () => outer.expect(sequenceOf('')));
  if (!inner.content.equals(outerAlgorithm.content)) {
    throw new DerError("x509: inner and outer signature algorithm identifiers don't match");
  }
  step('x509: malformed OID', () => readAlgorithm(new DerReader(inner.whole)));
  checkName(step('x509: malformed issuer', () => body.expect(sequenceOf(''))));
  const validity = new DerReader(step('x509: malformed validity', () => body.expect(sequenceOf(''))).content);
  const notBeforeMs = readTime(validity);
  const notAfterMs = readTime(validity);
  checkName(step('x509: malformed issuer', () => body.expect(sequenceOf(''))));
  const publicKey = readKey(body);
  const extensions = version === 3n ? readExtensions(body) : [];
  step('x509: malformed signature', () => outer.bitString());
  return { publicKey, notBeforeMs, notAfterMs, ...judged(extensions) };
}

function readHead(body: DerReader): { readonly version: bigint; readonly serial: bigint } {
  const first = step('x509: malformed serial number', () => body.any());
  if (first.tagClass !== 2 || first.tag !== 0) return { version: 1n, serial: readSerial(first) };
  const version = step('x509: malformed version', () => new DerReader(first.content).integer()) + 1n;
  if (version < 1n) throw new DerError('x509: malformed version');
  if (version > 3n) throw new DerError('x509: invalid version');
  return { version, serial: readSerial(step('x509: malformed serial number', () => body.any())) };
}

function readSerial({ tag, tagClass, content }: DerElement): bigint {
  if (tag !== tags.integer || tagClass !== 0) throw new DerError('x509: malformed serial number');
  return step('x509: malformed serial number', () => readBigInteger(content));
}

function checkName({ content }: DerElement): void {
  const name = new DerReader(content);
  while (!name.atEnd) {
    const setType = { tag: tags.set, isCompound: true, type: '' };
    const set = new DerReader(step('x509: invalid RDNSequence', () => name.expect(setType)).content);
    while (!set.atEnd) {
      const part = step('x509: invalid RDNSequence: invalid attribute', () => set.expect(sequenceOf('')));
      const reader = new DerReader(part.content);
      step('x509: invalid RDNSequence: invalid attribute type', () => reader.oid());
      checkText(step('x509: invalid RDNSequence: invalid attribute value', () => reader.any()));
    }
  }
}

const textForms: { readonly [tag: number]: readonly [pattern: RegExp, what: string] } = {
  18: [/^[0-9 ]*$/, 'invalid NumericString'],
  19: [/^[A-Za-z0-9'()+,\-./ :=?*&]*$/, 'invalid PrintableString'],
  20: [/^/, ''],
  22: [/^[\0-\x7f]*$/, 'invalid IA5String'],
  30: [/^(?:[^]{2})*$/, 'invalid BMPString'],
};

function checkText({ tag, content, whole }: DerElement): void {
  const problem = textProblem(tag, content, whole[0] ?? 0);
  if (problem !== '') throw new DerError(`x509: invalid RDNSequence: invalid attribute value: ${problem}`);
}

function textProblem(tag: number, content: Buffer, identifier: number): string {
  if (identifier === tags.utf8)
    return Buffer.from(content.toString('utf8')).equals(content) ? '' : 'invalid UTF-8 string';
  const form = identifier === tag ? textForms[tag] : undefined;
  if (form === undefined) return `unsupported string type: ${identifier}`;
  return form[0].test(content.toString('latin1')) ? '' : form[1];
}

const timeForms: { readonly [tag: number]: { readonly pattern: RegExp; readonly problem: string } } = {
  23: { pattern: /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z$/, problem: 'x509: malformed UTCTime' },
  24: { pattern: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, problem: 'x509: malformed GeneralizedTime' },
};

function readTime(reader: DerReader): number {
  const { whole, content } = step('x509: unsupported time format', () => reader.any());
  const form = timeForms[whole[0] ?? 0];
  if (form === undefined) throw new DerError('x509: unsupported time format');
  const match = form.pattern.exec(content.toString('latin1'));
  if (match === null) throw new DerError(form.problem);
  const [written = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  // Two-digit years are 1950 to 2049 (RFC 5280, 4.1.2.5.1).
  const year = match[1]?.length === 4 ? written : written + (written >= 50 ? 1900 : 2000);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  const isReal =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!isReal) throw new DerError(form.problem);
  return date.getTime();
}

function readKey(body: DerReader): PublicKey | undefined {
  const info = step('x509: malformed spki', () => body.expect(sequenceOf('')));
  const reader = new DerReader(info.content);
  const { oid, parameters } = step('x509: malformed public key algorithm identifier', () => readAlgorithm(reader));
  const key = step('x509: malformed subjectPublicKey', () => reader.bitString());
  return readPublicKey({ oid, parameters, key, encoded: info.whole });
}

function readExtensions(body: DerReader): Extension[] {
  while (!body.atEnd) {
    const { tag, tagClass, content } = step('x509: malformed extensions', () => body.any());
    if (tagClass !== 2 || tag !== 3) continue;
    const list = new DerReader(
      step('x509: malformed extensions', () => new DerReader(content).expect(sequenceOf(''))).content,
    );
    const found: Extension[] = [];
    while (!list.atEnd) {
      const extension = readExtension(step('x509: malformed extension', () => list.expect(sequenceOf(''))).content);
      if (found.some(({ oid }) => oid === extension.oid)) {
        throw new DerError(`x509: certificate contains duplicate extension with OID "${extension.oid}"`);
      }
      found.push(extension);
    }
    return found;
  }
  return [];
}

type Judged = Pick<Certificate, 'altNames' | 'isAuthority' | 'hasBasicConstraints'>;

/** Known extensions; others are not parsed. */
function judged(extensions: readonly Extension[]): Judged {
  let found: Judged = { altNames: noAltNames, isAuthority: false, hasBasicConstraints: false };
  for (const { oid, critical, value } of extensions) {
    if (oid === '2.5.29.15') step('x509: invalid key usage', () => new DerReader(value).bitString());
    else if (oid === '2.5.29.17') found = { ...found, altNames: readAltNames(value) };
    else if (oid === '2.5.29.19')
      found = { ...found, isAuthority: readBasicConstraints(value), hasBasicConstraints: true };
    else if (oid === '2.5.29.37') checkUsages(value);
    else if (oid === '2.5.29.14') {
      if (critical) throw new DerError('x509: subject key identifier incorrectly marked critical');
      step('x509: invalid subject key identifier', () =>
        new DerReader(value).expect({ tag: tags.octetString, type: '' }),
      );
    } else if (oid === '2.5.29.35') {
      if (critical) throw new DerError('x509: authority key identifier incorrectly marked critical');
      step('x509: invalid authority key identifier', () => new DerReader(value).sequence(''));
    }
  }
  return found;
}

function readBasicConstraints(value: Buffer): boolean {
  return step('x509: invalid basic constraints', () => {
    const { content } = new DerReader(value).expect(sequenceOf(''));
    const { value: isAuthority, rest } = readOptionalBoolean(content);
    if (rest[0] === tags.integer && new DerReader(rest).integer() < 0n) throw new DerError('negative');
    return isAuthority;
  });
}

function checkUsages(value: Buffer): void {
  step('x509: invalid extended key usages', () => {
    const { members } = new DerReader(value).sequence('');
    while (!members.atEnd) members.oid();
  });
}
