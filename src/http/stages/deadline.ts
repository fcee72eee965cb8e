import { parseGoDuration } from '../../api/time.ts';
import { goQuote } from '../../api/go-quote.ts';
import { badRequest } from '../../api/status-errors.ts';
import type { RequestContext, Stage } from '../request-context.ts';

const longRunningVerbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Sets the deadline: `?timeout=` when given, never past the server's own; watches and streams have none. */
export function deadlineStage(requestTimeoutMs: number): Stage {
  return {
    name: 'deadline',
    run(context) {
      if (isLongRunning(context)) return;
      context.deadlineMs = context.receivedMs + Math.min(requestTimeoutMs, askedTimeoutMs(context) ?? requestTimeoutMs);
    },
  };
}

function isLongRunning({ info }: RequestContext): boolean {
  return info.isResourceRequest && (longRunningVerbs.has(info.verb) || longRunningSubresources.has(info.subresource));
}

function askedTimeoutMs({ query }: RequestContext): number | undefined {
  const text = query.get('timeout');
  if (text === null || text === '') return undefined;
  const nanoseconds = parseGoDuration(text);
  if (nanoseconds === undefined)
    throw badRequest(`invalid timeout specified in the request URL - time: invalid duration ${goQuote(text)}`);
  const ms = Number(nanoseconds / 1_000_000n);
  // Zero and less mean the server's own.
  return ms <= 0 ? undefined : ms;
}
