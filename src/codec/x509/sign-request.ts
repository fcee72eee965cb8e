import { createPrivateKey, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import type { CertificateRequest } from './certificate-request.ts';
import { DerReader, tags } from './der.ts';
import {
  bitString,
  boolean,
  type Der,
  explicit,
  implicit,
  integer,
  nothing,
  objectIdentifier,
  octetString,
  printableString,
  sequence,
  set,
  time,
  utf8String,
} from './der-writer.ts';
import { commonNameOid, type NamePart, namedParts } from './distinguished-name.ts';
import { type AltNames, readExtension, subjectAltNameOid } from './extensions.ts';
import { encodeUsages } from './key-usages.ts';
import { pemOf } from './pem.ts';

/** The signing CA, whoever issued its certificate. */
export interface SigningAuthority {
  readonly notAfterMs: number;
  readonly subject: Der;
  /** Undefined when its certificate has none. */
  readonly keyIdentifier: Buffer | undefined;
  readonly privateKey: KeyObject;
}

export interface SigningTerms {
  readonly usages: readonly string[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

const oid = {
  serialNumber: '2.5.4.5',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

/** The subject attributes that are kept, in encoding order; a subject has only one of each of the last two. */
const subjectParts = ['2.5.4.6', '2.5.4.8', '2.5.4.7', '2.5.4.9', '2.5.4.17', '2.5.4.10', '2.5.4.11'];
const singleParts = [commonNameOid, oid.serialNumber];

/** Throws the errors of node:crypto and DerReader. */
export function readSigningAuthority(certificatePem: string, keyPem: string): SigningAuthority {
  const certificate = new X509Certificate(certificatePem);
  const privateKey = createPrivateKey(keyPem);
  if (!certificate.checkPrivateKey(privateKey)) throw new TypeError('certificate and key do not match');
  const { members: body } = new DerReader(certificate.raw).sequence('certificate').members.sequence('tbsCertificate');
  const { tag, tagClass } = body.any();
  // Version (optional), serial number, algorithm, issuer, validity.
  const fieldsBefore = tagClass === 2 && tag === 0 ? 4 : 3;
  for (let field = 0; field < fieldsBefore; field += 1) body.any();
  const subject = body.any().whole;
  return { notAfterMs: certificate.validToDate.getTime(), subject, keyIdentifier: keyIdentifierIn(body), privateKey };
}

function keyIdentifierIn(afterSubject: DerReader): Buffer | undefined {
  afterSubject.any();
  while (!afterSubject.atEnd) {
    const { tag, tagClass, content } = afterSubject.any();
    if (tagClass !== 2 || tag !== 3) continue;
    const member = { tag: tags.sequence, isCompound: true, type: 'Extension' };
    const list = new DerReader(content).list({ tag: tags.sequence, type: '' }, member);
    const found = list.map((each) => readExtension(each.content)).find((each) => each.oid === oid.subjectKeyIdentifier);
    return found && new DerReader(found.value).expect({ tag: tags.octetString, type: '' }).content;
  }
  return undefined;
}

/**
 * The PEM certificate for a request: has its key, names and the known parts of its subject, and nothing else from it.
 */
export function signRequest(request: CertificateRequest, terms: SigningTerms, authority: SigningAuthority): string {
  const { algorithm, hash } = signatureOf(authority.privateKey);
  const subject = encodeSubject(request.subject);
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    algorithm,
    authority.subject,
    sequence(time(terms.notBeforeMs), time(terms.notAfterMs)),
    subject,
    request.keyInfo,
    explicit(3, sequence(...extensionsOf(request, terms, { authority, subject }))),
  );
  return pemOf('CERTIFICATE', sequence(body, algorithm, bitString(sign(hash, body, authority.privateKey))));
}

interface Signature {
  readonly algorithm: Der;
  /** NULL if the algorithm requires it. */
  readonly hash: string | null;
}

const ecdsa: { readonly [curve: string]: readonly [oid: string, hash: string] } = {
  prime256v1: ['1.2.840.10045.4.3.2', 'sha256'],
  secp384r1: ['1.2.840.10045.4.3.3', 'sha384'],
  secp521r1: ['1.2.840.10045.4.3.4', 'sha512'],
};

function signatureOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): Signature {
  if (asymmetricKeyType === 'rsa')
    return { algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.11'), nothing()), hash: 'sha256' };
  if (asymmetricKeyType === 'ed25519') return { algorithm: sequence(objectIdentifier('1.3.101.112')), hash: null };
  const [type, hash] = ecdsa[asymmetricKeyDetails?.namedCurve ?? ''] ?? [];
  if (type === undefined || hash === undefined) throw new TypeError('keys of this type cannot sign certificates');
  return { algorithm: sequence(objectIdentifier(type)), hash };
}

function encodeSubject(parts: readonly NamePart[]): Der {
  const attribute = (type: string, text: string): Der => sequence(objectIdentifier(type), directoryString(text));
  const several = subjectParts.map((type) => namedParts(parts, type).map((text) => attribute(type, text)));
  const single = singleParts.map((type) => {
    const text = namedParts(parts, type).at(-1) ?? '';
    return text === '' ? [] : [attribute(type, text)];
  });
  return sequence(...[...several, ...single].filter((each) => each.length > 0).map((each) => set(...each)));
}

function directoryString(text: string): Der {
  return /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text) ? printableString(text) : utf8String(text);
}

function extensionsOf(
  { altNames }: CertificateRequest,
  { usages }: SigningTerms,
  { authority, subject }: { readonly authority: SigningAuthority; readonly subject: Der },
): readonly Der[] {
  const { keyUsage, extendedKeyUsage } = encodeUsages(usages);
  const { keyIdentifier } = authority;
  const names = generalNames(altNames);
  return [
    ...(keyUsage === undefined ? [] : [extension(oid.keyUsage, keyUsage, 'critical')]),
    ...(extendedKeyUsage === undefined ? [] : [extension(oid.extendedKeyUsage, extendedKeyUsage)]),
    extension(oid.basicConstraints, sequence(), 'critical'),
    ...(keyIdentifier === undefined || authority.subject.equals(subject)
      ? []
      : [extension(oid.authorityKeyIdentifier, sequence(implicit(0, keyIdentifier)))]),
    // Without a subject, the names are the only identity (RFC 5280, 4.2.1.6).
    ...(names.length === 0
      ? []
      : [extension(subjectAltNameOid, sequence(...names), subject.length > 2 ? undefined : 'critical')]),
  ];
}

function extension(type: string, value: Der, critical?: 'critical'): Der {
  return sequence(objectIdentifier(type), ...(critical ? [boolean(true)] : []), octetString(value));
}

function generalNames({ dnsNames, emailAddresses, ipAddresses, uris }: AltNames): readonly Der[] {
  return [
    ...dnsNames.map((name) => implicit(2, Buffer.from(name, 'latin1'))),
    ...emailAddresses.map((address) => implicit(1, Buffer.from(address, 'latin1'))),
    ...ipAddresses.map((address) => implicit(7, shortAddress(address))),
    ...uris.map((uri) => implicit(6, Buffer.from(uri, 'latin1'))),
  ];
}

const mappedPrefix = Buffer.from('00000000000000000000ffff', 'hex');

/** IPv4-mapped IPv6 addresses are written as IPv4. */
function shortAddress(address: Buffer): Buffer {
  return address.length === 16 && address.subarray(0, 12).equals(mappedPrefix) ? address.subarray(12) : address;
}
