import { setTimeout as sleep } from 'node:timers/promises';
import { StatusError, type StatusReason } from '../api/status.ts';
import { CallError } from './http-call.ts';

/** How often something is tried, and how long is waited between: each time longer. */
export interface Backoff {
  readonly firstDelayMs: number;
  readonly factor: number;
  /** A delay is longer by up to this part of itself, so that not all who failed together come again together. */
  readonly jitter: number;
  readonly attempts: number;
}

/** kube-apiserver's for webhooks of tokens and permissions. */
export const reviewBackoff: Backoff = { firstDelayMs: 500, factor: 1.5, jitter: 0.2, attempts: 5 };

const passingReasons: ReadonlySet<StatusReason> = new Set<StatusReason>([
  'InternalError',
  'Timeout',
  'TooManyRequests',
]);

/** Whether a failure may be gone the next time. */
export function isPassing(error: unknown): boolean {
  if (error instanceof CallError) return error.isReset;
  if (!(error instanceof StatusError)) return false;
  const { reason = '', details } = error.status;
  return passingReasons.has(reason) || (details?.retryAfterSeconds ?? 0) > 0;
}

/** Tries until it works, until a failure is not a passing one, or until it was tried often enough; then the last failure is thrown. */
export async function withRetries<T>(attempt: () => Promise<T>, backoff: Backoff = reviewBackoff): Promise<T> {
  let delayMs = backoff.firstDelayMs;
  for (let left = backoff.attempts - 1; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 0 || !isPassing(error)) throw error;
    }
    await sleep(delayMs * (1 + Math.random() * backoff.jitter), undefined, { ref: false });
    delayMs *= backoff.factor;
  }
}
