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

interface LevelHistograms {
  readonly demand: RatioHistogram;
  readonly seats: RatioHistogram;
  readonly executing: RatioHistogram;
  readonly waiting: RatioHistogram;
}

type OfKinds = Readonly<Record<RequestKind, RatioHistogram>>;

/** How busy levels are over time. */
export class Utilization {
  /** Requests that run, whichever their level is. */
  readonly executing: OfKinds;
  readonly waiting: OfKinds;
  readonly #now: () => number;
  readonly #metrics: { readonly [name in keyof typeof definitions]: Metric };
  readonly #levels = new Map<string, LevelHistograms>();

  constructor(make: MakeMetric, now: () => number) {
    this.#now = now;
    const { demand, seats, requests, kinds } = definitions;
    this.#metrics = { demand: make(demand), seats: make(seats), requests: make(requests), kinds: make(kinds) };
    for (const each of Object.values(this.#metrics)) each.beforeRead = () => this.flush();
    const ofKind = (phase: string, request_kind: RequestKind): RatioHistogram =>
      new RatioHistogram(this.#metrics.kinds.observer({ phase, request_kind }), now());
    const ofPhase = (phase: string): OfKinds => {
      return { mutating: ofKind(phase, 'mutating'), readOnly: ofKind(phase, 'readOnly') };
    };
    this.executing = ofPhase('executing');
    this.waiting = ofPhase('waiting');
  }

  /** Follows a level. */
  observer(level: string): (totals: QueueSetTotals, nowMs: number) => void {
    const { demand, seats, executing, waiting } = this.#made(level);
    return (totals, nowMs) => {
      demand.set(totals.seatsInUse + totals.seatsWaiting, nowMs);
      seats.set(totals.seatsInUse, nowMs);
      executing.set(totals.executing, nowMs);
      waiting.set(totals.waiting, nowMs);
    };
  }

  /** The limits have changed. */
  relateTo(table: FlowTable, totalSeats: number): void {
    const nowMs = this.#now();
    let [seatSum, roomSum] = [0, 0];
    for (const [name, level] of table.levels) {
      const { demand, seats, executing, waiting } = this.#made(name);
      const seatCount = level.current > 0 ? level.current : Math.max(1, Math.round(totalSeats / 10));
      for (const histogram of [demand, seats, executing]) histogram.setDenominator(seatCount, nowMs);
      const room = roomOf(level);
      waiting.setDenominator(Math.max(room, 1), nowMs);
      seatSum += level.limits.nominal;
      roomSum += room;
    }
    for (const kind of ['mutating', 'readOnly'] as const) {
      this.executing[kind].setDenominator(Math.max(seatSum, 1), nowMs);
      this.waiting[kind].setDenominator(Math.max(roomSum, 1), nowMs);
    }
  }

  /** Counts the time up to now. */
  flush(): void {
    const nowMs = this.#now();
    const ofLevels = [...this.#levels.values()].flatMap((level) => Object.values(level) as RatioHistogram[]);
    const ofKinds = [this.executing, this.waiting].flatMap((phase) => Object.values(phase));
    for (const histogram of [...ofLevels, ...ofKinds]) histogram.flush(nowMs);
  }

  #made(priority_level: string): LevelHistograms {
    const known = this.#levels.get(priority_level);
    if (known !== undefined) return known;
    const { demand, seats, requests } = this.#metrics;
    const histogram = (metric: Metric, labels: Readonly<Record<string, string>>): RatioHistogram =>
      new RatioHistogram(metric.observer({ ...labels, priority_level }), this.#now());
    const made = {
      demand: histogram(demand, {}),
      seats: histogram(seats, { phase: 'executing' }),
      executing: histogram(requests, { phase: 'executing' }),
      waiting: histogram(requests, { phase: 'waiting' }),
    };
    this.#levels.set(priority_level, made);
    return made;
  }
}

/** How many requests can wait. */
function roomOf({ spec: { mode } }: PriorityLevel): number {
  return typeof mode === 'string' ? 0 : mode.queues * mode.queueLengthLimit;
}
