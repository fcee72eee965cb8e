/** Grants a lease with a TTL; resolves to its id. */
export type GrantLease = (ttlSeconds: number) => Promise<bigint>;

/** kube-apiserver's --lease-reuse-duration-seconds. */
const defaultReuseSeconds = 60;
const reuseShare = 0.05;
const maxKeys = 1000;

export interface LeaseOptions {
  readonly reuseSeconds?: number | undefined;
  readonly now?: () => number;
  /** Called with the number of keys attached to a lease, when it gets no more. */
  readonly onReplaced?: ((keys: number) => void) | undefined;
}

interface Lease {
  readonly id: bigint;
  readonly expiresAtMs: number;
  /** Number of keys attached to it. */
  keys: number;
}

/**
 * Leases for keys with a TTL. Leases are expensive, and all keys of a kind have the same TTL: one lease is shared by up
 * to 1000 keys that are written within a minute, or within 5 % of the TTL if that is less, and is extended by that
 * time.
 */
export class Leases {
  readonly #grant: GrantLease;
  readonly #onReplaced: (keys: number) => void;
  readonly #reuseSeconds: number;
  readonly #now: () => number;
  #latest: Lease | undefined;
  #granting: Promise<Lease> | undefined;

  constructor(
    grant: GrantLease,
    { reuseSeconds = defaultReuseSeconds, now = Date.now, onReplaced = () => undefined }: LeaseOptions = {},
  ) {
    this.#grant = grant;
    this.#reuseSeconds = reuseSeconds;
    this.#now = now;
    this.#onReplaced = onReplaced;
  }

  /** Returns a lease under which a key written now lives for at least `ttlSeconds`. */
  async take(ttlSeconds: number): Promise<bigint> {
    const extraSeconds = Math.min(this.#reuseSeconds, Math.floor(ttlSeconds * reuseShare));
    for (;;) {
      const { keys = maxKeys, expiresAtMs = 0 } = this.#latest ?? {};
      const remainingMs = expiresAtMs - this.#now();
      const fits = remainingMs > ttlSeconds * 1000 && remainingMs <= (ttlSeconds + extraSeconds) * 1000;
      if (this.#latest !== undefined && fits && keys < maxKeys) {
        this.#latest.keys += 1;
        return this.#latest.id;
      }
      // Of concurrent callers one requests a lease; the others then check the result.
      if (this.#granting !== undefined) {
        await this.#granting;
        continue;
      }
      this.#granting = this.#grantFor(ttlSeconds + extraSeconds).finally(() => (this.#granting = undefined));
      const { id } = await this.#granting;
      return id;
    }
  }

  /** The lease no longer exists. */
  forget(id: bigint): void {
    if (this.#latest?.id === id) this.#replace(undefined);
  }

  async #grantFor(seconds: number): Promise<Lease> {
    const askedMs = this.#now();
    const id = await this.#grant(seconds);
    const lease = { id, expiresAtMs: askedMs + seconds * 1000, keys: 1 };
    this.#replace(lease);
    return lease;
  }

  #replace(lease: Lease | undefined): void {
    if (this.#latest !== undefined) this.#onReplaced(this.#latest.keys);
    this.#latest = lease;
  }
}
