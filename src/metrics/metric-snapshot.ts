import type { OverThreads } from '../api/metrics/metric.ts';
import { quantileOf, type SketchCounts } from '../api/metrics/quantile-sketch.ts';
import type { SparseCounts } from '../api/metrics/sparse-buckets.ts';
import type { ExposedMetric, ExposedValue, LabelValues } from './exposition.ts';

/**
 * A metric of one thread, as plain data for another one. A histogram has many values with the same labels: what they
 * are is said once.
 *
 *     parts    a_bucket{le="1"}, a_bucket{le="+Inf"}, a_sum, a_count
 *     series   {"verb":"GET"} 1, 3, 12.5, 3
 *              {"verb":"PUT"} 0, 1, 1.5, 1
 */
export interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly overThreads: OverThreads;
  readonly parts: readonly SnapshotPart[];
  readonly series: readonly SnapshotSeries[];
}

type SnapshotPart = Pick<ExposedValue, 'metricName' | 'labels'>;

export interface SnapshotSeries {
  /** The key of a series: its labels, and its name if that is not the metric's. */
  readonly key: string;
  readonly values: readonly number[];
  /** The sparse buckets of a histogram. */
  readonly native?: SparseCounts;
  /** The sketch of a summary, because quantiles do not add up. */
  readonly sketch?: SketchCounts;
}

/** The metrics of a thread. */
export interface ThreadSnapshot {
  readonly thread: string;
  readonly metrics: readonly MetricSnapshot[];
}

export async function snapshotOf(metric: ExposedMetric, overThreads: OverThreads): Promise<MetricSnapshot> {
  const { name, help, type, values } = await metric.get();
  const parts: SnapshotPart[] = [];
  const series: (SnapshotSeries & { readonly values: number[] })[] = [];
  let last: { readonly labels: LabelValues; readonly values: number[] } | undefined;
  for (const { metricName, labels, sharedLabels, value, native, sketch } of values) {
    if (sharedLabels !== undefined && sharedLabels === last?.labels) {
      last.values.push(value);
      const counts = { ...(native && { native: plain(native) }), ...(sketch && { sketch: sketch() }) };
      Object.assign(series.at(-1) ?? {}, counts);
    } else {
      const own = [value];
      series.push({
        key: sharedLabels === undefined ? keyOf(metricName, labels) : keyOf('', sharedLabels),
        values: own,
      });
      last = { labels: sharedLabels ?? {}, values: own };
    }
    if (series.length > 1) continue;
    parts.push(sharedLabels === undefined ? { labels: {} } : { ...(metricName && { metricName }), labels });
  }
  return { name, help, type, overThreads, parts, series };
}

/** Buckets are objects with methods, which are not cloned. */
function plain({ schema, zeros, positive, negative }: SparseCounts): SparseCounts {
  return { schema, zeros, positive, negative };
}

export function keyOf(metricName: string | undefined, labels: LabelValues): string {
  const ordered = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${metricName ?? ''}${JSON.stringify(Object.fromEntries(ordered))}`;
}

export function labelsOfKey(key: string): { readonly metricName: string | undefined; readonly labels: LabelValues } {
  const at = key.indexOf('{');
  // What `keyOf` has written.
  return { metricName: at === 0 ? undefined : key.slice(0, at), labels: JSON.parse(key.slice(at)) as LabelValues };
}

/** What is exposed of a snapshot. */
export function* valuesOf({ parts, series }: MetricSnapshot): Generator<ExposedValue> {
  for (const { key, values, native, sketch } of series) {
    const { metricName, labels: sharedLabels } = labelsOfKey(key);
    for (const [at, part] of parts.entries()) {
      const isLast = at === parts.length - 1;
      yield {
        ...(metricName === undefined ? {} : { metricName }),
        ...part,
        sharedLabels,
        value: valueOf(part, values[at] ?? 0, sketch),
        ...(isLast && native !== undefined ? { native } : {}),
      };
    }
  }
}

function valueOf({ labels: { quantile } }: SnapshotPart, value: number, sketch: SketchCounts | undefined): number {
  return quantile === undefined || sketch === undefined ? value : quantileOf(sketch, Number(quantile));
}
