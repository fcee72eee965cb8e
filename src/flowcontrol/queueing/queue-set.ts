import { Queue, QueuedRequest, type QueuedRequestParts, type RefusalReason, RequestList } from './queue.ts';
import type { SeatPool } from './seat-pool.ts';
import { msPerSeat, type SeatSeconds, seatSeconds } from './seat-seconds.ts';

/*
 * Fair queueing of requests onto seats. Each queue is a share of the flows; while several have requests, each is to get
 * the same seats over time. R, the progress, is the work that a queue would have been given so far if all active queues
 * were served at once, each with its fair share:
 *
 *     two seats; at time 0 queue a gets four requests of one second each, queue b one
 *
 *     time   R grows by          executing   next dispatch of a, b
 *     0      -                   a1 b1       estimates of 3 ms each: a 0.003, b 0.003
 *     1      1 seat (2 / 2)      a2 a3       a1 and b1 took a second: a and b 1; b is empty
 *     2      2 seats (2 / 1)     a4          a2 and a3: a 3
 *
 * The queue dispatches next whose oldest request would finish first in that world. What a request really took is
 * charged to its queue when it ends. A queue that was empty starts at R: nobody saves up seats.
 */

/** Guessed for every request, and corrected when it ends. */
const estimatedServiceMs = 3;

/** R starts again far below this, before sums of numbers lose digits. */
const highR = 2 ** 51;
const epochR = 2 ** 50;

export interface Queuing {
  readonly queues: number;
  readonly queueLengthLimit: number;
  readonly handSize: number;
}

/** `exempt`: everything executes at once; `reject`: what finds no seat is refused. */
export type QueueSetMode = 'exempt' | 'reject' | Queuing;

export interface QueueSetConfig {
  readonly mode: QueueSetMode;
  /** Seats. */
  readonly limit: number;
}

/** Is told what happens to the set as a whole, for metrics. */
export interface QueueSetObserver {
  /** After every call that may have changed them. */
  changed?(totals: QueueSetTotals, nowMs: number): void;
  epochAdvanced?(): void;
}

export interface QueueSetTotals {
  readonly waiting: number;
  readonly executing: number;
  /** Seats that are taken, also by requests that have ended and keep theirs for a while. */
  readonly seatsInUse: number;
  readonly seatsWaiting: number;
}

export interface QueueSetTiming {
  /** Milliseconds. */
  now(): number;
  after(ms: number, run: () => void): void;
  /** Seats of requests that have ended are given to `hold`, since the machine has no time for others. */
  readonly holdsSeats: boolean;
  /** Calls it when there is time for another request; `release` returns whether one has begun. */
  hold(release: () => boolean): void;
}

/** Progress between two bounds. */
export interface ProgressBounds {
  min: SeatSeconds;
  max: SeatSeconds;
}

/** Where R was at the latest dispatch. Written in place: each request is dispatched, and few look at it. */
export class DispatchState {
  r: SeatSeconds = 0;
  start: SeatSeconds = 0;
  /** The virtual starts of the oldest requests of all queues. */
  readonly starts: ProgressBounds = { min: 0, max: 0 };
  /** Less the work in progress. */
  readonly discountedStarts: ProgressBounds = { min: 0, max: 0 };

  begin(r: SeatSeconds): void {
    this.r = r;
    const { starts, discountedStarts } = this;
    starts.min = discountedStarts.min = Infinity;
    starts.max = discountedStarts.max = -Infinity;
  }

  sees({ nextDispatchR: start, seatsInUse }: Queue): void {
    widen(this.starts, start);
    widen(this.discountedStarts, start - seatSeconds(seatsInUse, estimatedServiceMs));
  }
}

function widen(bounds: ProgressBounds, value: SeatSeconds): void {
  if (value < bounds.min) bounds.min = value;
  if (value > bounds.max) bounds.max = value;
}

/** The seats of one priority level, and the queues for them. */
export class QueueSet {
  readonly #timing: QueueSetTiming;
  readonly #observer: QueueSetObserver;
  /** Undefined: there is no other thread. */
  #pool: SeatPool | undefined;
  #mode: QueueSetMode;
  #limit: number;
  /** More than configured while the last ones empty. */
  #queues: Queue[] = [];
  readonly #waitingQueues: Queue[] = [];
  #activeQueues = 0;
  /** The seats that the queues use and want. */
  #seatsRequested = 0;
  #r: SeatSeconds = 0;
  #syncedMs: number;
  /** The queue dispatched from last. */
  #robin = 0;
  #enqueues = 0;
  #lastDispatch: DispatchState | undefined;
  /** Requests that have ended and hold their seats: their clients may have sent others meanwhile. */
  #held = 0;
  readonly #queueless = new RequestList();
  readonly totals = {
    waiting: 0,
    executing: 0,
    seatsInUse: 0,
    seatsWaiting: 0,
    dispatched: 0,
    refused: 0,
    cancelled: 0,
  };

  constructor(
    config: QueueSetConfig,
    timing: QueueSetTiming,
    { observer = {} }: { readonly observer?: QueueSetObserver } = {},
  ) {
    this.#timing = timing;
    this.#observer = observer;
    this.#mode = config.mode;
    this.#limit = config.limit;
    this.#syncedMs = timing.now();
    this.configure(config);
  }

  /** From now on other threads take seats as well. */
  shareWith(pool: SeatPool): void {
    this.#sync();
    this.#pool = pool;
    pool.onTurn = () => this.#dispatchAll(this.#sync());
    if (this.totals.seatsInUse > 0) pool.add(this.totals.seatsInUse);
    this.#dispatchAll(this.#sync());
  }

  get isIdle(): boolean {
    return this.totals.waiting === 0 && this.totals.executing === 0;
  }

  get r(): SeatSeconds {
    return this.#r;
  }

  get lastDispatch(): DispatchState | undefined {
    return this.#lastDispatch;
  }

  get queues(): readonly Queue[] {
    return this.#queues;
  }

  /** Executing requests that went through no queue. */
  get queueless(): Iterable<QueuedRequest> {
    return this.#queueless;
  }

  configure({ mode, limit }: QueueSetConfig): void {
    this.#sync();
    this.#mode = mode;
    this.#limit = this.#pool?.limit ?? limit;
    const wanted = typeof mode === 'string' ? 0 : mode.queues;
    while (this.#queues.length < wanted) this.#queues.push(new Queue(this.#queues.length));
    if (this.#queues.length > wanted) for (const queue of Array.from(this.#queues)) this.#removeIfSurplus(queue);
    this.#dispatchAll();
  }

  /**
   * Takes seats for a request: its state is `executing`, `waiting` or `refused` afterwards. `hand` are the queues of
   * its flow. Call `end` for one that executes, `cancel` for one that no longer waits. Callers that know the time give
   * it: looking at the clock is a good part of what a request costs here.
   */
  start(parts: QueuedRequestParts, hand: readonly number[], nowMs: number = this.#timing.now()): QueuedRequest {
    this.#sync(nowMs);
    const request = new QueuedRequest(parts, nowMs);
    request.arrivalR = this.#r;
    if (typeof this.#mode === 'string') this.#startWithoutQueue(request, nowMs);
    else if (this.#takeAtOnce(request)) this.#startAtOnce(request, hand, nowMs);
    else if (!this.#enqueue(request, hand, this.#mode.queueLengthLimit)) this.#refuse(request, 'queue-full');
    else this.#dispatchAll(nowMs);
    return request;
  }

  /** A waiting request is no longer wanted, or has waited too long. */
  cancel(request: QueuedRequest): void {
    if (request.state !== 'waiting') return;
    const nowMs = this.#sync();
    const queue = this.#leaveQueue(request);
    this.totals.cancelled += 1;
    this.#refuse(request, 'time-out');
    if (queue !== undefined) {
      bound(queue);
      this.#removeIfSurplus(queue);
    }
    this.#dispatchAll(nowMs);
  }

  /** An executing request has ended. */
  end(request: QueuedRequest, nowMs: number = this.#timing.now()): void {
    if (request.state !== 'executing') return;
    this.#sync(nowMs);
    this.totals.executing -= 1;
    request.state = 'lingering';
    request.observer?.ended();
    const { queue, work } = request;
    if (queue === undefined) this.#queueless.remove(request);
    else {
      queue.executing.remove(request);
      if (!queue.isActive) this.#activeQueues -= 1;
      const tookMs = nowMs - (request.startedMs ?? nowMs);
      queue.nextDispatchR += seatSeconds(work.initialSeats, tookMs - estimatedServiceMs);
      bound(queue);
    }
    if (work.additionalMs === 0 && !this.#holdsSeats) {
      this.#release(request, nowMs);
      return;
    }
    this.#observer.changed?.(this.totals, nowMs);
    if (work.additionalMs > 0) this.#timing.after(work.additionalMs, () => void this.#release(request));
    else this.#hold(request);
  }

  #hold(request: QueuedRequest): void {
    this.#held += 1;
    this.#timing.hold(() => {
      this.#held -= 1;
      return this.#release(request);
    });
  }

  /**
   * Whether requests keep their seats, also where seats are scarce: a level with one seat serves one request at a time.
   */
  get #holdsSeats(): boolean {
    if (this.#mode === 'exempt') return false;
    return this.#timing.holdsSeats || this.totals.waiting > 0 || 2 * this.#seatsInUse >= this.#limit;
  }

  /** The seats in use on all threads. */
  get #seatsInUse(): number {
    return this.#pool?.inUse ?? this.totals.seatsInUse;
  }

  /** Without what other threads have. */
  get #ownLimit(): number {
    if (this.#pool === undefined) return this.#limit;
    const { seatsInUse } = this.totals;
    return Math.max(seatsInUse, this.#limit - (this.#pool.inUse - seatsInUse));
  }

  /** Updates R, assuming that nothing has changed since the last time. */
  #sync(nowMs: number = this.#timing.now()): number {
    if (this.#activeQueues > 0) {
      const rate = Math.min(this.#seatsRequested, this.#ownLimit) / this.#activeQueues;
      this.#r += seatSeconds(rate, nowMs - this.#syncedMs);
      if (this.#r >= highR) this.#advanceEpoch();
    }
    this.#syncedMs = nowMs;
    this.#limit = this.#pool?.limit ?? this.#limit;
    return nowMs;
  }

  #advanceEpoch(): void {
    this.#r -= epochR;
    for (const queue of this.#queues) {
      queue.nextDispatchR = queue.isActive ? queue.nextDispatchR - epochR : 0;
      for (const request of queue.waiting) request.arrivalR -= epochR;
    }
    this.#observer.epochAdvanced?.();
  }

  #startWithoutQueue(request: QueuedRequest, nowMs: number): void {
    if (this.#mode === 'exempt') this.#pool?.add(request.seats);
    else if (!this.#take(request.seats)) {
      this.#refuse(request, 'concurrency-limit');
      return;
    }
    this.#queueless.add(request);
    this.#execute(request, nowMs);
    this.#observer.changed?.(this.totals, nowMs);
  }

  /** Takes seats for a request if no other waits; false otherwise. */
  #takeAtOnce({ seats }: QueuedRequest): boolean {
    return this.totals.waiting === 0 && this.#seatsInUse < this.#limit && this.#take(seats);
  }

  /** What a queue and a dispatch would do to a request that nobody is before. Its seats have been taken. */
  #startAtOnce(request: QueuedRequest, hand: readonly number[], nowMs: number): void {
    const queue = this.#shortest(hand);
    this.#assign(request, queue);
    if (queue.nextDispatchR < this.#r) queue.nextDispatchR = this.#r;
    request.observer?.enqueued(request.seats, 1);
    request.observer?.dequeued(request.seats);
    const dispatch = (this.#lastDispatch ??= new DispatchState());
    dispatch.begin(this.#r);
    dispatch.sees(queue);
    dispatch.start = queue.nextDispatchR;
    this.#executeOf(queue, request, nowMs);
    this.#observer.changed?.(this.totals, nowMs);
  }

  #assign(request: QueuedRequest, queue: Queue): void {
    const { initialSeats, finalSeats, additionalMs } = request.work;
    request.totalWork = seatSeconds(initialSeats, estimatedServiceMs) + seatSeconds(finalSeats, additionalMs);
    request.queue = queue;
    if (!queue.isActive) queue.nextDispatchR = this.#r;
  }

  /** False if its queue is full. */
  #enqueue(request: QueuedRequest, hand: readonly number[], limit: number): boolean {
    const queue = this.#shortest(hand);
    if (this.#seatsInUse >= this.#limit && queue.waiting.size >= limit + this.#held) return false;
    this.#assign(request, queue);
    if (!queue.isActive) this.#activeQueues += 1;
    queue.enqueue(request);
    if (queue.waiting.size === 1) queue.placeAmongWaiting = this.#waitingQueues.push(queue) - 1;
    this.#seatsRequested += request.seats;
    this.totals.waiting += 1;
    this.totals.seatsWaiting += request.seats;
    request.observer?.enqueued(request.seats, queue.waiting.size);
    bound(queue);
    return true;
  }

  /** The queue of the hand with the least waiting work; among equals, another one each time. */
  #shortest(hand: readonly number[]): Queue {
    let card = this.#enqueues % hand.length;
    this.#enqueues += 1;
    let shortest: Queue | undefined;
    for (let seen = 0; seen < hand.length; seen += 1) {
      const queue = this.#queues[hand[card] ?? 0];
      if (queue !== undefined && (shortest === undefined || queue.workWaiting < shortest.workWaiting)) shortest = queue;
      card = card + 1 === hand.length ? 0 : card + 1;
    }
    if (shortest === undefined) throw new Error('a hand without queues');
    return shortest;
  }

  #dispatchAll(nowMs = this.#timing.now()): void {
    this.#dispatchFitting(nowMs);
    // A seat may have become free before other threads knew that this one waits.
    if (this.#pool?.setWaiting(this.totals.waiting > 0) === true) {
      this.#dispatchFitting(nowMs);
      this.#pool.setWaiting(this.totals.waiting > 0);
    }
    this.#observer.changed?.(this.totals, nowMs);
  }

  #dispatchFitting(nowMs: number): void {
    while (this.totals.waiting > 0 && this.#seatsInUse < this.#limit && this.#dispatchNext(nowMs)) {
      // Each call dispatches one.
    }
  }

  /** False if the request whose turn it is has to wait. */
  #dispatchNext(nowMs: number): boolean {
    const queue = this.#nextQueue();
    const request = queue?.waiting.oldest;
    if (queue === undefined || request === undefined) return false;
    if (!this.#take(request.seats)) {
      request.observer?.notAccommodated();
      return false;
    }
    this.#leaveQueue(request);
    this.#executeOf(queue, request, nowMs);
    bound(queue);
    request.onDispatch?.();
    return true;
  }

  #executeOf(queue: Queue, request: QueuedRequest, nowMs: number): void {
    this.#robin = queue.index;
    this.#fitFinalSeats(request);
    if (!queue.isActive) this.#activeQueues += 1;
    queue.executing.add(request);
    queue.seatsInUse += request.seats;
    this.#seatsRequested += request.seats;
    this.#execute(request, nowMs);
    queue.nextDispatchR += request.totalWork;
  }

  /** The one whose oldest request finishes first; among equals, the first after the last one. */
  #nextQueue(): Queue | undefined {
    const dispatch = (this.#lastDispatch ??= new DispatchState());
    dispatch.begin(this.#r);
    let next: Queue | undefined;
    for (const queue of this.#waitingQueues) {
      dispatch.sees(queue);
      if (next === undefined || this.#isBefore(queue, next)) next = queue;
    }
    if (next !== undefined) dispatch.start = next.nextDispatchR;
    return next;
  }

  #isBefore(one: Queue, other: Queue): boolean {
    const difference = finishOf(one) - finishOf(other);
    return difference === 0 ? this.#distance(one) < this.#distance(other) : difference < 0;
  }

  /** From the queue dispatched from last. */
  #distance({ index }: Queue): number {
    const count = this.#queues.length;
    return (index - this.#robin - 1 + count) % count;
  }

  /** What needs more seats than there are gets them when it is alone. */
  #take(seats: number): boolean {
    const limit = this.#limit;
    if (this.#pool !== undefined) return this.#pool.take(seats, limit);
    if (seats > limit) return this.totals.executing === 0;
    return this.totals.seatsInUse + seats <= limit;
  }

  /** Final work that is wider than the queue set takes longer instead. */
  #fitFinalSeats(request: QueuedRequest): void {
    const { work } = request;
    const limit = this.#limit;
    if (work.finalSeats <= limit) return;
    const additionalMs = msPerSeat(seatSeconds(work.finalSeats, work.additionalMs), limit);
    request.work = { ...work, finalSeats: limit, additionalMs };
  }

  #execute(request: QueuedRequest, nowMs: number): void {
    request.state = 'executing';
    request.startedMs = nowMs;
    this.totals.executing += 1;
    this.totals.dispatched += 1;
    this.totals.seatsInUse += request.seats;
    request.observer?.started(request.seats);
  }

  #leaveQueue(request: QueuedRequest): Queue | undefined {
    const { queue } = request;
    if (queue === undefined) return undefined;
    queue.dequeue(request);
    if (!queue.isActive) this.#activeQueues -= 1;
    if (queue.waiting.size === 0) this.#forgetWaiting(queue);
    this.#seatsRequested -= request.seats;
    this.totals.waiting -= 1;
    this.totals.seatsWaiting -= request.seats;
    request.observer?.dequeued(request.seats);
    return queue;
  }

  #forgetWaiting(queue: Queue): void {
    const last = this.#waitingQueues.pop();
    if (last !== undefined && last !== queue) {
      this.#waitingQueues[queue.placeAmongWaiting] = last;
      last.placeAmongWaiting = queue.placeAmongWaiting;
    }
    queue.placeAmongWaiting = -1;
  }

  /** Returns whether another request has begun. */
  #release(request: QueuedRequest, nowMs = this.#sync()): boolean {
    const { queue, seats } = request;
    const { dispatched } = this.totals;
    request.state = 'ended';
    this.totals.seatsInUse -= seats;
    this.#pool?.give(seats);
    request.observer?.seatsReleased(seats);
    if (queue !== undefined) {
      queue.seatsInUse -= seats;
      this.#seatsRequested -= seats;
      this.#removeIfSurplus(queue);
    }
    this.#dispatchAll(nowMs);
    return this.totals.dispatched > dispatched;
  }

  #refuse(request: QueuedRequest, reason: RefusalReason): void {
    request.state = 'refused';
    this.totals.refused += 1;
    request.observer?.refused(reason);
  }

  /** Queues that are no longer configured go when they are empty. */
  #removeIfSurplus(queue: Queue): void {
    const wanted = typeof this.#mode === 'string' ? 0 : this.#mode.queues;
    if (this.#queues.length <= wanted || queue.isActive || queue.seatsInUse > 0) return;
    this.#queues.splice(queue.index, 1);
    for (const [index, left] of this.#queues.entries()) left.index = index;
    if (this.#robin >= queue.index) this.#robin = Math.max(0, this.#robin - 1);
  }
}

/** When the oldest request of a queue would finish. */
function finishOf({ nextDispatchR, waiting: { oldest } }: Queue): SeatSeconds {
  return nextDispatchR + (oldest?.totalWork ?? 0);
}

/** No queue is ahead of the progress at which its oldest request arrived: queues do not save up seats. */
function bound(queue: Queue): void {
  const { oldest } = queue.waiting;
  if (oldest !== undefined && queue.nextDispatchR < oldest.arrivalR) queue.nextDispatchR = oldest.arrivalR;
}
