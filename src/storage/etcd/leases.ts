/** Grants a lease of so many seconds; answers its id. */
export type GrantLease = (ttlSeconds: number) => Promise<bigint>;

/** kube-apiserver's --lease-reuse-duration-seconds. */
const defaultReuseSeconds = 60;
const reuseShare = 0.05;
const maxKeys = 1000;

interface Lease {
  readonly id: bigint;
  readonly expiresAtMs: number;
  /** Keys that were given it. */
  keys: number;
}

/**
 * Leases for keys with a time to live. Leases are expensive, and all keys of a kind live equally long: one lease serves those that are written
 * within a minute, or 5 % of their time to live when that is less, up to 1000 keys. It is granted for so much longer.
 */
export class Leases {
  readonly #grant: GrantLease;
  readonly #reuseSeconds: number;
  readonly #now: () => number;
  #latest: Lease | undefined;
  #granting: Promise<Lease> | undefined;

  constructor(grant: GrantLease, reuseSeconds = defaultReuseSeconds, now: () => number = Date.now) {
    this.#grant = grant;
    this.#reuseSeconds = reuseSeconds;
    this.#now = now;
  }

  /** A lease under which a key written now lives for at least `ttlSeconds`. */
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
      // Of many who come at once one asks; the others look again at what was granted.
      if (this.#granting !== undefined) {
        await this.#granting;
        continue;
      }
      this.#granting = this.#grantFor(ttlSeconds + extraSeconds).finally(() => (this.#granting = undefined));
      const { id } = await this.#granting;
      return id;
    }
  }

  /** The lease turned out to be gone. */
  forget(id: bigint): void {
    if (this.#latest?.id === id) this.#latest = undefined;
  }

  async #grantFor(seconds: number): Promise<Lease> {
    const askedMs = this.#now();
    const id = await this.#grant(seconds);
    this.#latest = { id, expiresAtMs: askedMs + seconds * 1000, keys: 1 };
    return this.#latest;
  }
}
