import type { PartContext } from '../../api/contracts/part.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';

/** Seconds, as in the reference. */
const buckets = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index);
const labelNames = ['mode', 'decision'];

type Attempts = (labels: { readonly mode: string; readonly decision: 'allowed' | 'denied' }, startMs: number) => void;

/** Counts and times impersonation, from `startMs` (as `performance.now()`) until now. */
export interface ImpersonationMetrics {
  /** Requests, by the mode that allowed them; denied ones have none. */
  readonly attempted: Attempts;
  /** Questions to the authorizer. */
  readonly asked: Attempts;
}

export function impersonationMetrics({ metric }: Pick<PartContext, 'metric'>): ImpersonationMetrics {
  const measured = (name: string, what: string): Attempts => {
    const count = metric({
      name: `${name}_total`,
      type: 'counter',
      labelNames,
      help: `${what}, by mode and decision.`,
    });
    const duration = metric({
      name: `${name}_duration_seconds`,
      type: 'histogram',
      labelNames,
      buckets,
      help: `Duration: ${what.toLowerCase()}, by mode and decision.`,
    });
    return (labels, startMs) => {
      count.add(labels);
      duration.observe(secondsSince(startMs), labels);
    };
  };
  return {
    attempted: measured('apiserver_impersonation_attempts', 'Attempts to impersonate'),
    asked: measured('apiserver_impersonation_authorization_attempts', 'Permissions checked for impersonation'),
  };
}
