import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { parseIpAddress } from '../../api/values/ip-address.ts';
import {
  bitString,
  boolean,
  type Der,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der-writer.ts';
import { pemOf } from './pem.ts';

/** The attributes of a subject that authentication reads. */
export interface DistinguishedName {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

export interface CertificateTemplate {
  readonly subject: DistinguishedName;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly usage: 'authority' | 'server' | 'client';
  /** What a server certificate is valid for. */
  readonly names?: ServerNames;
}

export interface ServerNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** The issuer. */
export interface Issuer {
  readonly name: DistinguishedName;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A new key on the curve P-256. */
export function generateKeyPair(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** An X.509 v3 certificate (RFC 5280) for a key, as PEM. Keys are on the curve P-256. */
export function issueCertificate(template: CertificateTemplate, publicKey: KeyObject, issuer: Issuer): string {
  const algorithm = sequence(objectIdentifier(oid.ecdsaWithSha256));
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    // A positive number of less than 20 bytes.
    integer(randomBytes(16)),
    algorithm,
    encodeName(issuer.name),
    sequence(time(template.notBeforeMs), time(template.notAfterMs)),
    encodeName(template.subject),
    spkiOf(publicKey),
    explicit(3, sequence(...extensionsOf(template, publicKey, issuer))),
  );
  return pemOf('CERTIFICATE', sequence(body, algorithm, bitString(sign('sha256', body, issuer.privateKey))));
}

const oid = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

function encodeName({ commonName, organizations = [] }: DistinguishedName): Der {
  const attribute = (type: string, value: string) => set(sequence(objectIdentifier(type), utf8String(value)));
  const before = organizations.map((each) => attribute(oid.organization, each));
  return sequence(...before, attribute(oid.commonName, commonName));
}

function extensionsOf(template: CertificateTemplate, publicKey: KeyObject, issuer: Issuer): readonly Der[] {
  const isAuthority = template.usage === 'authority';
  const common = [
    extension(oid.basicConstraints, isAuthority ? sequence(boolean(true)) : sequence(), 'critical'),
    extension(oid.subjectKeyIdentifier, octetString(keyIdentifier(publicKey))),
    extension(oid.authorityKeyIdentifier, sequence(implicit(0, keyIdentifier(issuer.publicKey)))),
  ];
  // Bits from the left: digitalSignature 0, keyCertSign 5, cRLSign 6.
  if (isAuthority) return [...common, extension(oid.keyUsage, bitString(Buffer.from([0b10000110]), 1), 'critical')];
  const purpose = template.usage === 'server' ? oid.serverAuth : oid.clientAuth;
  return [
    ...common,
    extension(oid.keyUsage, bitString(Buffer.from([0b10000000]), 7), 'critical'),
    extension(oid.extendedKeyUsage, sequence(objectIdentifier(purpose))),
    ...(template.names ? [extension(oid.subjectAltName, sequence(...generalNames(template.names)))] : []),
  ];
}

function extension(type: string, value: Der, critical?: 'critical'): Der {
  return sequence(objectIdentifier(type), ...(critical ? [boolean(true)] : []), octetString(value));
}

/** RFC 5280, 4.2.1.6: a DNS name is `[2]`, an address `[7]` of 4 or 16 bytes. */
function generalNames({ dnsNames, ipAddresses }: ServerNames): readonly Der[] {
  return [
    ...dnsNames.map((name) => implicit(2, Buffer.from(name, 'ascii'))),
    ...ipAddresses.map((text) => implicit(7, addressBytes(text))),
  ];
}

function addressBytes(text: string): Buffer {
  const address = parseIpAddress(text);
  if (!address) throw new TypeError(`not an IP address: ${text}`);
  return Buffer.from(address.value.toString(16).padStart(address.family === 4 ? 8 : 32, '0'), 'hex');
}

function spkiOf(publicKey: KeyObject): Der {
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** RFC 7093, method 1: the first 20 bytes of the key's SHA-256. A P-256 point is the last 65 bytes of its SPKI. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha256').update(spkiOf(publicKey).subarray(-65)).digest().subarray(0, 20);
}
