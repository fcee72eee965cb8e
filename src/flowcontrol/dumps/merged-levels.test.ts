import { expect, test } from 'vitest';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from './dumps.ts';
import type { LevelState, QueueState, RequestState } from './level-state.ts';
import { mergedLevels } from './merged-levels.ts';

const request = (flow: string, arrivedMs: number, startedMs?: number): RequestState => ({
  flowSchema: 'f',
  distinguisher: flow,
  arrivedMs,
  startedMs,
  details: ['joe', 'list', '/api'],
  work: {
    initialSeats: 1,
    finalSeats: 0,
    additionalMs: 0,
  },
});

function queue(index: number, nextDispatchR: number, waiting: readonly RequestState[]): QueueState {
  const seats = waiting.length;
  const counts = { waiting: seats, executing: 1, seatsInUse: 1, initialSeatsWaiting: seats, seatsWaiting: seats };
  return { index, nextDispatchR, counts: { ...counts, workWaiting: seats * 100_000 }, waiting, executing: [] };
}

const level = (name: string, parts: Partial<LevelState>): LevelState => ({
  name,
  isIdle: true,
  isQuiescing: false,
  queues: [],
  queueless: [],
  totals: {
    waiting: 0,
    executing: 0,
    dispatched: 1,
    refused: 2,
    cancelled: 3,
  },
  ...parts,
});

/** The cells of a row. */
const rowsOf = (dump: string): readonly (readonly string[])[] =>
  dump
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(/, +/));

test('levels and queues add up, and are idle if they are in every thread', () => {
  const busy = { isIdle: false, totals: { waiting: 2, executing: 1, dispatched: 10, refused: 20, cancelled: 30 } };
  const queues = [queue(0, 700_000_000, []), queue(1, 300_000_000, [request('a', 1)])];
  const others = [queue(0, 100_000_000, []), queue(1, 200_000_000, [request('a', 2), request('b', 0)])];
  const merged = mergedLevels([
    [level('x', { queues }), level('b', {}), level('gone', { isQuiescing: true })],
    [level('x', { queues: others, ...busy }), level('b', {})],
    [level('b', {}), level('new', {})],
  ]);
  expect(rowsOf(dumpPriorityLevels(merged))).toEqual([
    ['b', '0', 'true', 'false', '0', '0', '3', '6', '0', '9'],
    ['gone', '0', 'true', 'true', '0', '0', '1', '2', '0', '3'],
    ['new', '0', 'true', 'false', '0', '0', '1', '2', '0', '3'],
    ['x', '1', 'false', 'false', '2', '1', '11', '22', '0', '33'],
  ]);
  expect(rowsOf(dumpQueues(merged))).toEqual([
    // Nobody waits: as far as any thread has come.
    ['x', '0', '0', '2', '2', '7.00000000ss', '0', '0', '0.00000000ss'],
    // The thread that dispatches next.
    ['x', '1', '3', '2', '2', '2.00000000ss', '3', '3', '0.00300000ss'],
  ]);
});

test('requests of a queue are in the order of their arrival, whichever thread they wait in', () => {
  const merged = mergedLevels([
    [level('x', { queues: [queue(1, 0, [request('a', 1), request('b', 4)])], queueless: [request('c', 3, 5)] })],
    [level('x', { queues: [queue(1, 0, [request('d', 0), request('e', 2)])], queueless: [request('f', 1, 2)] })],
  ]);
  expect(rowsOf(dumpRequests(merged, false)).map((row) => row.slice(2, 5))).toEqual([
    ['1', '0', 'd'],
    ['1', '1', 'a'],
    ['1', '2', 'e'],
    ['1', '3', 'b'],
    ['-1', '-1', 'f'],
    ['-1', '-1', 'c'],
  ]);
});
