import { hash } from 'node:crypto';
import type { Authenticator, Identity, PresentedToken } from '../api/authentication.ts';
import type { Clock } from '../api/clock.ts';

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
  readonly untilMs: number;
}

/** Caches authenticated tokens briefly, by hash. Concurrent requests with one token share one verification. */
export function cachedTokens(
  tokens: Authenticator<PresentedToken>,
  clock: Clock,
  times: CacheTimes = usual,
): Authenticator<PresentedToken> {
  const kept = new Map<string, Kept>();
  const judging = new Map<string, Promise<Identity | undefined>>();
  const keep = (key: string, identity: Identity | undefined): Identity | undefined => {
    const keptMs = identity === undefined ? times.unknownMs : times.knownMs;
    if (keptMs <= 0) return identity;
    const [oldest] = kept.keys();
    if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
    kept.set(key, { identity, untilMs: clock.now() + keptMs });
    return identity;
  };
  return {
    authenticate(shown) {
      const { token, audiences } = shown;
      const key = hash('sha256', audiences.length === 0 ? token : JSON.stringify([token, audiences]), 'base64');
      const known = kept.get(key);
      if (known !== undefined && known.untilMs > clock.now()) return known.identity;
      kept.delete(key);
      const under = judging.get(key);
      if (under !== undefined) return under;
      const answer = tokens.authenticate(shown);
      if (!(answer instanceof Promise)) return keep(key, answer);
      const judged = answer.then((late) => keep(key, late)).finally(() => judging.delete(key));
      judging.set(key, judged);
      return judged;
    },
  };
}
