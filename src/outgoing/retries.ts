import { setTimeout as sleep } from 'node:timers/promises';
import { StatusError, type StatusReason } from '../api/status.ts';
import { CallError } from './http-call.ts';

/** How often to try, with exponential delays in between. */
export interface Backoff {
  readonly firstDelayMs: number;
  readonly factor: number;
  /** Extends each delay by up to this fraction, so that clients that failed together do not retry together. */
  readonly jitter: number;
  readonly attempts: number;
  /** Whether to try again after a failure; absent: after those that may pass. */
  readonly isWorthIt?: (error: unknown) => boolean;
}

/** kube-apiserver's backoff for token and authorization webhooks. */
export const reviewBackoff: Backoff = { firstDelayMs: 500, factor: 1.5, jitter: 0.2, attempts: 5 };

const passingReasons: ReadonlySet<StatusReason> = new Set<StatusReason>([
  'InternalError',
  'Timeout',
  'TooManyRequests',
]);

/** Whether a retry may succeed. */
export function isPassing(error: unknown): boolean {
  if (error instanceof CallError) return error.isReset;
  if (!(error instanceof StatusError)) return false;
  const { reason = '', details } = error.status;
  return passingReasons.has(reason) || (details?.retryAfterSeconds ?? 0) > 0;
}

/** Retries transient failures; throws the last failure when it is permanent or the attempts are used up. */
export async function withRetries<T>(attempt: () => Promise<T>, backoff: Backoff = reviewBackoff): Promise<T> {
  let delayMs = backoff.firstDelayMs;
  for (let left = backoff.attempts - 1; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 0 || !(backoff.isWorthIt ?? isPassing)(error)) throw error;
    }
    await sleep(delayMs * (1 + Math.random() * backoff.jitter), undefined, { ref: false });
    delayMs *= backoff.factor;
  }
}
