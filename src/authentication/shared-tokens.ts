import type { Identity } from '../api/contracts/authentication.ts';

/** What a cache has begun to remember of a token. */
export interface RememberedToken {
  /** The name of the cache, which each thread has. */
  readonly cache: string;
  /** Instead of the token. */
  readonly key: string;
  /** Undefined: it is unknown. */
  readonly identity: Identity | undefined;
  readonly forMs: number;
}

/** Caches of tokens of several threads, which remember as one does: what one has learned, the others know as well. */
export class SharedTokens {
  readonly #tellOthers: (token: RememberedToken) => void;
  readonly #caches = new Map<string, (token: RememberedToken) => void>();

  constructor(tellOthers: (token: RememberedToken) => void) {
    this.#tellOthers = tellOthers;
  }

  /** `remember` gets what the cache of that name has learned in other threads. */
  follow(cache: string, remember: (token: RememberedToken) => void): void {
    this.#caches.set(cache, remember);
  }

  tell(token: RememberedToken): void {
    this.#tellOthers(token);
  }

  /** Another thread has told. */
  learn(token: RememberedToken): void {
    this.#caches.get(token.cache)?.(token);
  }
}
