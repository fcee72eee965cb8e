import { hash } from 'node:crypto';
import type { Credentials, PeerCertificates } from '../api/contracts/authentication.ts';
import type { Clock } from '../api/time/clock.ts';
import { ConfigError } from '../api/errors/config-error.ts';
import type { PartContext } from '../api/contracts/part.ts';
import { unauthorized } from '../api/errors/status-errors.ts';
import { LruMap } from '../api/collections/lru-map.ts';
import { type Certificate, parseCertificate } from '../codec/x509/certificate.ts';
import { certificateChain } from '../codec/x509/certificate-chain.ts';
import { DerError } from '../codec/x509/der.ts';
import { pemCertificates } from '../codec/x509/pem-certificates.ts';

/** Authorities by their PEM text. A server reads its own several times, and its clones do. */
const readTexts = new LruMap<string, readonly Certificate[]>(16);

/** The certificates of a PEM file. Throws a ConfigError. */
export function readAuthorities(path: string, pem: string): readonly Certificate[] {
  const before = readTexts.get(pem);
  if (before !== undefined) return before;
  try {
    const certificates = pemCertificates(pem);
    readTexts.set(pem, certificates);
    return certificates;
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    throw new ConfigError(`unable to load the certificates of ${path}: ${error.message}`, { cause: error });
  }
}

/** Client authorities of one purpose, as currently on disk. */
export class ClientAuthorities {
  #certificates: readonly Certificate[];
  #changes = 0;

  constructor(certificates: readonly Certificate[]) {
    this.#certificates = certificates;
  }

  /** The authorities of a file and of `more`, reread when the file changes. */
  static async ofFile(
    path: string,
    { readFile }: Pick<PartContext, 'readFile'>,
    more: readonly Certificate[] = [],
  ): Promise<ClientAuthorities> {
    const read = (text: string): readonly Certificate[] => [...more, ...readAuthorities(path, text)];
    const text = await readFile(path, (later) => authorities.#replace(read(later)));
    const authorities = new ClientAuthorities(read(text));
    return authorities;
  }

  /** Incremented on change: cached verdicts become invalid. */
  get changes(): number {
    return this.#changes;
  }

  includes(others: readonly Certificate[]): boolean {
    return others.some((other) => this.#certificates.some(({ encoded }) => encoded.equals(other.encoded)));
  }

  /** The chain from the client's certificate to one of these; undefined without a valid one. */
  chainOf([own, ...intermediates]: ShownCertificates, nowMs: number): readonly Certificate[] | undefined {
    return certificateChain(own, { authorities: this.#certificates, intermediates, purpose: 'client', nowMs });
  }

  #replace(certificates: readonly Certificate[]): void {
    this.#certificates = certificates;
    this.#changes += 1;
  }
}

type ShownCertificates = readonly [Certificate, ...(readonly Certificate[])];

/** Undefined for encodings that are not DER, which OpenSSL accepts. */
function parsed([own, ...issuers]: PeerCertificates): ShownCertificates | undefined {
  try {
    return [parseCertificate(own), ...issuers.map((each) => parseCertificate(each))];
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

const maxRemembered = 10_000;

/** Verified chains by the fingerprint of the client's certificate: a resumed TLS session has only that. */
const remembered = new LruMap<string, PeerCertificates>(maxRemembered);

function wholeOf(shown: PeerCertificates, fingerprint: string): PeerCertificates {
  const known = remembered.get(fingerprint);
  return known !== undefined && known.length > shown.length ? known : shown;
}

function remember(shown: PeerCertificates, fingerprint: string): void {
  if (shown.length > 1 && !remembered.has(fingerprint)) remembered.set(fingerprint, shown);
}

/** A verified client certificate. */
export interface ClientCertificate extends Certificate {
  /** SHA-256, in hexadecimal. */
  readonly fingerprint: string;
}

/** Cached per connection. */
interface Verified<T> {
  readonly value: T | undefined;
  readonly refused: boolean;
  /** When the client's certificate expires; undefined without a readable one. */
  readonly notAfterMs?: number | undefined;
  /** How long this holds. */
  readonly untilMs: number;
  readonly changes: number;
}

/** Certificates become valid, and clocks are set. */
const refusedForMs = 1_000;

export interface CertificateReader<T> {
  readonly authorities: ClientAuthorities;
  readonly clock: Clock;
  readonly read: (certificate: ClientCertificate) => T | undefined;
  /** Called by every request on a connection, with the remaining validity of its certificate. */
  readonly onShown?: (leftMs: number) => void;
}

/**
 * The result of `read` for a connection's certificate, computed once; undefined without a certificate. Throws a 401 for
 * one that no authority signed, or no longer, and whatever `read` throws.
 */
export function readOnce<T>(reader: CertificateReader<T>): (credentials: Credentials) => T | undefined {
  const { authorities, clock, onShown } = reader;
  const known = new WeakMap<object, Verified<T>>();
  return (credentials) => {
    const { connection } = credentials;
    let verified = known.get(connection);
    if (verified === undefined || verified.changes !== authorities.changes || verified.untilMs <= clock.now()) {
      verified = verify(credentials, reader);
      known.set(connection, verified);
    }
    if (onShown !== undefined && verified.notAfterMs !== undefined) onShown(verified.notAfterMs - clock.now());
    if (verified.refused) throw unauthorized();
    return verified.value;
  };
}

function verify<T>(credentials: Credentials, { authorities, clock, read }: CertificateReader<T>): Verified<T> {
  const { changes } = authorities;
  const shown = credentials.peer();
  if (shown === undefined) return { value: undefined, refused: false, untilMs: Number.POSITIVE_INFINITY, changes };
  const fingerprint = hash('sha256', shown[0], 'hex');
  const whole = wholeOf(shown, fingerprint);
  const certificates = parsed(whole);
  const nowMs = clock.now();
  const chain = certificates === undefined ? undefined : authorities.chainOf(certificates, nowMs);
  const notAfterMs = certificates?.[0].notAfterMs;
  if (certificates === undefined || chain === undefined) {
    return { value: undefined, refused: true, notAfterMs, untilMs: nowMs + refusedForMs, changes };
  }
  remember(whole, fingerprint);
  const untilMs = Math.min(...chain.map((each) => each.notAfterMs));
  return { value: read({ ...certificates[0], fingerprint }), refused: false, notAfterMs, untilMs, changes };
}
