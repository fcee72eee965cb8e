import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { goQuote } from '../api/go-quote.ts';
import { formatIpAddress } from '../api/ip-address.ts';
import { formatTime } from '../api/time.ts';
import { type Certificate, parseCertificate } from '../codec/x509/certificate.ts';
import { DerError } from '../codec/x509/der.ts';
import { commonNameOid, namedParts, organizationOid, readSubject } from '../codec/x509/distinguished-name.ts';
import { pemBlocks } from '../codec/x509/pem.ts';

/** PEM of the authorities that are trusted; absent: those of the host. */
export type Authorities = SecureContextOptions['ca'];

export interface RefusedServer {
  /** A DNS name or an address. */
  readonly name: string;
  /** Whether the certificate is for that name. */
  readonly isNamed: boolean;
  /** Why OpenSSL does not trust the certificate, if it does not. */
  readonly failure: string;
  readonly authorities: Authorities;
}

/** Why the certificate of a server is refused, as Go tells: its time comes before its names, these before its authority. */
export function certificateProblem(certificate: X509Certificate, refused: RefusedServer): string {
  let parsed: Certificate;
  try {
    parsed = parseCertificate(certificate.raw);
  } catch (error) {
    if (error instanceof DerError) return `tls: failed to parse certificate from server: ${error.message}`;
    throw error;
  }
  const why =
    timeProblem(parsed) ??
    (refused.isNamed ? undefined : nameProblem(certificate, parsed, refused.name)) ??
    chainProblem(certificate, refused.failure, certificatesOf(refused.authorities));
  return `tls: failed to verify certificate: x509: ${why}`;
}

function certificatesOf(authorities: Authorities = []): readonly X509Certificate[] {
  const blocks = [authorities].flat().flatMap((pem) => pemBlocks(pem));
  return blocks.filter(({ type }) => type === 'CERTIFICATE').map(({ bytes }) => new X509Certificate(bytes));
}

function timeProblem({ notBeforeMs, notAfterMs }: Pick<Certificate, 'notBeforeMs' | 'notAfterMs'>): string | undefined {
  const now = Date.now();
  const text = (epochMs: number): string => formatTime({ epochMs });
  const why = (relation: string): string =>
    `certificate has expired or is not yet valid: current time ${text(now)} is ${relation}`;
  if (now < notBeforeMs) return why(`before ${text(notBeforeMs)}`);
  return now > notAfterMs ? why(`after ${text(notAfterMs)}`) : undefined;
}

const maxShownNames = 100;

function nameProblem({ raw, subjectAltName }: X509Certificate, { altNames }: Certificate, name: string): string {
  const [commonName = ''] = namedParts(readSubject(raw), commonNameOid);
  if (subjectAltName === undefined && isPatternOf(commonName, name)) {
    return 'certificate relies on legacy Common Name field, use SANs instead';
  }
  const isAddress = isIP(name) !== 0;
  const names = isAddress ? altNames.ipAddresses.map(addressText) : altNames.dnsNames;
  if (isAddress && names.length === 0) {
    return `cannot validate certificate for ${name} because it doesn't contain any IP SANs`;
  }
  if (names.length >= maxShownNames) {
    return `certificate is valid for ${names.length} ${isAddress ? 'IP SANs' : 'names'}, but none matched ${name}`;
  }
  if (names.length === 0) return `certificate is not valid for any names, but wanted to match ${name}`;
  return `certificate is valid for ${names.join(', ')}, not ${name}`;
}

function addressText(bytes: Buffer): string {
  return formatIpAddress({ family: bytes.length === 4 ? 4 : 6, value: BigInt(`0x${bytes.toString('hex')}`) });
}

/** Whether a name matches, of which the first label may be `*`. */
function isPatternOf(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('.');
  const [label = '', ...others] = name.toLowerCase().split('.');
  return pattern !== '' && (first === '*' || first === label) && rest.join('.') === others.join('.');
}

function chainProblem(certificate: X509Certificate, failure: string, authorities: readonly X509Certificate[]): string {
  if (failure === 'INVALID_PURPOSE') return 'certificate specifies an incompatible key usage';
  const chain = chainOf(certificate);
  const parents = chain.flatMap((child) =>
    authorities.filter(({ subject }) => subject === child.issuer).map((parent) => ({ parent, child })),
  );
  for (const { raw } of [...chain, ...parents.map(({ parent }) => parent)]) {
    const outOfTime = timeProblem(parseCertificate(raw));
    if (outOfTime !== undefined) return outOfTime;
  }
  const unknown = 'certificate signed by unknown authority';
  const [candidate] = parents.flatMap(({ parent, child }) => signatureProblem(parent, child) ?? []);
  return candidate === undefined ? unknown : `${unknown} (possibly because of ${candidate})`;
}

/** The certificate of the server and what it has sent with it. */
function chainOf(certificate: X509Certificate): readonly X509Certificate[] {
  const chain = [certificate];
  for (let next = certificate.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    if (chain.some(({ fingerprint256 }) => fingerprint256 === next?.fingerprint256)) break;
    chain.push(next);
  }
  return chain;
}

/** By the type of a key. */
const signatureFailures: { readonly [type: string]: string } = {
  rsa: 'crypto/rsa: verification error',
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
};

/** Why an authority, which has the name of the issuer, is not the one. */
function signatureProblem(parent: X509Certificate, child: X509Certificate): string | undefined {
  const { publicKey, ca } = parent;
  if (ca && child.verify(publicKey)) return undefined;
  const why = ca
    ? (signatureFailures[publicKey.asymmetricKeyType ?? ''] ?? '')
    : 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  return `${goQuote(why)} while trying to verify candidate authority certificate ${goQuote(nameOf(parent))}`;
}

function nameOf({ raw, serialNumber }: X509Certificate): string {
  const parts = readSubject(raw);
  const [name = '', organization] = [commonNameOid, organizationOid].flatMap((oid) =>
    namedParts(parts, oid).slice(0, 1),
  );
  return name || (organization ?? `serial:${BigInt(`0x${serialNumber}`)}`);
}
