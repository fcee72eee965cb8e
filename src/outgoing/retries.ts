import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff, type BackoffOptions } from '../api/scheduling/backoff.ts';
import { StatusError, type StatusReason } from '../api/errors/status.ts';
import { deadlineIn, msUntil } from '../api/time/deadline.ts';
import { CallError } from './call-error.ts';
import { type Call, type CallResponse, lateCall } from './http-call.ts';

/** How often to try, with exponential delays in between. */
export interface Retries extends BackoffOptions {
  readonly attempts: number;
  /** Whether to try again after a failure; absent: after those that may pass. */
  readonly isWorthIt?: (error: unknown) => boolean;
}

/** kube-apiserver's backoff for token and authorization webhooks. */
export const reviewBackoff: Retries = { firstMs: 500, factor: 1.5, jitter: 0.2, attempts: 5 };

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
export async function withRetries<T>(attempt: () => Promise<T>, retries: Retries = reviewBackoff): Promise<T> {
  const backoff = new Backoff({ longestMs: Number.POSITIVE_INFINITY, ...retries });
  for (let left = retries.attempts - 1; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 0 || !(retries.isWorthIt ?? isPassing)(error)) throw error;
    }
    await sleep(backoff.delayMs(), undefined, { ref: false });
  }
}

/** The reference's client retries as often. */
const maxRequestedRetries = 10;

/**
 * Calls again, after the time that it asks for, a server that is busy. All calls together take no longer than `call`
 * may. Throws a CallError.
 */
export async function withRequestedRetries(
  call: Call,
  send: (call: Call) => Promise<CallResponse>,
): Promise<CallResponse> {
  const endMs = deadlineIn(call.timeoutMs);
  for (let left = maxRequestedRetries, timeoutMs = call.timeoutMs; ; left -= 1) {
    const response = await send({ ...call, timeoutMs });
    const delayMs = requestedDelayMs(response);
    if (delayMs === undefined || left === 0) return response;
    timeoutMs = msUntil(endMs) - delayMs;
    await sleep(Math.max(0, Math.min(delayMs, delayMs + timeoutMs)), undefined, { ref: false });
    if (timeoutMs <= 0) throw lateCall(call);
  }
}

/** In how many milliseconds a server wants to be called again; undefined if it does not, or gives a date. */
function requestedDelayMs({ status, header }: CallResponse): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  const seconds = header('retry-after') ?? '';
  return /^[+-]?\d+$/.test(seconds) ? Math.max(0, Number(seconds)) * 1_000 : undefined;
}
