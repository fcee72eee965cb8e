import type { Metric } from '../api/metrics/metric.ts';
import { type MakeMetric, flowMetric } from './flow-metrics.ts';
import type { FlowTable } from './levels/flow-table.ts';
import type { PriorityLevel } from './levels/priority-level.ts';
import type { QueueSetTotals } from './queueing/queue-set.ts';
import { RatioHistogram } from './ratio-histogram.ts';

const levelLabels = ['priority_level'];
const phasedLabels = ['phase', 'priority_level'];

const definitions = {
  demand: flowMetric({
    name: 'demand_seats',
    help: '[ALPHA] Seats that each level could use, in relation to those it has, for each nanosecond.',
    type: 'histogram',
    labelNames: levelLabels,
    buckets: [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6],
  }),
  seats: flowMetric({
    name: 'priority_level_seat_utilization',
    help: '[ALPHA] Seats that are taken, in relation to those of the level, for each nanosecond.',
    type: 'histogram',
    labelNames: phasedLabels,
    buckets: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
  }),
  requests: flowMetric({
    name: 'priority_level_request_utilization',
    help: '[ALPHA] Requests that run or wait, in relation to the limit, for each nanosecond.',
    type: 'histogram',
    labelNames: phasedLabels,
    buckets: [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
  }),
  kinds: flowMetric({
    name: 'read_vs_write_current_requests',
    help: '[ALPHA] Reads and writes that run or wait, in relation to the limit, for each nanosecond.',
    type: 'histogram',
    labelNames: ['phase', 'request_kind'],
    buckets: [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
  }),
} as const;

export type RequestKind = 'mutating' | 'readOnly';

const requestKinds: readonly RequestKind[] = ['mutating', 'readOnly'];
const nanosPerMs = 1_000_000;

/** Measures how much time passes, in nanoseconds. */
class Stopwatch {
  #sinceMs: number;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** Since the last time; 0 where the clock has not moved. */
  lap(nowMs: number): number {
    const nanos = Math.round((nowMs - this.#sinceMs) * nanosPerMs);
    if (nanos <= 0) return 0;
    this.#sinceMs = nowMs;
    return nanos;
  }
}

/** Requests of one kind that run or wait, over time, whatever their level is. */
export class KindUtilization {
  readonly #histogram: RatioHistogram;
  readonly #stopwatch: Stopwatch;
  #requests = 0;

  constructor(histogram: RatioHistogram, nowMs: number) {
    this.#histogram = histogram;
    this.#stopwatch = new Stopwatch(nowMs);
  }

  add(by: number, nowMs: number): void {
    this.#advance(nowMs);
    this.#requests += by;
  }

  relateTo(denominator: number, nowMs: number): void {
    this.#advance(nowMs);
    this.#histogram.setDenominator(denominator);
  }

  collect(nowMs: number): void {
    this.#advance(nowMs);
    this.#histogram.flush();
  }

  #advance(nowMs: number): void {
    this.#histogram.count(this.#requests, this.#stopwatch.lap(nowMs));
  }
}

interface LevelHistograms {
  readonly demand: RatioHistogram;
  readonly seats: RatioHistogram;
  readonly executing: RatioHistogram;
  readonly waiting: RatioHistogram;
}

/** The histograms of a level that are series of a metric. */
const histogramsOf = {
  demand: ['demand'],
  seats: ['seats'],
  requests: ['executing', 'waiting'],
} as const satisfies { readonly [metric: string]: readonly (keyof LevelHistograms)[] };

/** How busy a level is over time. Most requests change all its numbers at once, so the clock is of all together. */
class LevelUtilization {
  readonly #histograms: LevelHistograms;
  readonly #stopwatch: Stopwatch;
  #demand = 0;
  #seats = 0;
  #executing = 0;
  #waiting = 0;

  constructor(histograms: LevelHistograms, nowMs: number) {
    this.#histograms = histograms;
    this.#stopwatch = new Stopwatch(nowMs);
  }

  set({ seatsInUse, seatsWaiting, executing, waiting }: QueueSetTotals, nowMs: number): void {
    this.#advance(nowMs);
    this.#demand = seatsInUse + seatsWaiting;
    this.#seats = seatsInUse;
    this.#executing = executing;
    this.#waiting = waiting;
  }

  relateTo(level: PriorityLevel, { seats, nowMs }: { readonly seats: number; readonly nowMs: number }): void {
    this.#advance(nowMs);
    const { demand, seats: taken, executing, waiting } = this.#histograms;
    for (const histogram of [demand, taken, executing]) histogram.setDenominator(seats);
    waiting.setDenominator(Math.max(roomOf(level), 1));
  }

  collect(metric: keyof typeof histogramsOf, nowMs: number): void {
    this.#advance(nowMs);
    for (const name of histogramsOf[metric]) this.#histograms[name].flush();
  }

  #advance(nowMs: number): void {
    const nanos = this.#stopwatch.lap(nowMs);
    if (nanos === 0) return;
    const { demand, seats, executing, waiting } = this.#histograms;
    demand.count(this.#demand, nanos);
    seats.count(this.#seats, nanos);
    executing.count(this.#executing, nanos);
    waiting.count(this.#waiting, nanos);
  }
}

type OfKinds = Readonly<Record<RequestKind, KindUtilization>>;

/** How busy levels are over time. */
export class Utilization {
  /** Requests that run, whichever their level is. */
  readonly executing: OfKinds;
  readonly waiting: OfKinds;
  readonly #now: () => number;
  readonly #metrics: { readonly [name in keyof typeof definitions]: Metric };
  readonly #levels = new Map<string, LevelUtilization>();

  constructor(make: MakeMetric, now: () => number) {
    this.#now = now;
    const { demand, seats, requests, kinds } = definitions;
    this.#metrics = { demand: make(demand), seats: make(seats), requests: make(requests), kinds: make(kinds) };
    for (const name of ['demand', 'seats', 'requests'] as const) {
      this.#metrics[name].beforeRead = () => {
        for (const level of this.#levels.values()) level.collect(name, now());
      };
    }
    this.#metrics.kinds.beforeRead = () => {
      for (const phase of [this.executing, this.waiting]) for (const kind of requestKinds) phase[kind].collect(now());
    };
    const ofKind = (phase: string, request_kind: RequestKind): KindUtilization =>
      new KindUtilization(new RatioHistogram(this.#metrics.kinds.observer({ phase, request_kind })), now());
    const ofPhase = (phase: string): OfKinds => {
      return { mutating: ofKind(phase, 'mutating'), readOnly: ofKind(phase, 'readOnly') };
    };
    this.executing = ofPhase('executing');
    this.waiting = ofPhase('waiting');
  }

  /** Follows a level. */
  observer(level: string): (totals: QueueSetTotals, nowMs: number) => void {
    const utilization = this.#made(level);
    return (totals, nowMs) => utilization.set(totals, nowMs);
  }

  /** The limits have changed. */
  relateTo(table: FlowTable, totalSeats: number): void {
    const nowMs = this.#now();
    let [seatSum, roomSum] = [0, 0];
    for (const [name, level] of table.levels) {
      const seats = level.current > 0 ? level.current : Math.max(1, Math.round(totalSeats / 10));
      this.#made(name).relateTo(level, { seats, nowMs });
      seatSum += level.limits.nominal;
      roomSum += roomOf(level);
    }
    for (const kind of requestKinds) {
      this.executing[kind].relateTo(Math.max(seatSum, 1), nowMs);
      this.waiting[kind].relateTo(Math.max(roomSum, 1), nowMs);
    }
  }

  #made(priority_level: string): LevelUtilization {
    const known = this.#levels.get(priority_level);
    if (known !== undefined) return known;
    const { demand, seats, requests } = this.#metrics;
    const histogram = (metric: Metric, labels: Readonly<Record<string, string>>): RatioHistogram =>
      new RatioHistogram(metric.observer({ ...labels, priority_level }));
    const histograms = {
      demand: histogram(demand, {}),
      seats: histogram(seats, { phase: 'executing' }),
      executing: histogram(requests, { phase: 'executing' }),
      waiting: histogram(requests, { phase: 'waiting' }),
    };
    const made = new LevelUtilization(histograms, this.#now());
    this.#levels.set(priority_level, made);
    return made;
  }
}

/** How many requests can wait. */
function roomOf({ spec: { mode } }: PriorityLevel): number {
  return typeof mode === 'string' ? 0 : mode.queues * mode.queueLengthLimit;
}
