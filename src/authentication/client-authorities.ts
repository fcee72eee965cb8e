import { X509Certificate } from 'node:crypto';
import type { Credentials, PeerCertificates } from '../api/authentication.ts';
import type { Clock } from '../api/clock.ts';
import { ConfigError } from '../api/config-error.ts';
import type { PartContext } from '../api/part.ts';
import { unauthorized } from '../api/status-errors.ts';
import { DerError } from '../codec/x509/der.ts';
import { type NamePart, readSubject } from '../codec/x509/distinguished-name.ts';

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM file. OpenSSL skips what it cannot parse, and would then trust nobody. Throws a
 * ConfigError.
 */
export function readAuthorities(path: string, pem: string): readonly X509Certificate[] {
  const blocks = pem.match(pemBlock) ?? [];
  if (blocks.length === 0) throw new ConfigError(`${path} contains no certificates`);
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch (error) {
    throw new ConfigError(`${path} contains an invalid certificate`, { cause: error });
  }
}

/**
 * Client authorities of one purpose, as currently on disk. The TLS handshake verified the chain against the authorities
 * of all purposes.
 */
export class ClientAuthorities {
  #fingerprints: ReadonlySet<string>;
  #changes = 0;

  constructor(authorities: readonly X509Certificate[]) {
    this.#fingerprints = fingerprintsOf(authorities);
  }

  /** The authorities of a file and of `more`, reread when the file changes. */
  static async ofFile(
    path: string,
    { readFile }: Pick<PartContext, 'readFile'>,
    more: readonly X509Certificate[] = [],
  ): Promise<ClientAuthorities> {
    const read = (text: string): readonly X509Certificate[] => [...more, ...readAuthorities(path, text)];
    const text = await readFile(path, (later) => authorities.#replace(read(later)));
    const authorities = new ClientAuthorities(read(text));
    return authorities;
  }

  /** Incremented on change: cached verdicts become invalid. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether one of them has signed the client's certificate, directly or through intermediates. */
  vouchFor(chain: readonly string[]): boolean {
    return chain.some((fingerprint) => this.#fingerprints.has(fingerprint));
  }

  #replace(authorities: readonly X509Certificate[]): void {
    this.#fingerprints = fingerprintsOf(authorities);
    this.#changes += 1;
  }
}

function fingerprintsOf(authorities: readonly X509Certificate[]): ReadonlySet<string> {
  return new Set(authorities.map(({ fingerprint256 }) => fingerprint256));
}

/** The verified certificate of a client. */
interface VerifiedChain {
  /** SHA-256 fingerprints, the client's own certificate first. */
  readonly fingerprints: readonly string[];
  /** The earliest expiry in the chain. */
  readonly untilMs: number;
}

const maxRemembered = 10_000;

/** Chains by the fingerprint of the leaf: a resumed TLS session has only that. */
const remembered = new Map<string, VerifiedChain>();

function chainOf({ chain }: PeerCertificates): VerifiedChain {
  const [{ fingerprint256: own }] = chain;
  const known = remembered.get(own);
  if (known !== undefined && known.fingerprints.length > chain.length) return known;
  const ends = chain.map(({ valid_to }) => Date.parse(valid_to));
  const made = { fingerprints: chain.map(({ fingerprint256 }) => fingerprint256), untilMs: Math.min(...ends) };
  const [oldest] = remembered.keys();
  if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest);
  remembered.set(own, made);
  return made;
}

/** The parsed certificate of a client. */
export interface ClientCertificate {
  readonly fingerprint256: string;
  readonly subject: readonly NamePart[];
}

/** Cached per connection for as long as it is valid. */
interface Judged<T> {
  readonly told: T | undefined;
  readonly refused: boolean;
  readonly untilMs: number;
  readonly changes: number;
}

/**
 * The result of `read` for a connection's certificate, computed once; undefined without a certificate. Throws a 401 for
 * one that no authority signed, or no longer, and whatever `read` throws.
 */
export function readOnce<T>(
  authorities: ClientAuthorities,
  clock: Clock,
  read: (certificate: ClientCertificate) => T | undefined,
): (credentials: Credentials) => T | undefined {
  const known = new WeakMap<object, Judged<T>>();
  const judge = (credentials: Credentials): Judged<T> => {
    const { changes } = authorities;
    const shown = credentials.peer();
    const untold = { told: undefined, untilMs: Number.POSITIVE_INFINITY, changes };
    if (shown === undefined) return { ...untold, refused: false };
    const chain = shown.verified ? chainOf(shown) : undefined;
    const isGood = chain !== undefined && chain.untilMs > clock.now() && authorities.vouchFor(chain.fingerprints);
    const [{ raw, fingerprint256 }] = shown.chain;
    const subject = isGood ? subjectOf(raw) : undefined;
    if (!isGood || subject === undefined) return { ...untold, refused: true };
    return { told: read({ fingerprint256, subject }), refused: false, untilMs: chain.untilMs, changes };
  };
  return (credentials) => {
    const { connection } = credentials;
    let judged = known.get(connection);
    if (judged === undefined || judged.changes !== authorities.changes || judged.untilMs <= clock.now()) {
      judged = judge(credentials);
      known.set(connection, judged);
    }
    if (judged.refused) throw unauthorized();
    return judged.told;
  };
}

/** Undefined for encodings that OpenSSL accepts although they are not DER. */
function subjectOf(raw: Buffer): readonly NamePart[] | undefined {
  try {
    return readSubject(raw);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}
