import { DurationError, parseDuration } from '../../api/time/duration.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';

/** Sets the deadline: `?timeout=` if given, at most the server's own; watches and streams have none. */
export function deadlineStage(requestTimeoutMs: number): Stage {
  return {
    name: 'deadline',
    run(context) {
      if (context.isLongRunning) return;
      context.deadlineMs =
        context.beganMs + Math.min(requestTimeoutMs, requestedTimeoutMs(context) ?? requestTimeoutMs);
    },
  };
}

function requestedTimeoutMs({ query }: RequestContext): number | undefined {
  const text = query.get('timeout');
  if (text === null || text === '') return undefined;
  const nanoseconds = readDuration(text);
  const ms = Number(nanoseconds / 1_000_000n);
  // Zero and negative values mean the server's own.
  return ms <= 0 ? undefined : ms;
}

function readDuration(text: string): bigint {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw badRequest(`invalid timeout specified in the request URL - ${error.message}`);
  }
}
