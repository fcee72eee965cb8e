import type { Seats, SeatTicket } from '../../flowcontrol/seats.ts';
import { parseFieldSelector, requiredValue } from '../../api/selectors/field-selector.ts';
import { SelectorSyntaxError } from '../../api/selectors/label-selector.ts';
import { msUntil } from '../../api/time/deadline.ts';
import { tooManyRequests } from '../responses/plain-failure.ts';
import { foundSeat } from '../request/begin-requests.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';
import { ContextRequest } from '../request/seated-request.ts';

export interface FlowControlStageOptions {
  /** The timeout of requests that name none; watches wait as long. */
  readonly requestTimeoutMs: number;
  /** Called for refused requests. */
  readonly onRefused: (context: RequestContext) => void;
}

/** No request waits longer for seats. */
const maxWaitMs = 60_000;

/**
 * Lets a request begin when there are seats for it, which it keeps until it ends, or refuses it. Watches keep theirs
 * while they begin; other long-running requests need none.
 */
export function flowControlStage(seats: Seats, options: FlowControlStageOptions): Stage {
  const forgotten = new WeakMap<RequestContext, () => void>();
  const begins = (context: RequestContext, request: ContextRequest): void => {
    if (request.verb === 'watch' && watchesAll(context)) forgotten.set(context, seats.watches(request));
  };
  return {
    name: 'flow-control',
    run(context) {
      if (context.isLongRunning && context.info.verb !== 'watch') return;
      const request = new ContextRequest(context);
      const ticket = seats.begin(request);
      context.seats = ticket;
      foundSeat(context.exchange.connection, ticket.state !== 'waiting' && ticket.state !== 'refused');
      if (ticket.state === 'waiting') {
        return dispatched(context, ticket, options).then(() => begins(context, request));
      }
      if (ticket.state === 'refused') throw refusal(context, ticket, options);
      begins(context, request);
    },
    end(context) {
      context.seats?.end();
      if (context.info.verb === 'watch') forgotten.get(context)?.();
    },
    passedOn: (context) => context.seats?.end(),
  };
}

function refusal(context: RequestContext, ticket: SeatTicket, { onRefused }: FlowControlStageOptions): Error {
  onRefused(context);
  return tooManyRequests(ticket.retryAfterSeconds);
}

/** Resolves when the request may begin; rejects when it has waited for a quarter of its time, or the client is gone. */
function dispatched(context: RequestContext, ticket: SeatTicket, options: FlowControlStageOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (): void => {
    clearTimeout(timer);
    if (ticket.state !== 'waiting') return;
    ticket.cancel();
    reject(refusal(context, ticket, options));
  };
  const timer = setTimeout(refuse, Math.max(0, msUntil(context.beganMs + waitMs(context, options))));
  ticket.onDispatch(() => {
    clearTimeout(timer);
    resolve();
  });
  context.exchange.onClose(refuse);
  return promise;
}

function waitMs({ deadlineMs, beganMs }: RequestContext, { requestTimeoutMs }: FlowControlStageOptions): number {
  const totalMs = deadlineMs === Number.POSITIVE_INFINITY ? requestTimeoutMs : deadlineMs - beganMs;
  return Math.min(totalMs / 4, maxWaitMs);
}

/** Watches of the pods of one node are told of few changes, and do not count. */
function watchesAll({ info, query }: RequestContext): boolean {
  const selector = info.resource === 'pods' ? query.get('fieldSelector') : null;
  if (selector === null || !selector.includes('spec.nodeName')) return true;
  try {
    return (requiredValue(parseFieldSelector(selector), 'spec.nodeName') ?? '') === '';
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return true;
    throw error;
  }
}
