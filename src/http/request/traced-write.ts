import { currentSpan } from '../../api/contracts/span.ts';
import type { RequestContext } from './request-context.ts';

/** Writes an object, and notes in the trace how that went. */
export function tracedWrite<T>({ bodyBytes = 0 }: RequestContext, write: () => Promise<T>): Promise<T> {
  const span = currentSpan();
  if (span === undefined) return write();
  span.event('About to store object in database');
  const written = write();
  written.then(
    () => span.event('Write to database call succeeded', { len: bodyBytes }),
    (error: unknown) => span.event('Write to database call failed', { len: bodyBytes, err: String(error) }),
  );
  return written;
}
