import { systemClock } from '../../api/clock.ts';
import type { FlowRequest } from '../classification/flow-request.ts';
import type { PriorityLevel } from '../levels/priority-level.ts';
import type { QueuedRequest } from '../queueing/queue.ts';
import { seatSecondsText } from '../queueing/seat-seconds.ts';
import { goDurationOf, goTimeOf } from './go-times.ts';
import { tabTable } from './tab-table.ts';

type Levels = ReadonlyMap<string, PriorityLevel>;

const levelHeads = [
  ...['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests'],
  ...['ExecutingRequests', 'DispatchedRequests', 'RejectedRequests', 'TimedoutRequests', 'CancelledRequests'],
];

export function dumpPriorityLevels(levels: Levels): string {
  const sorted = [...levels.values()].toSorted((a, b) => (a.spec.name < b.spec.name ? -1 : 1));
  const rows = sorted.map(({ spec, queues, isQuiescing }) => {
    const { waiting, executing, dispatched, refused, cancelled } = queues.totals;
    const active = queues.queues.filter((queue) => queue.waiting > 0).length;
    const counts = [waiting, executing, dispatched, refused, 0, cancelled];
    return [spec.name, active, queues.isIdle, isQuiescing, ...counts];
  });
  return table([levelHeads, ...rows]);
}

const queueHeads = [
  ...['PriorityLevelName', 'Index', 'PendingRequests', 'ExecutingRequests', 'SeatsInUse', 'NextDispatchR'],
  ...['InitialSeatsSum', 'MaxSeatsSum', 'TotalWorkSum'],
];

export function dumpQueues(levels: Levels): string {
  const rows = [...levels.values()].flatMap(({ spec, queues }) =>
    queues.queues.map((queue) => [
      ...[spec.name, queue.index, queue.waiting, queue.executing.size, queue.seatsInUse],
      seatSecondsText(queue.nextDispatchR),
      ...[queue.initialSeatsWaiting, queue.seatsWaiting, seatSecondsText(queue.workWaiting)],
    ]),
  );
  return table([queueHeads, ...rows]);
}

const requestHeads = [
  ...['PriorityLevelName', 'FlowSchemaName', 'QueueIndex', 'RequestIndexInQueue', 'FlowDistingsher', 'ArriveTime'],
  ...['InitialSeats', 'FinalSeats', 'AdditionalLatency', 'StartTime'],
];

const detailHeads = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

/** `nowMs` as `performance.now()`, in which the times of requests are. */
export function dumpRequests(levels: Levels, withDetails: boolean, nowMs: number): string {
  const epochMs = systemClock.now() - nowMs;
  const rows = [...levels.values()].flatMap(({ spec, queues }) =>
    [...placedRequests(queues)].map(({ request, queue, place }) => {
      const { flowSchema, distinguisher, work, arrivedMs, startedMs } = request;
      return [
        ...[spec.name, flowSchema, queue, place, distinguisher, goTimeOf(epochMs + arrivedMs)],
        ...[work.initialSeats, work.finalSeats, goDurationOf(work.additionalMs)],
        startedMs === undefined ? zeroTime : goTimeOf(epochMs + startedMs),
        ...(withDetails ? detailsOf(request) : []),
      ];
    }),
  );
  return table([withDetails ? [...requestHeads, ...detailHeads] : requestHeads, ...rows]);
}

/** Of requests that have not started. */
const zeroTime = '0001-01-01T00:00:00Z';

interface PlacedRequest {
  readonly request: QueuedRequest;
  /** -1: in no queue. */
  readonly queue: number;
  /** -1: it executes. */
  readonly place: number;
}

function* placedRequests({ queues, queueless }: PriorityLevel['queues']): Generator<PlacedRequest> {
  for (const queue of queues) {
    let place = 0;
    for (const request of queue.requests()) yield { request, queue: queue.index, place: place++ };
    for (const request of queue.executing) yield { request, queue: queue.index, place: -1 };
  }
  for (const request of queueless) yield { request, queue: -1, place: -1 };
}

function detailsOf({ about }: QueuedRequest): readonly string[] {
  // Only `FlowControl` starts requests.
  const { user, verb, path, namespace, name, group, version, resource, subresource } = about as FlowRequest;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return [user.name, verb, path, namespace, name, apiVersion, resource, subresource];
}

/** All cells but the last of a row end with a comma. */
function table(rows: readonly (readonly (string | number | boolean)[])[]): string {
  return tabTable(rows.map((row) => row.map((cell, at) => (at === row.length - 1 ? String(cell) : `${cell},`))));
}
