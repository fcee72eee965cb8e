import type { Metric, Registry } from 'prom-client';
import type { OverThreads } from '../../api/measure.ts';
import type { SketchCounts } from '../../api/quantile-sketch.ts';
import type { SparseCounts } from '../../api/sparse-buckets.ts';
import { floatText } from '../../api/go-print.ts';
import { TimeSlice } from '../../api/time-slice.ts';

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
  /** Those of all values of a histogram's series. */
  readonly sharedLabels?: LabelValues;
  readonly value: number;
  /** Of a histogram, with its count. */
  readonly native?: SparseCounts | undefined;
  /** Of a summary, with its count. */
  readonly sketch?: (() => SketchCounts) | undefined;
}

/** A metric when it is read. Its values may be made while they are written. */
export interface ReadMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: Iterable<ExposedValue>;
}

/** A metric of the library, or one that is exposed like them. */
export interface ExposedMetric {
  readonly name: string;
  /** Absent: see `ruleOf`. */
  readonly overThreads?: OverThreads | undefined;
  get(): Promise<ReadMetric>;
  /** The same with shared labels. */
  getForPromString?(): Promise<ReadMetric>;
  reset(): void;
}

/** Adds a metric that is not of the library. */
export function register(registry: Registry, metric: ExposedMetric): void {
  registry.registerMetric(metric as unknown as Metric); // its registry uses no other members
}

/** All metrics of a registry. */
export function metricsOf(registry: Registry): readonly ExposedMetric[] {
  return registry.getMetricsAsArray() as unknown as readonly ExposedMetric[]; // its types lack what its own writer uses
}

/** Lines are encoded together in pieces of this length. */
const textLength = 64 * 1024;

/** The current values of a metric. */
export function readMetric(metric: ExposedMetric): Promise<ReadMetric> {
  return metric.getForPromString?.() ?? metric.get();
}

/** The metrics sorted by name as in kube-apiserver, written while other work runs. */
export async function textOfMetrics(metrics: readonly ExposedMetric[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const timeSlice = new TimeSlice();
  let text = '';
  for (const metric of metrics.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    // oxlint-disable-next-line no-await-in-loop -- only what has been written is kept
    for (const line of linesOf(await readMetric(metric))) {
      text += line;
      if (text.length > textLength) text = moved(text, pieces);
      // oxlint-disable-next-line no-await-in-loop -- other work runs meanwhile
      if (timeSlice.isOver) await timeSlice.next();
    }
  }
  moved(text, pieces);
  return Buffer.concat(pieces);
}

/** Appends the encoded text to the pieces; returns the empty text that follows. */
function moved(text: string, pieces: Buffer[]): string {
  pieces.push(Buffer.from(text));
  return '';
}

function* linesOf({ name, help, type, values }: ReadMetric): Generator<string> {
  yield `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
  let shared: SharedText | undefined;
  for (const { metricName = name, labels, sharedLabels, value } of values) {
    if (sharedLabels !== shared?.labels) shared = sharedLabels && { labels: sharedLabels, text: textOf(sharedLabels) };
    const all = [shared?.text ?? '', textOf(labels)].filter((part) => part !== '').join(',');
    yield `${metricName}${all === '' ? '' : `{${all}}`} ${numberText(value)}\n`;
  }
}

interface SharedText {
  readonly labels: LabelValues;
  readonly text: string;
}

/** In the order of their names, as kube-apiserver writes them. */
function textOf(labels: LabelValues): string {
  let text = '';
  for (const name of Object.keys(labels).toSorted()) {
    const value = escaped(String(labels[name])).replaceAll('"', '\\"');
    text += `${text === '' ? '' : ','}${name}="${value}"`;
  }
  return text;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return floatText(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}
