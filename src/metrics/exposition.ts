import type { MetricDefinition, OverThreads, Sample } from '../api/metrics/metric.ts';
import type { SketchCounts } from '../api/metrics/quantile-sketch.ts';
import type { SparseCounts } from '../api/metrics/sparse-buckets.ts';
import { floatText } from '../api/json/go-print.ts';
import { TimeSlice } from '../api/scheduling/time-slice.ts';

/** Metrics in the Prometheus exposition format. */
export interface Exposition {
  readonly contentType: string;
  readonly body: Uint8Array;
}

export type LabelValues = Partial<Readonly<Record<string, string | number>>>;

export interface ExposedValue {
  /** Absent: that of the metric. */
  readonly metricName?: string;
  readonly labels: LabelValues;
  /** The labels that all values of a histogram's series share. */
  readonly sharedLabels?: LabelValues;
  readonly value: number;
  /** The sparse buckets of a histogram, on the series of its count. */
  readonly native?: SparseCounts | undefined;
  /** The sketch of a summary, on the series of its count. */
  readonly sketch?: (() => SketchCounts) | undefined;
}

/** A metric when it is read. Its values may be made while they are written. */
export interface ReadMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: Iterable<ExposedValue>;
}

/** A metric that can be read. */
export interface ExposedMetric {
  readonly name: string;
  /** Absent: see `ruleOf`. */
  readonly overThreads?: OverThreads | undefined;
  get(): Promise<ReadMetric>;
}

/** A metric whose values are requested when it is read. */
export function requestedMetric(
  { name, help, type, overThreads = 'sum' }: Omit<MetricDefinition, 'labelNames'>,
  read: () => Promise<readonly Sample[]>,
): ExposedMetric {
  return { name, overThreads, get: async () => ({ name, help, type, values: await read() }) };
}

/** Writes a metric; yields after each series, whether there are further bytes or not. */
type MetricWriter = (metric: ReadMetric) => Iterable<Buffer | undefined>;

/** The metrics sorted by name as in kube-apiserver, written while other work runs. */
export async function writeMetrics(metrics: readonly ExposedMetric[], write: MetricWriter): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const timeSlice = new TimeSlice();
  for (const metric of metrics.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    // oxlint-disable-next-line no-await-in-loop -- only what has been written is kept
    for (const piece of write(await metric.get())) {
      if (piece !== undefined) pieces.push(piece);
      // oxlint-disable-next-line no-await-in-loop -- other work runs meanwhile
      if (timeSlice.isOver) await timeSlice.next();
    }
  }
  return Buffer.concat(pieces);
}

export function textOfMetrics(metrics: readonly ExposedMetric[]): Promise<Buffer> {
  return writeMetrics(metrics, writeText);
}

/** Lines are encoded together in pieces of this length. */
const textLength = 64 * 1024;

function* writeText(metric: ReadMetric): Generator<Buffer | undefined> {
  let text = '';
  for (const line of linesOf(metric)) {
    text += line;
    if (text.length <= textLength) yield undefined;
    else {
      yield Buffer.from(text);
      text = '';
    }
  }
  yield Buffer.from(text);
}

function* linesOf({ name, help, type, values }: ReadMetric): Generator<string> {
  yield `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
  let shared: SharedText | undefined;
  for (const { metricName = name, labels, sharedLabels, value } of values) {
    if (sharedLabels !== shared?.labels)
      shared = sharedLabels && { labels: sharedLabels, text: labelsText(sharedLabels) };
    const own = labelsText(labels);
    const before = shared?.text ?? '';
    const all = before === '' || own === '' ? before + own : `${before},${own}`;
    yield all === '' ? `${metricName} ${numberText(value)}\n` : `${metricName}{${all}} ${numberText(value)}\n`;
  }
}

interface SharedText {
  readonly labels: LabelValues;
  readonly text: string;
}

/** In the order of their names, as kube-apiserver writes them. */
function labelsText(labels: LabelValues): string {
  const names = Object.keys(labels);
  if (names.length > 1) names.sort();
  let text = '';
  for (const name of names) {
    const value = escapedLabel(String(labels[name]));
    text += text === '' ? `${name}="${value}"` : `,${name}="${value}"`;
  }
  return text;
}

/** Hardly any value has something to escape, and there are thousands of them. */
function escapedLabel(value: string): string {
  return /["\\\n]/.test(value) ? escaped(value).replaceAll('"', '\\"') : value;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return floatText(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}
