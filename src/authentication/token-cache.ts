import { hash } from 'node:crypto';
import type { Clock } from '../api/time/clock.ts';
import type { Authenticator, Identity, PresentedToken } from '../api/contracts/authentication.ts';
import { deadlineIn, msUntil } from '../api/time/deadline.ts';
import { LruMap } from '../api/collections/lru-map.ts';
import type { RememberedToken, SharedTokens } from './shared-tokens.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';

/** How long a positive result is cached; rejections never are. */
export interface CacheTimes {
  readonly knownMs: number;
  /** How long an unknown token is remembered as such. */
  readonly unknownMs: number;
}

/** The reference's lifetime of cached tokens. */
const usual: CacheTimes = { knownMs: 10_000, unknownMs: 0 };
const maxKept = 10_000;

interface Kept {
  readonly identity: Identity | undefined;
  readonly deadlineMs: number;
}

export interface TokenCacheOptions {
  readonly metrics: TokenCacheMetrics;
  /** Absent: those of the reference. */
  readonly times?: CacheTimes;
  /** Among those of a thread. */
  readonly name: string;
  /** With the caches of that name in other threads; undefined: there are none. */
  readonly shared?: SharedTokens | undefined;
  /** When it is set forward, every token is authenticated again. */
  readonly clock?: Clock;
}

/** Caches authenticated tokens briefly, by hash. Concurrent requests with one token share one verification. */
export function cachedTokens(
  tokens: Authenticator<PresentedToken>,
  { metrics, times = usual, name, shared, clock }: TokenCacheOptions,
): Authenticator<PresentedToken> {
  const kept = new LruMap<string, Kept>(maxKept);
  const underWay = new Map<string, Promise<Identity | undefined>>();
  clock?.onJump?.(() => kept.clear());
  shared?.follow(name, (token) => remember(kept, token));
  const keep = (key: string, identity: Identity | undefined): Identity | undefined => {
    const forMs = identity === undefined ? times.unknownMs : times.knownMs;
    if (forMs <= 0) return identity;
    remember(kept, { key, identity, forMs });
    shared?.tell({ cache: name, key, identity, forMs });
    return identity;
  };
  const authenticate = (key: string, shown: PresentedToken): ReturnType<Authenticator['authenticate']> => {
    const fetched = metrics.fetching();
    let result: ReturnType<Authenticator['authenticate']>;
    try {
      result = tokens.authenticate(shown);
    } catch (error) {
      fetched('error');
      throw error;
    }
    if (!(result instanceof Promise)) {
      fetched('ok');
      return keep(key, result);
    }
    const pending = result
      .then(
        (late) => {
          fetched('ok');
          return keep(key, late);
        },
        (error: unknown) => {
          fetched('error');
          throw error;
        },
      )
      .finally(() => underWay.delete(key));
    underWay.set(key, pending);
    return pending;
  };
  // A connection presents the same object again and again.
  const keys = new WeakMap<PresentedToken, string>();
  return {
    authenticate(shown) {
      let key = keys.get(shown);
      if (key === undefined) keys.set(shown, (key = keyOf(shown)));
      const known = kept.get(key);
      if (known !== undefined && msUntil(known.deadlineMs) > 0) {
        metrics.hit();
        return known.identity;
      }
      kept.delete(key);
      const done = metrics.missed();
      let result: ReturnType<Authenticator['authenticate']>;
      try {
        result = underWay.get(key) ?? authenticate(key, shown);
      } catch (error) {
        done();
        throw error;
      }
      if (result instanceof Promise) return result.finally(done);
      done();
      return result;
    },
  };
}

function remember(kept: Map<string, Kept>, { key, identity, forMs }: Omit<RememberedToken, 'cache'>): void {
  kept.set(key, { identity, deadlineMs: deadlineIn(forMs) });
}

function keyOf({ token, audiences }: PresentedToken): string {
  return hash('sha256', audiences.length === 0 ? token : JSON.stringify([token, audiences]), 'base64');
}
