import type { SeatSeconds } from './seat-seconds.ts';

/** What a request is expected to cost. */
export interface WorkEstimate {
  /** Seats that it occupies while it runs. */
  readonly initialSeats: number;
  /** Seats that what it causes occupies afterwards, for `additionalMs`; nobody waits for that. */
  readonly finalSeats: number;
  readonly additionalMs: number;
}

/** A request takes all its seats at once, for both phases. */
export function maxSeats({ initialSeats, finalSeats }: WorkEstimate): number {
  return Math.max(initialSeats, finalSeats);
}

export type RefusalReason = 'concurrency-limit' | 'queue-full' | 'time-out';

/** Is told what happens to a request, for metrics. `seats` are those of the request. */
export interface RequestObserver {
  /** `queueLength` includes the request. */
  enqueued(seats: number, queueLength: number): void;
  dequeued(seats: number): void;
  started(seats: number): void;
  ended(): void;
  seatsReleased(seats: number): void;
  refused(reason: RefusalReason): void;
  /** It is the request's turn, and it needs more seats than are free. */
  notAccommodated(): void;
}

export interface QueuedRequestParts {
  readonly flowSchema: string;
  readonly distinguisher: string;
  readonly work: WorkEstimate;
  /** For dumps. */
  readonly about: unknown;
  readonly observer?: RequestObserver;
}

export type RequestState = 'waiting' | 'executing' | 'lingering' | 'ended' | 'refused';

/** A request in a queue set. */
export class QueuedRequest {
  readonly flowSchema: string;
  readonly distinguisher: string;
  readonly about: unknown;
  readonly observer: RequestObserver | undefined;
  readonly arrivedMs: number;
  /** Shortened to what the queue set has when it is dispatched. */
  work: WorkEstimate;
  readonly seats: number;
  state: RequestState = 'waiting';
  startedMs: number | undefined;
  /** Undefined: it is not in a queue. */
  queue: Queue | undefined;
  /** The progress of its queue set when it arrived. */
  arrivalR: SeatSeconds = 0;
  totalWork: SeatSeconds = 0;
  /** Called once a waiting request may execute. */
  onDispatch: (() => void) | undefined;
  next: QueuedRequest | undefined;
  previous: QueuedRequest | undefined;

  constructor({ flowSchema, distinguisher, work, about, observer }: QueuedRequestParts, arrivedMs: number) {
    this.flowSchema = flowSchema;
    this.distinguisher = distinguisher;
    this.work = work;
    this.seats = maxSeats(work);
    this.about = about;
    this.observer = observer;
    this.arrivedMs = arrivedMs;
  }
}

/** Requests in the order in which they came; any of them can leave at any time. A request is in one list at most. */
export class RequestList implements Iterable<QueuedRequest> {
  size = 0;
  oldest: QueuedRequest | undefined;
  #latest: QueuedRequest | undefined;

  add(request: QueuedRequest): void {
    request.previous = this.#latest;
    if (this.#latest === undefined) this.oldest = request;
    else this.#latest.next = request;
    this.#latest = request;
    this.size += 1;
  }

  remove(request: QueuedRequest): void {
    const { next, previous } = request;
    if (previous === undefined) this.oldest = next;
    else previous.next = next;
    if (next === undefined) this.#latest = previous;
    else next.previous = previous;
    request.next = request.previous = undefined;
    this.size -= 1;
  }

  *[Symbol.iterator](): Generator<QueuedRequest> {
    for (let request = this.oldest; request !== undefined; request = request.next) yield request;
  }
}

/** A share of the flows of a queue set. */
export class Queue {
  /** Its position among the queues of its set. */
  index: number;
  /** Its position among those with waiting requests; -1: it has none. */
  placeAmongWaiting = -1;
  /** The progress at which the next request will be dispatched if every queue gets its fair share. */
  nextDispatchR: SeatSeconds = 0;
  readonly waiting = new RequestList();
  initialSeatsWaiting = 0;
  seatsWaiting = 0;
  workWaiting: SeatSeconds = 0;
  readonly executing = new RequestList();
  seatsInUse = 0;

  constructor(index: number) {
    this.index = index;
  }

  get isActive(): boolean {
    return this.waiting.size > 0 || this.executing.size > 0;
  }

  enqueue(request: QueuedRequest): void {
    this.waiting.add(request);
    this.#count(request, 1);
  }

  dequeue(request: QueuedRequest): void {
    this.waiting.remove(request);
    this.#count(request, -1);
  }

  #count({ work, seats, totalWork }: QueuedRequest, by: 1 | -1): void {
    this.initialSeatsWaiting += by * work.initialSeats;
    this.seatsWaiting += by * seats;
    this.workWaiting += by * totalWork;
  }
}
