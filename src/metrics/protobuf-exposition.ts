import type { SparseCounts } from '../api/metrics/sparse-buckets.ts';
import { zeroThreshold } from '../api/metrics/sparse-buckets.ts';
import { WireWriter } from '../api/bytes/wire-writer.ts';
import { type ExposedMetric, type ExposedValue, type ReadMetric, writeMetrics } from './exposition.ts';

/** Field numbers of io.prometheus.client, of github.com/prometheus/client_model. */
const fields = {
  family: { name: 1, help: 2, type: 3, metric: 4 },
  metric: { label: 1, gauge: 2, counter: 3, summary: 4, untyped: 5, histogram: 7 },
  label: { name: 1, value: 2 },
  number: { value: 1 },
  totals: { count: 1, sum: 2, part: 3 },
  quantile: { quantile: 1, value: 2 },
  bucket: { count: 1, bound: 2 },
  native: { schema: 5, zeroThreshold: 6, zeros: 7, negativeSpan: 9, negative: 10, positiveSpan: 12, positive: 13 },
  span: { offset: 1, length: 2 },
} as const;

const types: Readonly<Record<string, number>> = { counter: 0, gauge: 1, summary: 2, untyped: 3, histogram: 4 };

/** The metrics as messages, each after its length. `withNative`: histograms have their native buckets as well. */
export function protobufOf(metrics: readonly ExposedMetric[], withNative: boolean): Promise<Buffer> {
  return writeMetrics(metrics, (metric) => writeFamily(metric, withNative));
}

function* writeFamily(metric: ReadMetric, withNative: boolean): Generator<Buffer | undefined> {
  const family = familyOf(metric);
  for (const series of seriesOf(metric)) {
    family.message(fields.family.metric, metricOf(metric.type, series, withNative));
    yield undefined;
  }
  yield family.finishDelimited();
}

function familyOf({ name, help, type }: ReadMetric): WireWriter {
  return new WireWriter()
    .bytes(fields.family.name, Buffer.from(name))
    .bytes(fields.family.help, Buffer.from(help))
    .integer(fields.family.type, types[type] ?? types['untyped'] ?? 0);
}

type Labels = ExposedValue['labels'];

/** All values with the same labels: one of a number, several of a histogram or summary. */
interface Series {
  readonly labels: Labels;
  readonly values: readonly ExposedValue[];
}

/** Labels that tell the values of one series apart. */
const inner = new Set(['le', 'quantile']);

function* seriesOf({ type, values }: ReadMetric): Generator<Series> {
  if (type !== 'histogram' && type !== 'summary') {
    for (const value of values) yield { labels: { ...value.labels, ...value.sharedLabels }, values: [value] };
    return;
  }
  const found = new Map<string, { labels: Labels; values: ExposedValue[] }>();
  for (const value of values) {
    const labels = sorted({ ...value.labels, ...value.sharedLabels });
    const id = JSON.stringify(labels);
    const series = found.get(id);
    if (series === undefined) found.set(id, { labels, values: [value] });
    else series.values.push(value);
  }
  yield* found.values();
}

function sorted(labels: Labels): Labels {
  const outer = Object.entries(labels).filter(([name]) => !inner.has(name));
  return Object.fromEntries(outer.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function metricOf(type: string, { labels, values }: Series, withNative: boolean): WireWriter {
  const metric = new WireWriter();
  for (const [name, value] of Object.entries(labels)) {
    const label = new WireWriter()
      .bytes(fields.label.name, Buffer.from(name))
      .bytes(fields.label.value, Buffer.from(String(value)));
    metric.message(fields.metric.label, label);
  }
  if (type === 'histogram') return metric.message(fields.metric.histogram, histogramOf(values, withNative));
  if (type === 'summary') return metric.message(fields.metric.summary, totalsOf(values, summaryPart));
  const of =
    type === 'counter' ? fields.metric.counter : type === 'gauge' ? fields.metric.gauge : fields.metric.untyped;
  return metric.message(of, new WireWriter().double(fields.number.value, values[0]?.value ?? 0));
}

/** The count and the sum, and the parts between. */
function totalsOf(
  values: readonly ExposedValue[],
  partOf: (value: ExposedValue) => WireWriter | undefined,
): WireWriter {
  const named = (ending: string): number => values.find(({ metricName }) => metricName?.endsWith(ending))?.value ?? 0;
  const totals = new WireWriter()
    .integer(fields.totals.count, named('_count'))
    .double(fields.totals.sum, named('_sum'));
  for (const part of values.map(partOf)) if (part !== undefined) totals.message(fields.totals.part, part);
  return totals;
}

function summaryPart({ labels: { quantile }, value }: ExposedValue): WireWriter | undefined {
  if (quantile === undefined) return undefined;
  return new WireWriter().double(fields.quantile.quantile, Number(quantile)).double(fields.quantile.value, value);
}

/** The infinite bucket is the count. */
function bucketPart({ labels: { le }, value }: ExposedValue): WireWriter | undefined {
  if (le === undefined || le === '+Inf') return undefined;
  return new WireWriter().integer(fields.bucket.count, value).double(fields.bucket.bound, Number(le));
}

function histogramOf(values: readonly ExposedValue[], withNative: boolean): WireWriter {
  const histogram = totalsOf(values, bucketPart);
  const native = values.find((value) => value.native !== undefined)?.native;
  if (!withNative || native === undefined) return histogram;
  histogram
    .signed(fields.native.schema, native.schema)
    .double(fields.native.zeroThreshold, zeroThreshold)
    .integer(fields.native.zeros, native.zeros);
  const of = fields.native;
  writeBuckets(histogram, native.negative, { span: of.negativeSpan, delta: of.negative });
  return writeBuckets(histogram, native.positive, { span: of.positiveSpan, delta: of.positive });
}

/** Gaps of so many buckets are filled with empty ones, which takes less space than another span. */
const smallGap = 2;

/** The buckets in order: spans of adjacent ones, and of each the difference of its count to that of the one before. */
function writeBuckets(
  histogram: WireWriter,
  buckets: SparseCounts['positive'],
  numbers: { readonly span: number; readonly delta: number },
): WireWriter {
  const spans: { offset: number; length: number }[] = [];
  const counts: number[] = [];
  let next = 0;
  for (const [bucket, count] of [...buckets].toSorted(([a], [b]) => a - b)) {
    const gap = bucket - next;
    const last = spans.at(-1);
    if (last === undefined || gap > smallGap) {
      spans.push({ offset: gap, length: 1 });
    } else {
      last.length += gap + 1;
      for (let empty = 0; empty < gap; empty += 1) counts.push(0);
    }
    counts.push(count);
    next = bucket + 1;
  }
  for (const { offset, length } of spans) {
    const span = new WireWriter().signed(fields.span.offset, offset).integer(fields.span.length, length);
    histogram.message(numbers.span, span);
  }
  for (const [index, count] of counts.entries()) histogram.signed(numbers.delta, count - (counts[index - 1] ?? 0));
  return histogram;
}
