import { systemClock } from './clock.ts';
import { QuantileSketch } from './quantile-sketch.ts';

/** A metric: what `/metrics` exposes of a number. */
export interface MeasureDefinition {
  /** The reference's name where it has the same metric. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labelNames: readonly string[];
  /** Upper bounds of the buckets of histograms. */
  readonly buckets?: readonly number[];
  /** For how long summaries remember values. */
  readonly periodMs?: number;
}

export type MeasureLabels = { readonly [name: string]: string };

export interface Measured {
  readonly labels: MeasureLabels;
  /** For histograms and summaries, the sum of all observations. */
  readonly value: number;
  /** The number of observations, and for histograms the cumulative count of each bucket. */
  readonly count: number;
  readonly bucketCounts: readonly number[];
  /** For summaries. */
  readonly sketch?: QuantileSketch | undefined;
}

/** Series that differ only in labels, while they are counted. */
interface Series extends Measured {
  value: number;
  count: number;
  readonly bucketCounts: number[];
}

/** A counter or gauge, with or without labels. Plain data: the metrics library is loaded at the first scrape. */
export class Measure {
  readonly definition: MeasureDefinition;
  readonly #values = new Map<string, Series>();

  constructor(definition: MeasureDefinition) {
    this.definition = definition;
  }

  /** Shows the series of these labels before anything is counted. */
  start(labels: MeasureLabels): void {
    this.#seriesOf(labels);
  }

  /** A counter. */
  add(labels: MeasureLabels = {}): void {
    this.#seriesOf(labels).value += 1;
  }

  /** The counter of one set of labels, for hot paths. */
  counter(labels: MeasureLabels): (by?: number) => void {
    let series: Series | undefined;
    return (by = 1) => {
      series ??= this.#seriesOf(labels);
      series.value += by;
    };
  }

  set(value: number, labels: MeasureLabels = {}): void {
    this.#seriesOf(labels).value = value;
  }

  /** Observes a value in a histogram. */
  observe(value: number, labels: MeasureLabels = {}): void {
    this.#note(this.#seriesOf(labels), value);
  }

  /** Observes values of one set of labels, for hot paths. `times` is for histograms. */
  observer(labels: MeasureLabels): (value: number, times?: number) => void {
    let series: Series | undefined;
    return (value, times = 1) => {
      series ??= this.#seriesOf(labels);
      this.#note(series, value, times);
    };
  }

  #note(series: Series, value: number, times = 1): void {
    series.value += value * times;
    series.count += times;
    series.sketch?.add(value, systemClock.now());
    const { buckets = [] } = this.definition;
    for (let index = buckets.length - 1; index >= 0; index -= 1) {
      if (value > (buckets[index] ?? 0)) return;
      series.bucketCounts[index] = (series.bucketCounts[index] ?? 0) + times;
    }
  }

  /** Removes all series that have these labels. */
  forget(labels: MeasureLabels): void {
    const wanted = Object.entries(labels);
    for (const [id, measured] of this.#values) {
      if (wanted.every(([name, value]) => measured.labels[name] === value)) this.#values.delete(id);
    }
  }

  get values(): Iterable<Measured> {
    return this.#values.values();
  }

  #seriesOf(labels: MeasureLabels): Series {
    const id = JSON.stringify(labels);
    const known = this.#values.get(id);
    if (known !== undefined) return known;
    const bucketCounts = (this.definition.buckets ?? []).map(() => 0);
    const { type, periodMs = 600_000 } = this.definition;
    const sketch = type === 'summary' ? new QuantileSketch(periodMs) : undefined;
    const series: Series = { labels: ordered(labels), value: 0, count: 0, bucketCounts, sketch };
    this.#values.set(id, series);
    return series;
  }
}

/** A value read at scrape time. */
export type Reading = Pick<Measured, 'labels' | 'value'>;

/** Values read at scrape time. */
export class ReadMeasure extends Measure {
  readonly #read: () => readonly Reading[];

  constructor(definition: MeasureDefinition, read: () => readonly Reading[]) {
    super(definition);
    this.#read = read;
  }

  override get values(): Iterable<Measured> {
    return this.#read().map((reading) => ({ ...reading, count: 0, bucketCounts: [] }));
  }
}

/** By name, as kube-apiserver exposes them. */
function ordered(labels: MeasureLabels): MeasureLabels {
  return Object.fromEntries(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
