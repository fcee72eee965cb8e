import { systemClock } from '../../api/time/clock.ts';
import type { FlowRequest } from '../classification/flow-request.ts';
import type { PriorityLevel } from '../levels/priority-level.ts';
import type { QueuedRequest, Queue, WorkEstimate } from '../queueing/queue.ts';

/** What a priority level has at the moment, in one thread or in several, as plain data. */
export interface LevelState {
  readonly name: string;
  readonly isIdle: boolean;
  readonly isQuiescing: boolean;
  readonly totals: LevelTotals;
  readonly queues: readonly QueueState[];
  /** Executing requests that were in no queue. */
  readonly queueless: readonly RequestState[];
}

export interface LevelTotals {
  readonly waiting: number;
  readonly executing: number;
  readonly dispatched: number;
  readonly refused: number;
  readonly cancelled: number;
}

export interface QueueState {
  readonly index: number;
  readonly counts: QueueCounts;
  readonly nextDispatchR: number;
  /** In the order of their arrival. */
  readonly waiting: readonly RequestState[];
  readonly executing: readonly RequestState[];
}

export interface QueueCounts {
  readonly waiting: number;
  readonly executing: number;
  readonly seatsInUse: number;
  readonly initialSeatsWaiting: number;
  readonly seatsWaiting: number;
  readonly workWaiting: number;
}

/** Times are since the epoch. */
export interface RequestState {
  readonly flowSchema: string;
  readonly distinguisher: string;
  readonly work: WorkEstimate;
  readonly arrivedMs: number;
  /** Undefined: it waits. */
  readonly startedMs: number | undefined;
  /** User, verb, path, namespace, name, version, resource, subresource. */
  readonly details: readonly string[];
}

export interface StateOptions {
  /** Otherwise they are only counted. */
  readonly withRequests: boolean;
  /** As `performance.now()`, in which the times of requests are. */
  readonly nowMs: number;
}

export function levelStates(
  levels: ReadonlyMap<string, PriorityLevel>,
  { withRequests, nowMs }: StateOptions,
): readonly LevelState[] {
  const epochMs = systemClock.now() - nowMs;
  const stateOf = (request: QueuedRequest): RequestState => requestState(request, epochMs);
  const listed = (requests: Iterable<QueuedRequest>): readonly RequestState[] =>
    withRequests ? Array.from(requests, stateOf) : [];
  return Array.from(levels.values(), ({ spec, queues, isQuiescing }) => {
    const { waiting, executing, dispatched, refused, cancelled } = queues.totals;
    return {
      name: spec.name,
      isIdle: queues.isIdle,
      isQuiescing,
      totals: {
        waiting,
        executing,
        dispatched,
        refused,
        cancelled,
      },
      queues: queues.queues.map((queue) => ({
        index: queue.index,
        nextDispatchR: queue.nextDispatchR,
        counts: countsOf(queue),
        waiting: listed(queue.waiting),
        executing: listed(queue.executing),
      })),
      queueless: listed(queues.queueless),
    };
  });
}

function countsOf({ waiting, executing, seatsInUse, ...sums }: Queue): QueueCounts {
  const { initialSeatsWaiting, seatsWaiting, workWaiting } = sums;
  return {
    waiting: waiting.size,
    executing: executing.size,
    seatsInUse,
    initialSeatsWaiting,
    seatsWaiting,
    workWaiting,
  };
}

function requestState(request: QueuedRequest, epochMs: number): RequestState {
  const { flowSchema, distinguisher, work, arrivedMs, startedMs, about } = request;
  // Only `FlowControl` starts requests.
  const { user, verb, path, namespace, name, group, version, resource, subresource } = about as FlowRequest;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return {
    flowSchema,
    distinguisher,
    work,
    arrivedMs: epochMs + arrivedMs,
    startedMs: startedMs === undefined ? undefined : epochMs + startedMs,
    details: [user.name, verb, path, namespace, name, apiVersion, resource, subresource],
  };
}
