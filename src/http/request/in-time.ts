import { settledBy } from '../../api/time/deadline.ts';
import { LateRequestError } from '../../api/errors/status-errors.ts';

/**
 * Waits on behalf of a request, such as for another server. Throws a LateRequestError when the time of the request is
 * over; the call itself goes on until its own timeout.
 */
export function inTime<T>({ deadlineMs }: { readonly deadlineMs: number }, call: Promise<T>): Promise<T> {
  return settledBy(deadlineMs, call, () => new LateRequestError());
}
