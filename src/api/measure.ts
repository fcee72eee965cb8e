/** What `/metrics` tells of a number. */
export interface MeasureDefinition {
  /** The reference's name where it has such a number. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labelNames: readonly string[];
  /** Of histograms: the largest value that each counts. */
  readonly buckets?: readonly number[];
}

export type MeasureLabels = { readonly [name: string]: string };

export interface Measured {
  readonly labels: MeasureLabels;
  /** Of a histogram the sum of all that was observed. */
  readonly value: number;
  /** Of a histogram: how many values there were, and how many of them were at most as large as each of the buckets says. */
  readonly count: number;
  readonly bucketCounts: readonly number[];
}

/** Series alike but for their labels, while they are counted. */
interface Series extends Measured {
  value: number;
  count: number;
  readonly bucketCounts: number[];
}

/** A number, or one for each set of labels. Kept as it is: the library that writes metrics is loaded when somebody reads them. */
export class Measure {
  readonly definition: MeasureDefinition;
  readonly #values = new Map<string, Series>();

  constructor(definition: MeasureDefinition) {
    this.definition = definition;
  }

  /** Counts. */
  add(labels: MeasureLabels = {}): void {
    this.#seriesOf(labels).value += 1;
  }

  /** What counts one set of labels, for those who count often. */
  counter(labels: MeasureLabels): () => void {
    let series: Series | undefined;
    return () => {
      series ??= this.#seriesOf(labels);
      series.value += 1;
    };
  }

  set(value: number, labels: MeasureLabels = {}): void {
    this.#seriesOf(labels).value = value;
  }

  /** Into a histogram. */
  observe(value: number, labels: MeasureLabels = {}): void {
    const series = this.#seriesOf(labels);
    series.value += value;
    series.count += 1;
    for (const [index, most] of (this.definition.buckets ?? []).entries()) {
      if (value <= most) series.bucketCounts[index] = (series.bucketCounts[index] ?? 0) + 1;
    }
  }

  /** Forgets all series that have these labels among theirs. */
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
    const series: Series = { labels, value: 0, count: 0, bucketCounts };
    this.#values.set(id, series);
    return series;
  }
}

/** A number as it is found out. */
export type Reading = Pick<Measured, 'labels' | 'value'>;

/** Numbers that are found out when somebody asks. */
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
