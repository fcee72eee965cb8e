import { seatSecondsText } from '../queueing/seat-seconds.ts';
import { goDurationOf, goTimeOf } from './go-times.ts';
import type { LevelState, RequestState } from './level-state.ts';
import { tabTable } from './tab-table.ts';

const levelHeads = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests',
];

export function dumpPriorityLevels(levels: readonly LevelState[]): string {
  const sorted = levels.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const rows = sorted.map(({ name, queues, isIdle, isQuiescing, totals }) => {
    const { waiting, executing, dispatched, refused, cancelled } = totals;
    const active = queues.filter(({ counts }) => counts.waiting > 0).length;
    return [name, active, isIdle, isQuiescing, waiting, executing, dispatched, refused, 0, cancelled];
  });
  return table([levelHeads, ...rows]);
}

const queueHeads = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
  'MaxSeatsSum',
  'TotalWorkSum',
];

export function dumpQueues(levels: readonly LevelState[]): string {
  const rows = levels.flatMap(({ name, queues }) =>
    queues.map(({ index, nextDispatchR, counts }) => [
      name,
      index,
      counts.waiting,
      counts.executing,
      counts.seatsInUse,
      seatSecondsText(nextDispatchR),
      counts.initialSeatsWaiting,
      counts.seatsWaiting,
      seatSecondsText(counts.workWaiting),
    ]),
  );
  return table([queueHeads, ...rows]);
}

const requestHeads = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
];

const detailHeads = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

export function dumpRequests(levels: readonly LevelState[], withDetails: boolean): string {
  const rows = levels.flatMap((level) =>
    [...placedRequests(level)].map(({ request, queue, place }) => {
      const { flowSchema, distinguisher, work, arrivedMs, startedMs, details } = request;
      return [
        level.name,
        flowSchema,
        queue,
        place,
        distinguisher,
        goTimeOf(arrivedMs),
        work.initialSeats,
        work.finalSeats,
        goDurationOf(work.additionalMs),
        startedMs === undefined ? zeroTime : goTimeOf(startedMs),
        ...(withDetails ? details : []),
      ];
    }),
  );
  return table([withDetails ? [...requestHeads, ...detailHeads] : requestHeads, ...rows]);
}

/** The start time of requests that have not started. */
const zeroTime = '0001-01-01T00:00:00Z';

interface PlacedRequest {
  readonly request: RequestState;
  /** -1: in no queue. */
  readonly queue: number;
  /** -1: it executes. */
  readonly place: number;
}

function* placedRequests({ queues, queueless }: LevelState): Generator<PlacedRequest> {
  for (const { index: queue, waiting, executing } of queues) {
    for (const [place, request] of waiting.entries()) yield { request, queue, place };
    for (const request of executing) yield { request, queue, place: -1 };
  }
  for (const request of queueless) yield { request, queue: -1, place: -1 };
}

/** All cells but the last of a row end with a comma. */
function table(rows: readonly (readonly (string | number | boolean)[])[]): string {
  return tabTable(rows.map((row) => row.map((cell, at) => (at === row.length - 1 ? String(cell) : `${cell},`))));
}
