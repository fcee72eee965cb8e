import { hash } from 'node:crypto';
import type { Authenticator, Identity, PresentedToken } from '../api/authentication.ts';
import type { Clock } from '../api/clock.ts';

/** As long as kube-apiserver believes in a token without looking at it again. */
const keptMs = 10_000;
const maxKept = 10_000;

interface Kept {
  readonly identity: Identity;
  readonly untilMs: number;
}

/** Remembers for a short time whom tokens have told, by hashes of the tokens. What was refused is judged anew. */
export function cachedTokens(tokens: Authenticator<PresentedToken>, clock: Clock): Authenticator<PresentedToken> {
  const kept = new Map<string, Kept>();
  return {
    authenticate(shown) {
      const { token, audiences } = shown;
      const key = hash('sha256', audiences.length === 0 ? token : JSON.stringify([token, audiences]), 'base64');
      const known = kept.get(key);
      const now = clock.now();
      if (known !== undefined && known.untilMs > now) return known.identity;
      kept.delete(key);
      const keep = (identity: Identity | undefined): Identity | undefined => {
        if (identity === undefined) return undefined;
        const [oldest] = kept.keys();
        if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
        kept.set(key, { identity, untilMs: now + keptMs });
        return identity;
      };
      const answer = tokens.authenticate(shown);
      return answer instanceof Promise ? answer.then(keep) : keep(answer);
    },
  };
}
