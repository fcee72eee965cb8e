import type { AuthorizationResult, Authorizer } from '../api/contracts/authorization.ts';
import type { PartContext } from '../api/contracts/part.ts';
import { exponentialBuckets } from '../api/metrics/buckets.ts';
import { TimedCounter } from '../api/metrics/timed-counter.ts';
import { secondsSince } from '../api/time/seconds-since.ts';

/** Measures the authorization of requests: how often it has which result, and how long it takes. */
export function measuredRequests(
  authorizer: Pick<Authorizer, 'authorize'>,
  { metric }: Pick<PartContext, 'metric'>,
): Pick<Authorizer, 'authorize'> {
  const attempts = new TimedCounter(metric, {
    labelNames: ['result'],
    count: { name: 'authorization_attempts_total', help: 'Authorizations of requests, by result.' },
    duration: {
      name: 'authorization_duration_seconds',
      help: 'How long authorizations of requests took, by result.',
      buckets: exponentialBuckets(0.001, 15),
    },
  });
  const counters = new Map(
    ['allowed', 'denied', 'no-opinion', 'error'].map((result) => [result, attempts.counter({ result })]),
  );
  const ended = (result: AuthorizationResult, startMs: number): AuthorizationResult => {
    counters.get(labelOf(result))?.(secondsSince(startMs));
    return result;
  };
  return {
    authorize(attributes) {
      const startMs = performance.now();
      const result = authorizer.authorize(attributes);
      return result instanceof Promise ? result.then((late) => ended(late, startMs)) : ended(result, startMs);
    },
  };
}

function labelOf({ decision, error }: AuthorizationResult): string {
  if (decision === 'allow') return 'allowed';
  if (error !== undefined) return 'error';
  return decision === 'deny' ? 'denied' : 'no-opinion';
}
