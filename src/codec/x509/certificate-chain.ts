import type { Certificate } from './certificate.ts';
import { signatureProblem } from './signature.ts';

export interface ChainOptions {
  /** Trusted. They need not be roots; the certificate itself may be among them. */
  readonly authorities: readonly Certificate[];
  /** What has been sent beside it. */
  readonly intermediates: readonly Certificate[];
  /** What all certificates of the chain must be for. */
  readonly purpose: Purpose;
  readonly nowMs: number;
}

const purposes = { client: '1.3.6.1.5.5.7.3.2', server: '1.3.6.1.5.5.7.3.1', any: '2.5.29.37.0' } as const;

export type Purpose = keyof typeof purposes;

/**
 * A chain from a certificate to an authority, as Go's `Certificate.Verify` looks for it; undefined when there
 * is none. OpenSSL, which verifies in the handshake, insists on roots, tries one authority of a name only, and does not
 * take certificates for any purpose.
 */
export function certificateChain(certificate: Certificate, options: ChainOptions): readonly Certificate[] | undefined {
  if (!isInForce(certificate, options.nowMs)) return undefined;
  const isTrusted = options.authorities.some(({ encoded }) => encoded.equals(certificate.encoded));
  if (!isTrusted) return new ChainSearch(options).from([certificate]);
  return isFor(options.purpose, [certificate]) ? [certificate] : undefined;
}

/** Bounds the work that crafted certificates cause. */
const maxSignatures = 20;

class ChainSearch {
  readonly #options: ChainOptions;
  #signatures = 0;

  constructor(options: ChainOptions) {
    this.#options = options;
  }

  from(chain: readonly Certificate[]): readonly Certificate[] | undefined {
    const { authorities, intermediates, purpose } = this.#options;
    for (const authority of authorities) {
      const whole = [...chain, authority];
      if (this.#hasIssued(authority, chain) && isFor(purpose, whole)) return whole;
    }
    for (const intermediate of intermediates) {
      if (!intermediate.isAuthority || !this.#hasIssued(intermediate, chain)) continue;
      const whole = this.from([...chain, intermediate]);
      if (whole !== undefined) return whole;
    }
    return undefined;
  }

  /** Whether the certificate may follow the chain. */
  #hasIssued(issuer: Certificate, chain: readonly Certificate[]): boolean {
    const last = chain.at(-1);
    if (last === undefined || !issuer.subject.encoded.equals(last.issuer.encoded)) return false;
    if (chain.some((each) => isSame(each, issuer)) || !maySign(issuer)) return false;
    if (!isInForce(issuer, this.#options.nowMs)) return false;
    if (issuer.maxPathLength !== undefined && chain.length - 1 > issuer.maxPathLength) return false;
    this.#signatures += 1;
    if (this.#signatures > maxSignatures) return false;
    return signatureProblem({ ...last.signed, publicKey: issuer.publicKey, isCertificate: true }) === undefined;
  }
}

function isInForce({ notBeforeMs, notAfterMs, isUnclear }: Certificate, nowMs: number): boolean {
  return !isUnclear && notBeforeMs <= nowMs && nowMs <= notAfterMs;
}

/** Issuers that have signed each other would be a circle. */
function isSame(one: Certificate, other: Certificate): boolean {
  if (!one.subject.encoded.equals(other.subject.encoded)) return false;
  return one.publicKey !== undefined && other.publicKey?.encoded.equals(one.publicKey.encoded) === true;
}

/** Before version 3 there was no way to tell. */
export function maySign({ version, hasBasicConstraints, isAuthority, signsCertificates }: Certificate): boolean {
  return signsCertificates && (hasBasicConstraints ? isAuthority : version < 3);
}

/**
 * The purposes of all of them include the given one. Constraints of names are not compared with names: where there
 * are both, the chain is refused.
 */
function isFor(purpose: Purpose, chain: readonly Certificate[]): boolean {
  const constrainedAt = chain.findLastIndex(({ constrainsNames }) => constrainsNames);
  if (chain.slice(0, Math.max(constrainedAt, 0)).some(hasNames)) return false;
  if (purpose === 'any') return true;
  const wanted: readonly string[] = [purposes[purpose], purposes.any];
  return chain.every(({ purposes: given }) => given.length === 0 || given.some((each) => wanted.includes(each)));
}

function hasNames({ altNames }: Certificate): boolean {
  return Object.values(altNames).some(({ length }) => length > 0);
}
