import type { AuthorizationResult, Authorizer } from '../api/contracts/authorization.ts';
import type { PartContext } from '../api/contracts/part.ts';
import { secondsSince } from '../api/time/seconds-since.ts';

/** Seconds, as in the reference. */
const buckets = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index);

/** Measures the authorization of requests: how often it has which result, and how long it takes. */
export function measuredRequests(
  authorizer: Pick<Authorizer, 'authorize'>,
  { metric }: Pick<PartContext, 'metric'>,
): Pick<Authorizer, 'authorize'> {
  const labelNames = ['result'];
  const attempts = metric({
    name: 'authorization_attempts_total',
    type: 'counter',
    labelNames,
    help: 'Authorizations of requests, by result.',
  });
  const durations = metric({
    name: 'authorization_duration_seconds',
    type: 'histogram',
    labelNames,
    buckets,
    help: 'How long authorizations of requests took, by result.',
  });
  const counters = new Map(
    ['allowed', 'denied', 'no-opinion', 'error'].map((result) => {
      const [count, observe] = [attempts.counter({ result }), durations.observer({ result })];
      const ended = (startMs: number): void => {
        count();
        observe(secondsSince(startMs));
      };
      return [result, ended] as const;
    }),
  );
  const ended = (result: AuthorizationResult, startMs: number): AuthorizationResult => {
    counters.get(labelOf(result))?.(startMs);
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
