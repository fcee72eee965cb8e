import type { Metric, MetricDefinition, MetricLabels, Sample } from '../api/metrics/metric.ts';
import { perKey } from '../api/collections/per-key.ts';
import type { RefusalReason, RequestObserver } from './queueing/queue.ts';

export type MakeMetric = (definition: MetricDefinition, read?: () => readonly Sample[]) => Metric;

const ofFlow = ['priority_level', 'flow_schema'];
const durationBuckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

type WithoutLabels<T> = T extends unknown ? Omit<T, 'labelNames'> : never;
type Definition = WithoutLabels<MetricDefinition> & { readonly labelNames?: readonly string[] };

export function flowMetric({ name, labelNames = ofFlow, ...more }: Definition): MetricDefinition {
  return { name: `apiserver_flowcontrol_${name}`, labelNames, ...more };
}

const definitions = {
  refused: flowMetric({
    name: 'rejected_requests_total',
    help: '[BETA] Requests that flow control has refused.',
    type: 'counter',
    labelNames: [...ofFlow, 'reason'],
  }),
  dispatched: flowMetric({
    name: 'dispatched_requests_total',
    help: '[BETA] Requests that flow control has let through.',
    type: 'counter',
  }),
  waitingRequests: flowMetric({
    name: 'current_inqueue_requests',
    help: '[BETA] Requests waiting in queues of flow control.',
    type: 'gauge',
    overThreads: 'sum',
  }),
  waitingSeats: flowMetric({
    name: 'current_inqueue_seats',
    help: '[ALPHA] Seats for which requests wait in queues of flow control.',
    type: 'gauge',
    overThreads: 'sum',
  }),
  queueLength: flowMetric({
    name: 'request_queue_length_after_enqueue',
    help: '[ALPHA] Length of the queue of a request, including itself.',
    type: 'histogram',
    buckets: [0, 10, 25, 50, 100, 250, 500, 1_000],
  }),
  executingRequests: flowMetric({
    name: 'current_executing_requests',
    help: '[BETA] Requests that flow control has let through and that have not ended; watches until they have begun.',
    type: 'gauge',
    overThreads: 'sum',
  }),
  executingSeats: flowMetric({
    name: 'current_executing_seats',
    help: '[BETA] Seats taken by requests.',
    type: 'gauge',
    overThreads: 'sum',
  }),
  waited: flowMetric({
    name: 'request_wait_duration_seconds',
    help: '[BETA] Time that requests have spent in queues, in seconds.',
    type: 'histogram',
    labelNames: [...ofFlow, 'execute'],
    buckets: durationBuckets,
  }),
  executed: flowMetric({
    name: 'request_execution_seconds',
    help: '[ALPHA] Time that requests have held seats, in seconds.',
    type: 'histogram',
    labelNames: [...ofFlow, 'type'],
    buckets: durationBuckets,
  }),
  watches: flowMetric({
    name: 'watch_count_samples',
    help: '[ALPHA] Watches to which writes may have been told.',
    type: 'histogram',
    buckets: [0, 1, 10, 100, 1_000, 10_000],
  }),
  estimated: flowMetric({
    name: 'work_estimated_seats',
    help: '[ALPHA] Seats that requests were estimated to need.',
    type: 'histogram',
    buckets: [1, 2, 4, 8, 16, 32, 64, 100],
  }),
  notAccommodated: flowMetric({
    name: 'request_dispatch_no_accommodation_total',
    help: '[ALPHA] How often the next request needed more seats than were free.',
    type: 'counter',
  }),
  epochs: flowMetric({
    name: 'epoch_advance_total',
    help: '[ALPHA] How often the progress of queues was set back, so that numbers stay exact.',
    type: 'counter',
    labelNames: ['priority_level', 'success'],
  }),
} as const;

type Metrics = { readonly [name in keyof typeof definitions]: Metric };

/** Metrics that are brought up to date when they are read; all others are counted directly. */
const collected = [
  ...(['dispatched', 'executingRequests', 'executingSeats', 'waitingRequests', 'waitingSeats'] as const),
  ...(['queueLength', 'waited', 'estimated'] as const),
] as const;

type Collected = (typeof collected)[number];

/**
 * What is counted of the requests of one schema at one level. Every request adds to a dozen series, which are seldom
 * read: what most requests have in common is counted in numbers side by side, until the metrics are read.
 */
export class FlowSeries implements RequestObserver {
  readonly watches: (count: number) => void;
  readonly notAccommodated: () => void;
  readonly #metrics: Metrics;
  readonly #labels: MetricLabels;
  readonly #executed: (seconds: number) => void;
  readonly #executedWatch: (seconds: number) => void;
  #dispatched = 0;
  #executingRequests = 0;
  #executingSeats = 0;
  #enqueued = 0;
  #waitingRequests = 0;
  #waitingSeats = 0;
  /** Queued with none before it. */
  #firstInQueue = 0;
  #neverWaited = 0;
  #ofOneSeat = 0;

  constructor(metrics: Metrics, labels: MetricLabels) {
    this.#metrics = metrics;
    this.#labels = labels;
    this.watches = metrics.watches.observer(labels);
    this.notAccommodated = metrics.notAccommodated.counter(labels);
    this.#executed = metrics.executed.observer({ ...labels, type: 'regular' });
    this.#executedWatch = metrics.executed.observer({ ...labels, type: 'watch' });
  }

  enqueued(seats: number, queueLength: number): void {
    this.#enqueued += 1;
    this.#waitingRequests += 1;
    this.#waitingSeats += seats;
    if (queueLength === 1) this.#firstInQueue += 1;
    else this.#metrics.queueLength.observe(queueLength, this.#labels);
  }

  dequeued(seats: number): void {
    this.#waitingRequests -= 1;
    this.#waitingSeats -= seats;
  }

  started(seats: number): void {
    this.#dispatched += 1;
    this.#executingRequests += 1;
    this.#executingSeats += seats;
  }

  ended(): void {
    this.#executingRequests -= 1;
  }

  seatsReleased(seats: number): void {
    this.#executingSeats -= seats;
  }

  refused(reason: RefusalReason): void {
    this.#metrics.refused.add({ ...this.#labels, reason });
  }

  estimated(seats: number): void {
    if (seats === 1) this.#ofOneSeat += 1;
    else this.#metrics.estimated.observe(seats, this.#labels);
  }

  waited(executes: boolean, seconds: number): void {
    if (executes && seconds === 0) this.#neverWaited += 1;
    else this.#metrics.waited.observe(seconds, { ...this.#labels, execute: String(executes) });
  }

  executed(type: 'regular' | 'watch', seconds: number): void {
    if (type === 'watch') this.#executedWatch(seconds);
    else this.#executed(seconds);
  }

  /** Adds to a metric what has been counted for it. Series are shown once there has been something to count. */
  collect(name: Collected): void {
    const labels = this.#labels;
    switch (name) {
      case 'dispatched':
        return this.#show(name, this.#dispatched, this.#dispatched > 0);
      case 'executingRequests':
        return this.#show(name, this.#executingRequests, this.#dispatched > 0);
      case 'executingSeats':
        return this.#show(name, this.#executingSeats, this.#dispatched > 0);
      case 'waitingRequests':
        return this.#show(name, this.#waitingRequests, this.#enqueued > 0);
      case 'waitingSeats':
        return this.#show(name, this.#waitingSeats, this.#enqueued > 0);
      case 'queueLength':
        observeEqual(this.#metrics[name], { labels, value: 1, times: this.#firstInQueue });
        this.#firstInQueue = 0;
        return;
      case 'waited':
        observeEqual(this.#metrics[name], {
          labels: { ...labels, execute: 'true' },
          value: 0,
          times: this.#neverWaited,
        });
        this.#neverWaited = 0;
        return;
      case 'estimated':
        observeEqual(this.#metrics[name], { labels, value: 1, times: this.#ofOneSeat });
        this.#ofOneSeat = 0;
    }
  }

  #show(name: Collected, value: number, isShown: boolean): void {
    if (isShown) this.#metrics[name].set(value, this.#labels);
  }
}

interface EqualValues {
  readonly labels: MetricLabels;
  readonly value: number;
  readonly times: number;
}

function observeEqual(histogram: Metric, { labels, value, times }: EqualValues): void {
  if (times > 0) histogram.observer(labels)(value, times);
}

export class FlowMetrics {
  /** The series of a level and a schema. */
  readonly seriesOf = perKey((level: string) => perKey((schema: string) => this.#made(level, schema)));
  readonly #metrics: Metrics;
  readonly #series: FlowSeries[] = [];

  constructor(make: MakeMetric) {
    const made = Object.entries(definitions).map(([name, definition]) => [name, make(definition)]);
    // Entries of an object keep its keys.
    this.#metrics = Object.fromEntries(made) as Metrics;
    for (const name of collected) {
      this.#metrics[name].beforeRead = () => {
        for (const series of this.#series) series.collect(name);
      };
    }
  }

  /** The progress of a level's queues was set back. */
  epochAdvanced(level: string): void {
    this.#metrics.epochs.add({ priority_level: level, success: 'true' });
  }

  #made(priority_level: string, flow_schema: string): FlowSeries {
    const series = new FlowSeries(this.#metrics, { priority_level, flow_schema });
    this.#series.push(series);
    return series;
  }
}
