import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { QueueSet, type QueueSetTiming } from './queueing/queue-set.ts';
import type { QueuedRequest } from './queueing/queue.ts';
import { makeSeatMemory, SharedSeats } from './shared-seats.ts';

/** A machine with time for everything. */
const timing: QueueSetTiming = {
  now: () => 0,
  after: () => undefined,
  holdsSeats: false,
  hold: (release) => void release(),
};

const mode = { queues: 1, queueLengthLimit: 50, handSize: 1 };

/** Queue sets as several threads have them. They wake each other in a later round of the event loop. */
class Threads {
  readonly seats: readonly SharedSeats[];
  readonly sets: readonly QueueSet[];
  /** The threads of the requests that have begun, in order. */
  readonly begun: number[] = [];
  running = 0;
  most = 0;
  readonly #executing: { readonly thread: number; readonly request: QueuedRequest }[] = [];

  /** `begins`: they share seats from the beginning. */
  constructor(count: number, limit: number, begins = true) {
    const memory = makeSeatMemory();
    this.seats = Array.from({ length: count }, (_, thread) => new SharedSeats(memory, thread));
    this.sets = this.seats.map(() => new QueueSet({ mode, limit }, timing));
    if (!begins) return;
    for (let thread = 0; thread < count; thread += 1) this.share(thread);
  }

  share(thread: number): void {
    const pool = this.seats[thread]?.poolOf('x');
    if (pool !== undefined) this.sets[thread]?.shareWith(pool);
  }

  start(thread: number, seats = 1): QueuedRequest | undefined {
    const work = { initialSeats: seats, finalSeats: 0, additionalMs: 0 };
    const request = this.sets[thread]?.start({ flowSchema: 's', distinguisher: '', work, about: undefined }, [0]);
    if (request?.state === 'executing') this.#begins(thread, request);
    else if (request?.state === 'waiting') request.onDispatch = () => this.#begins(thread, request);
    return request;
  }

  /** Ends the request that has run for longest. */
  async endOne(): Promise<void> {
    const first = this.#executing.shift();
    if (first === undefined) return;
    this.running -= first.request.seats;
    this.sets[first.thread]?.end(first.request);
    await settled();
  }

  async endAll(): Promise<void> {
    while (this.#executing.length > 0) await this.endOne();
  }

  #begins(thread: number, request: QueuedRequest): void {
    this.begun.push(thread);
    this.#executing.push({ thread, request });
    this.running += request.seats;
    this.most = Math.max(this.most, this.running);
  }
}

/** Wake-ups within one thread come as tasks of the platform. */
async function settled(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await nextRound();
}

test('threads together never have more seats than there are', async () => {
  const threads = new Threads(3, 2);
  for (let at = 0; at < 12; at += 1) threads.start(at % 3);
  await settled();
  expect(threads.running).toBe(2);
  await threads.endAll();
  expect(threads.begun).toHaveLength(12);
  expect(threads.most).toBe(2);
});

test('threads whose requests wait take turns, however many of one there are', async () => {
  const threads = new Threads(3, 1);
  for (let at = 0; at < 10; at += 1) threads.start(0);
  for (const thread of [1, 1, 2, 2]) threads.start(thread);
  await settled();
  await threads.endAll();
  expect(threads.begun.slice(0, 7).toSorted()).toEqual([0, 0, 0, 1, 1, 2, 2]);
  expect(threads.begun).toHaveLength(14);
});

test('a request that needs many seats gets them, though others of other threads need few', async () => {
  const threads = new Threads(2, 3);
  for (let at = 0; at < 3; at += 1) threads.start(0);
  threads.start(1, 3);
  for (let at = 0; at < 9; at += 1) threads.start(0);
  await settled();
  await threads.endAll();
  expect(threads.begun.indexOf(1)).toBeLessThan(6);
  expect(threads.most).toBe(3);
});

test('the seats of a thread that has ended come back, and wake those that wait', async () => {
  const threads = new Threads(3, 2);
  threads.start(1);
  threads.start(1);
  threads.start(1);
  threads.start(2);
  await settled();
  expect(threads.begun).toEqual([1, 1]);
  threads.seats[0]?.free(1);
  await settled();
  expect(threads.begun).toEqual([1, 1, 2]);
  expect(threads.seats[0]?.poolOf('x')?.inUse).toBe(1);
});

test('limits are those that the first thread tells, and wake those that wait', async () => {
  const threads = new Threads(2, 1);
  threads.seats[0]?.poolOf('x')?.publish(1);
  threads.start(1);
  threads.start(1);
  await settled();
  expect(threads.running).toBe(1);
  threads.seats[0]?.poolOf('x')?.publish(2);
  await settled();
  expect(threads.running).toBe(2);
});

test('a request that no longer waits leaves its turn to others', async () => {
  const threads = new Threads(3, 1);
  threads.start(0);
  const given = threads.start(1);
  threads.start(2);
  await settled();
  if (given !== undefined) threads.sets[1]?.cancel(given);
  await threads.endOne();
  expect(threads.begun).toEqual([0, 2]);
});

test('the first thread adds up what requests of all have wanted, once', () => {
  const memory = makeSeatMemory();
  const [first, second, third] = [0, 1, 2].map((thread) => new SharedSeats(memory, thread).poolOf('x'));
  second?.tellDemand({ highWatermark: 3, average: 1, deviation: 3 });
  third?.tellDemand({ highWatermark: 2, average: 2, deviation: 4 });
  const own = { highWatermark: 1, average: 0.5, deviation: 0 };
  expect(first?.withOthers(own)).toEqual({ highWatermark: 6, average: 3.5, deviation: 5 });
  expect(first?.withOthers(own)).toEqual(own);
});

test('what runs and waits before there are other threads counts for them, and ends as ever', async () => {
  const threads = new Threads(2, 2, false);
  for (let at = 0; at < 3; at += 1) threads.start(0);
  expect(threads.begun).toEqual([0, 0]);
  threads.share(0);
  threads.share(1);
  const pool = threads.seats[1]?.poolOf('x');
  expect(pool?.inUse).toBe(2);
  expect(pool?.othersWait).toBe(true);
  threads.start(1);
  await settled();
  expect(threads.begun).toEqual([0, 0]);
  await threads.endAll();
  expect(threads.begun.slice(2).toSorted()).toEqual([0, 1]);
  expect(threads.most).toBe(2);
  expect(pool?.inUse).toBe(0);
  expect(pool?.othersWait).toBe(false);
});
