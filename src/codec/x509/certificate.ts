import { type CertificateExtensions, readExtensions, understood } from './certificate-extensions.ts';
import { type CertificateName, readCertificateName } from './certificate-name.ts';
import { type DerElement, DerError, DerReader, type Expected, readBigInteger, tags } from './der.ts';
import { type Algorithm, type PublicKey, readPublicKey, step } from './public-key.ts';
import type { Signed } from './signature.ts';

/** A certificate (RFC 5280). */
export interface Certificate extends CertificateExtensions {
  readonly encoded: Buffer;
  /** 1 to 3. */
  readonly version: number;
  readonly signed: Omit<Signed, 'publicKey'>;
  readonly issuer: CertificateName;
  readonly subject: CertificateName;
  readonly publicKey: PublicKey | undefined;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
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

function readCertificate({ content, whole: encoded }: DerElement): Certificate {
  const outer = new DerReader(content);
  const whole = step('x509: malformed tbs certificate', () => outer.expect(sequenceOf('')));
  const body = new DerReader(whole.content);
  const { version, serial } = readHead(body);
  if (serial < 0n) throw new DerError('x509: negative serial number');
  const inner = step('x509: malformed signature algorithm identifier', () => body.expect(sequenceOf('')));
  const outerAlgorithm = step('x509: malformed algorithm identifier', () => outer.expect(sequenceOf('')));
  if (!inner.content.equals(outerAlgorithm.content)) {
    throw new DerError("x509: inner and outer signature algorithm identifiers don't match");
  }
  const algorithm = readIdentifier(inner);
  const issuer = readCertificateName(step('x509: malformed issuer', () => body.expect(sequenceOf(''))));
  const validity = new DerReader(step('x509: malformed validity', () => body.expect(sequenceOf(''))).content);
  const notBeforeMs = readTime(validity);
  const notAfterMs = readTime(validity);
  const subject = readCertificateName(step('x509: malformed issuer', () => body.expect(sequenceOf(''))));
  const publicKey = readKey(body);
  const extensions = understood(version === 3n ? readExtensions(body) : []);
  const signature = step('x509: malformed signature', () => outer.bitString());
  const signed = { message: whole.whole, signature, algorithm };
  return {
    encoded,
    version: Number(version),
    signed,
    issuer,
    subject,
    publicKey,
    notBeforeMs,
    notAfterMs,
    ...extensions,
  };
}

const versionType: Expected = { tag: 0, tagClass: 2, isCompound: true, type: '' };
const integerType: Expected = { tag: tags.integer, type: '' };

function readHead(body: DerReader): { readonly version: bigint; readonly serial: bigint } {
  const version = body.isNext(versionType) ? step('x509: malformed version', () => readVersion(body)) : 1n;
  if (version < 1n) throw new DerError('x509: malformed version');
  if (version > 3n) throw new DerError('x509: invalid version');
  const serial = step('x509: malformed serial number', () => readBigInteger(body.expect(integerType).content));
  return { version, serial };
}

function readVersion(body: DerReader): bigint {
  const reader = new DerReader(body.expect(versionType).content);
  const written = reader.integer();
  if (!reader.atEnd) throw new DerError('trailing data');
  return written + 1n;
}

const timeForms: { readonly [tag: number]: { readonly pattern: RegExp; readonly problem: string } } = {
  23: { pattern: /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z$/, problem: 'x509: malformed UTCTime' },
  24: { pattern: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, problem: 'x509: malformed GeneralizedTime' },
};

function readTime(reader: DerReader): number {
  const tag = [23, 24].find((known) => reader.isNext({ tag: known, type: '' }));
  const form = timeForms[tag ?? 0];
  if (form === undefined) throw new DerError('x509: unsupported time format');
  const { content } = step(form.problem, () => reader.any());
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

function readIdentifier({ content }: DerElement): Algorithm {
  const reader = new DerReader(content);
  const oid = step('x509: malformed OID', () => reader.oid());
  const parameters = reader.atEnd ? undefined : step('x509: malformed parameters', () => reader.simple().whole);
  return { oid, parameters };
}

function readKey(body: DerReader): PublicKey | undefined {
  const info = step('x509: malformed spki', () => body.expect(sequenceOf('')));
  const reader = new DerReader(info.content);
  const { oid, parameters } = readIdentifier(
    step('x509: malformed public key algorithm identifier', () => reader.expect(sequenceOf(''))),
  );
  const key = step('x509: malformed subjectPublicKey', () => reader.bitString());
  return readPublicKey({ oid, parameters, key, encoded: info.whole });
}
