import { systemClock } from '../time/clock.ts';
import { SparseBuckets } from './sparse-buckets.ts';
import { QuantileSketch } from './quantile-sketch.ts';

/**
 * What a server of several threads exposes of a metric that each of them has: the sum, the greatest value, that of the
 * first thread, or each with a label that names its thread.
 */
export type OverThreads = 'sum' | 'max' | 'first' | 'each';

/** A metric: what `/metrics` exposes of a number. */
export type MetricDefinition = PlainDefinition &
  (
    | { readonly type: 'gauge'; readonly overThreads: OverThreads }
    | {
        readonly type: 'counter' | 'histogram' | 'summary';
        /** Undefined: the sum. */
        readonly overThreads?: OverThreads;
      }
  );

interface PlainDefinition {
  /** The reference's name where it has the same metric. */
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Upper bounds of the buckets of histograms. */
  readonly buckets?: readonly number[];
  /** For how long summaries remember values. */
  readonly periodMs?: number;
}

export type MetricLabels = { readonly [name: string]: string };

export interface MetricSeries {
  readonly labels: MetricLabels;
  /** For histograms and summaries, the sum of all observations. */
  readonly value: number;
  /** The number of observations, and for histograms the cumulative count of each bucket. */
  readonly count: number;
  readonly bucketCounts: readonly number[];
  /** For summaries. */
  readonly sketch?: QuantileSketch | undefined;
  /** For histograms. */
  readonly native?: SparseBuckets | undefined;
}

/** Series that differ only in labels, while they are counted. */
class Series implements MetricSeries {
  readonly labels: MetricLabels;
  value = 0;
  count = 0;
  readonly sketch: QuantileSketch | undefined;
  readonly native: SparseBuckets | undefined;
  readonly #buckets: readonly number[];
  /** Observations by the first bucket that they fit into. */
  readonly #counts: number[];
  /** Values that have been observed and not counted: counted together, each costs a fraction. */
  readonly #uncounted: number[] = [];
  #uncountedSize = 0;

  constructor(labels: MetricLabels, { type, buckets = [], periodMs = 600_000 }: MetricDefinition) {
    this.labels = ordered(labels);
    this.sketch = type === 'summary' ? new QuantileSketch(periodMs) : undefined;
    this.native = type === 'histogram' ? new SparseBuckets() : undefined;
    this.#buckets = buckets;
    this.#counts = buckets.map(() => 0);
  }

  get bucketCounts(): readonly number[] {
    let sum = 0;
    return this.#counts.map((count) => (sum += count));
  }

  observe(value: number, times: number): void {
    this.sketch?.add(value, systemClock.now());
    if (times !== 1) {
      this.#count(value, times);
      return;
    }
    this.#uncounted[this.#uncountedSize] = value;
    this.#uncountedSize += 1;
    if (this.#uncountedSize === mostUncounted) this.countAll();
  }

  /** Before anything is read. Many series observe one value again and again. */
  countAll(): void {
    let times = 0;
    for (let index = 0; index < this.#uncountedSize; index += 1) {
      times += 1;
      const value = this.#uncounted[index] ?? 0;
      if (index + 1 < this.#uncountedSize && this.#uncounted[index + 1] === value) continue;
      this.#count(value, times);
      times = 0;
    }
    this.#uncountedSize = 0;
  }

  #count(value: number, times: number): void {
    this.value += value * times;
    this.count += times;
    this.native?.observe(value, times);
    const buckets = this.#buckets;
    let bucket = 0;
    while (bucket < buckets.length && value > (buckets[bucket] ?? 0)) bucket += 1;
    if (bucket < buckets.length) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + times;
  }
}

const mostUncounted = 32;

/** A counter or gauge, with or without labels. Plain data: the metrics library is loaded at the first scrape. */
export class Metric {
  readonly definition: MetricDefinition;
  /** Called before the values are read: observes what has been put off until then. */
  beforeRead: (() => void) | undefined;
  readonly #values = new Map<string, Series>();

  constructor(definition: MetricDefinition) {
    this.definition = definition;
  }

  /** Shows the series of these labels before anything is counted. */
  start(labels: MetricLabels): void {
    this.#seriesOf(labels);
  }

  /** A counter. */
  add(labels: MetricLabels = {}): void {
    this.#seriesOf(labels).value += 1;
  }

  /** The counter of one set of labels, for hot paths. */
  counter(labels: MetricLabels): (by?: number) => void {
    let series: Series | undefined;
    return (by = 1) => {
      series ??= this.#seriesOf(labels);
      series.value += by;
    };
  }

  set(value: number, labels: MetricLabels = {}): void {
    this.#seriesOf(labels).value = value;
  }

  /** Observes a value in a histogram. */
  observe(value: number, labels: MetricLabels = {}): void {
    this.#seriesOf(labels).observe(value, 1);
  }

  /** Observes values of one set of labels, for hot paths. `times` is for histograms. */
  observer(labels: MetricLabels): (value: number, times?: number) => void {
    let series: Series | undefined;
    return (value, times = 1) => {
      series ??= this.#seriesOf(labels);
      series.observe(value, times);
    };
  }

  /** Removes all series that have these labels. */
  forget(labels: MetricLabels): void {
    const wanted = Object.entries(labels);
    for (const [id, measured] of this.#values) {
      if (wanted.every(([name, value]) => measured.labels[name] === value)) this.#values.delete(id);
    }
  }

  get values(): Iterable<MetricSeries> {
    this.beforeRead?.();
    for (const series of this.#values.values()) series.countAll();
    return this.#values.values();
  }

  #seriesOf(labels: MetricLabels): Series {
    const id = JSON.stringify(labels);
    const known = this.#values.get(id);
    if (known !== undefined) return known;
    const series = new Series(labels, this.definition);
    this.#values.set(id, series);
    return series;
  }
}

/** A value read at scrape time. */
export type Sample = Pick<MetricSeries, 'labels' | 'value'>;

/** Registers a metric; one with `read` is read at scrape time. */
export type RegisterMetric = (definition: MetricDefinition, read?: () => readonly Sample[]) => Metric;

/** Values read at scrape time. */
export class ObservableMetric extends Metric {
  readonly #read: () => readonly Sample[];

  constructor(definition: MetricDefinition, read: () => readonly Sample[]) {
    super(definition);
    this.#read = read;
  }

  override get values(): Iterable<MetricSeries> {
    return this.#read().map((reading) => ({ ...reading, count: 0, bucketCounts: [] }));
  }
}

/** By name, as kube-apiserver exposes them. */
function ordered(labels: MetricLabels): MetricLabels {
  return Object.fromEntries(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
