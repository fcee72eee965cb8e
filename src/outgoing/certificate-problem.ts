import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { systemClock } from '../api/time/clock.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { formatIpAddress } from '../api/values/ip-address.ts';
import { formatTime } from '../api/time/time.ts';
import { certificateChain, maySign } from '../codec/x509/certificate-chain.ts';
import { type Certificate, parseCertificate } from '../codec/x509/certificate.ts';
import { DerError } from '../codec/x509/der.ts';
import { commonNameOid, namedParts, organizationOid } from '../codec/x509/distinguished-name.ts';
import { pemBlocks } from '../codec/x509/pem.ts';
import { signatureProblem } from '../codec/x509/signature.ts';

/** PEM of the authorities that are trusted; absent: those of the host. */
export type Authorities = SecureContextOptions['ca'];

export interface DoubtfulServer {
  /** A DNS name or an address. */
  readonly name: string;
  /** Whether the certificate is for that name. */
  readonly isNamed: boolean;
  readonly authorities: Authorities;
}

/**
 * Why Go refuses the certificate of a server: its time comes before its names, these before its authority. Undefined if
 * Go, unlike OpenSSL, trusts it.
 */
export function certificateProblem(shown: X509Certificate, server: DoubtfulServer): string | undefined {
  let chain: readonly Certificate[];
  try {
    chain = sentChain(shown);
  } catch (error) {
    if (error instanceof DerError) return `tls: failed to parse certificate from server: ${error.message}`;
    throw error;
  }
  const [own, ...intermediates] = chain as [Certificate, ...Certificate[]]; // its own is there
  const why =
    timeProblem(own) ??
    (server.isNamed ? undefined : nameProblem(own, server.name)) ??
    chainProblem(own, { intermediates, authorities: certificatesOf(server.authorities) });
  return why === undefined ? undefined : `tls: failed to verify certificate: x509: ${why}`;
}

/** The certificate of a server and what it has sent with it. Throws DerError. */
function sentChain(shown: X509Certificate): readonly Certificate[] {
  const chain: Certificate[] = [];
  for (let next: X509Certificate | undefined = shown; next !== undefined; next = next.issuerCertificate) {
    const { raw } = next;
    if (chain.some(({ encoded }) => encoded.equals(raw))) break;
    chain.push(parseCertificate(raw));
  }
  return chain;
}

function certificatesOf(authorities: Authorities = []): readonly Certificate[] {
  const blocks = [authorities].flat().flatMap((pem) => pemBlocks(pem));
  return blocks.filter(({ type }) => type === 'CERTIFICATE').flatMap(({ bytes }) => readable(bytes) ?? []);
}

function readable(bytes: Buffer): Certificate | undefined {
  try {
    return parseCertificate(bytes);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

function timeProblem({ notBeforeMs, notAfterMs }: Certificate): string | undefined {
  const now = systemClock.now();
  const text = (epochMs: number): string => formatTime({ epochMs });
  const why = (relation: string): string =>
    `certificate has expired or is not yet valid: current time ${text(now)} is ${relation}`;
  if (now < notBeforeMs) return why(`before ${text(notBeforeMs)}`);
  return now > notAfterMs ? why(`after ${text(notAfterMs)}`) : undefined;
}

const maxShownNames = 100;

function nameProblem({ altNames, subject }: Certificate, name: string): string {
  const [commonName = ''] = namedParts(subject.parts, commonNameOid);
  const hasNames = Object.values(altNames).some(({ length }) => length > 0);
  if (!hasNames && isPatternOf(commonName, name)) {
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

interface Trust {
  readonly intermediates: readonly Certificate[];
  readonly authorities: readonly Certificate[];
}

function chainProblem(own: Certificate, { intermediates, authorities }: Trust): string | undefined {
  const options = { intermediates, authorities, nowMs: systemClock.now() };
  if (certificateChain(own, { ...options, purpose: 'server' }) !== undefined) return undefined;
  if (certificateChain(own, { ...options, purpose: 'any' }) !== undefined) {
    return 'certificate specifies an incompatible key usage';
  }
  const children = [own, ...intermediates];
  const parents = children.flatMap((child) =>
    authorities
      .filter(({ subject }) => subject.encoded.equals(child.issuer.encoded))
      .map((parent) => ({ parent, child })),
  );
  for (const each of [...intermediates, ...parents.map(({ parent }) => parent)]) {
    const outOfTime = timeProblem(each);
    if (outOfTime !== undefined) return outOfTime;
  }
  const unknown = 'certificate signed by unknown authority';
  const [candidate] = parents.flatMap(({ parent, child }) => authorityProblem(parent, child) ?? []);
  return candidate === undefined ? unknown : `${unknown} (possibly because of ${candidate})`;
}

/** Why an authority, which has the name of the issuer, is not the one. */
function authorityProblem(parent: Certificate, child: Certificate): string | undefined {
  const why = maySign(parent)
    ? signatureProblem({ ...child.signed, publicKey: parent.publicKey, isCertificate: true })
    : 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  if (why === undefined) return undefined;
  return `${goQuote(why)} while trying to verify candidate authority certificate ${goQuote(nameOf(parent))}`;
}

function nameOf({ subject: { parts } }: Certificate): string {
  const [commonName = ''] = namedParts(parts, commonNameOid);
  const [organization = ''] = namedParts(parts, organizationOid);
  return commonName || organization;
}
