import { badRequest } from '../api/status-errors.ts';
import type { RequestContext } from './request-context.ts';
import { maxBodyBytes } from './request-limits.ts';

/** The body of a request, once it may be worked on. Throws a StatusError. */
export async function receiveBody(context: RequestContext): Promise<Buffer> {
  const { exchange } = context;
  const bytes = await exchange.readBody(maxBodyBytes);
  await context.beginWork(bytes.length);
  if (exchange.closed) throw badRequest('the client has gone before the request was worked on');
  return bytes;
}
