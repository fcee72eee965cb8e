import { secondsSince } from '../api/time/seconds-since.ts';
import type { Metric, OverThreads, Sample } from '../api/metrics/metric.ts';
import type { PartContext } from '../api/contracts/part.ts';

/** As client-go has them: powers of ten, as Go computes them. */
const buckets = [1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 0.001, 0.01, 0.1, 1, 10];
const labelNames = ['name'];

/** The metrics of work queues, by client-go's names. Queues of the same name are counted together. */
export class QueueMetrics {
  readonly #queues = new Map<string, QueueMetric>();
  readonly #counts: QueueCounts;

  constructor(metric: PartContext['metric']) {
    const histogram = (name: string, help: string): Metric =>
      metric({ name, help, type: 'histogram', labelNames, buckets });
    const counter = (name: string, help: string): Metric => metric({ name, help, type: 'counter', labelNames });
    this.#counts = {
      adds: counter('workqueue_adds_total', '[BETA] Total number of adds handled by workqueue'),
      retries: counter('workqueue_retries_total', '[BETA] Total number of retries handled by workqueue'),
      waits: histogram(
        'workqueue_queue_duration_seconds',
        '[BETA] How long in seconds an item stays in workqueue before being requested.',
      ),
      works: histogram(
        'workqueue_work_duration_seconds',
        '[BETA] How long in seconds processing an item from workqueue takes.',
      ),
    };
    const gauge = (
      name: string,
      help: string,
      read: (queue: QueueMetric) => number,
      overThreads: OverThreads = 'sum',
    ): void => {
      const readAll = (): readonly Sample[] =>
        Array.from(this.#queues, ([queue, measured]) => ({ labels: { name: queue }, value: read(measured) }));
      metric({ name, help, type: 'gauge', overThreads, labelNames }, readAll);
    };
    gauge('workqueue_depth', '[BETA] Current depth of workqueue', ({ depth }) => depth);
    gauge('workqueue_unfinished_work_seconds', unfinishedHelp, (queue) => sum(queue.runningSeconds()));
    gauge(
      'workqueue_longest_running_processor_seconds',
      longestHelp,
      (queue) => Math.max(0, ...queue.runningSeconds()),
      'max',
    );
  }

  of(name: string): QueueMetric {
    let known = this.#queues.get(name);
    if (known === undefined) this.#queues.set(name, (known = new QueueMetric(name, this.#counts)));
    return known;
  }
}

const unfinishedHelp =
  "[BETA] How many seconds of work has done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.";
const longestHelp = '[BETA] How many seconds has the longest running processor for workqueue been running.';

interface QueueCounts {
  readonly adds: Metric;
  readonly retries: Metric;
  readonly waits: Metric;
  readonly works: Metric;
}

/** What is measured of one queue. */
export class QueueMetric {
  readonly #counts: QueueCounts;
  readonly #labels: { readonly name: string };
  /** When work in progress began. */
  readonly #running = new Set<{ readonly sinceMs: number }>();
  #depth = 0;

  constructor(name: string, counts: QueueCounts) {
    this.#counts = counts;
    this.#labels = { name };
    for (const counted of [counts.adds, counts.retries]) counted.start(this.#labels);
    for (const observed of [counts.waits, counts.works]) observed.start(this.#labels);
  }

  get depth(): number {
    return this.#depth;
  }

  runningSeconds(): readonly number[] {
    const nowMs = performance.now();
    return Array.from(this.#running, ({ sinceMs }) => (nowMs - sinceMs) / 1000);
  }

  added(): void {
    this.#counts.adds.add(this.#labels);
    this.#depth += 1;
  }

  retries(): void {
    this.#counts.retries.add(this.#labels);
  }

  /** What waits is given up. */
  dropped(count: number): void {
    this.#depth -= count;
  }

  /** Work on what has waited since `addedMs` begins; the result is called when it ends. */
  begins(addedMs: number): () => void {
    const work = { sinceMs: performance.now() };
    this.#depth -= 1;
    this.#counts.waits.observe((work.sinceMs - addedMs) / 1000, this.#labels);
    this.#running.add(work);
    return () => {
      this.#running.delete(work);
      this.#counts.works.observe(secondsSince(work.sinceMs), this.#labels);
    };
  }

  /** Work that does not wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.added();
    const ends = this.begins(performance.now());
    try {
      return await work();
    } finally {
      ends();
    }
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
