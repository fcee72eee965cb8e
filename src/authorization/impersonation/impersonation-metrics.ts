import type { PartContext } from '../../api/contracts/part.ts';
import { exponentialBuckets } from '../../api/metrics/buckets.ts';
import { TimedCounter } from '../../api/metrics/timed-counter.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';

type Attempts = (labels: { readonly mode: string; readonly decision: 'allowed' | 'denied' }, startMs: number) => void;

/** Counts and times impersonation, from `startMs` (as `performance.now()`) until now. */
export interface ImpersonationMetrics {
  /** Requests, by the mode that allowed them; denied ones have none. */
  readonly attempted: Attempts;
  /** Questions to the authorizer. */
  readonly requested: Attempts;
}

export function impersonationMetrics({ metric }: Pick<PartContext, 'metric'>): ImpersonationMetrics {
  const measured = (name: string, what: string): Attempts => {
    const attempts = new TimedCounter(metric, {
      labelNames: ['mode', 'decision'],
      count: { name: `${name}_total`, help: `${what}, by mode and decision.` },
      duration: {
        name: `${name}_duration_seconds`,
        help: `Duration: ${what.toLowerCase()}, by mode and decision.`,
        buckets: exponentialBuckets(0.001, 15),
      },
    });
    return (labels, startMs) => attempts.add(secondsSince(startMs), labels);
  };
  return {
    attempted: measured('apiserver_impersonation_attempts', 'Attempts to impersonate'),
    requested: measured('apiserver_impersonation_authorization_attempts', 'Permissions checked for impersonation'),
  };
}
