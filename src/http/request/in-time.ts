import { settledBy } from '../../api/deadline.ts';
import { LateRequestError } from '../../api/status-errors.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Waits for another server on behalf of a request. Throws a LateRequestError when the time of the request is over; the
 * call itself goes on until its own timeout.
 */
export function inTime<T>({ deadlineMs }: Pick<RequestContext, 'deadlineMs'>, call: Promise<T>): Promise<T> {
  return settledBy(deadlineMs, call, () => new LateRequestError());
}
