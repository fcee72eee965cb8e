import type { PartContext } from '../api/contracts/part.ts';
import { defaultBuckets } from '../api/metrics/buckets.ts';
import { secondsSince } from '../api/time/seconds-since.ts';

/** Counts the use of caches of authenticated tokens, by the names of kube-apiserver. */
export interface TokenCacheMetrics {
  /** A token was known. */
  readonly hit: () => void;
  /** A token has to be verified, or waits for another request with it; the result is to be called at the end. */
  readonly missed: () => () => void;
  /** The verification of a token begins; likewise. */
  readonly fetching: () => (status: 'ok' | 'error') => void;
}

export function tokenCacheMetrics({ metric }: Pick<PartContext, 'metric'>): TokenCacheMetrics {
  const labelNames = ['status'];
  const named = (name: string) => ({ name: `authentication_token_cache_${name}`, labelNames });
  const requests = metric({ ...named('request_total'), type: 'counter', help: 'Presented tokens, by hit and miss.' });
  const durations = metric({
    ...named('request_duration_seconds'),
    type: 'histogram',
    buckets: defaultBuckets,
    help: 'How long presented tokens took, by hit and miss.',
  });
  const fetches = metric({ ...named('fetch_total'), type: 'counter', help: 'Verifications of tokens, by result.' });
  const active = metric({
    ...named('active_fetch_count'),
    type: 'gauge',
    overThreads: 'sum',
    help: 'Requests that wait for a verification, and verifications under way.',
  });
  const [hits, hitTimes] = [requests.counter({ status: 'hit' }), durations.observer({ status: 'hit' })];
  const running = { blocked: 0, in_flight: 0 };
  const change = (status: keyof typeof running, by: number): void => {
    running[status] += by;
    active.set(running[status], { status });
  };
  return {
    hit() {
      hits();
      // Times are in whole milliseconds.
      hitTimes(0);
    },
    missed() {
      const startMs = performance.now();
      change('blocked', 1);
      return () => {
        change('blocked', -1);
        requests.add({ status: 'miss' });
        durations.observe(Math.floor(secondsSince(startMs) * 1_000) / 1_000, { status: 'miss' });
      };
    },
    fetching() {
      change('in_flight', 1);
      return (status) => {
        change('in_flight', -1);
        fetches.add({ status });
      };
    },
  };
}
