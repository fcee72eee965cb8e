import { SparseBuckets, type SparseCounts } from '../api/metrics/sparse-buckets.ts';
import type { ExposedMetric, ReadMetric } from './exposition.ts';
import { type MetricSnapshot, type SnapshotSeries, snapshotOf, valuesOf } from './metric-snapshot.ts';

const cumulative: ReadonlySet<string> = new Set(['counter', 'histogram', 'summary']);
/** Metrics of the process and its runtime, which are never reset. */
const ofProcess = /^(?:process|nodejs)_/;

type CountsByKey = ReadonlyMap<string, SnapshotSeries>;

/**
 * Counts begin anew when they are reset: from then on, what had been counted is subtracted. Whoever counts, in
 * whichever thread, knows nothing of it. Gauges tell what is, and stay.
 */
export class CountsSinceReset {
  #base: ReadonlyMap<string, CountsByKey> = new Map();

  /** `metrics`: everything that has ever been counted. */
  async reset(metrics: readonly ExposedMetric[]): Promise<void> {
    const base = new Map<string, CountsByKey>();
    for (const metric of metrics) {
      if (ofProcess.test(metric.name)) continue;
      // oxlint-disable-next-line no-await-in-loop -- one after the other, for others to have their turns
      const { type, series } = await snapshotOf(metric, 'sum');
      if (cumulative.has(type)) base.set(metric.name, new Map(series.map((one) => [one.key, kept(one)])));
    }
    this.#base = base;
  }

  of(metrics: readonly ExposedMetric[]): readonly ExposedMetric[] {
    if (this.#base.size === 0) return metrics;
    return metrics.map((metric) => {
      const base = this.#base.get(metric.name);
      return base === undefined ? metric : since(metric, base);
    });
  }
}

/** Without parts that go on counting. */
function kept({ key, values, native }: SnapshotSeries): SnapshotSeries {
  return { key, values, ...(native && { native: nativeSince(native, undefined) }) };
}

function since(metric: ExposedMetric, base: CountsByKey): ExposedMetric {
  const get = async (): Promise<ReadMetric> => {
    const read = await metric.get();
    const snapshot = await snapshotOf({ ...metric, get: () => Promise.resolve(read) }, 'sum');
    return { ...read, values: valuesOf(subtracted(snapshot, base)) };
  };
  return { name: metric.name, get };
}

function subtracted(snapshot: MetricSnapshot, base: CountsByKey): MetricSnapshot {
  const { parts } = snapshot;
  // Quantiles are of the last minutes.
  const isCount = parts.map(({ labels }) => labels['quantile'] === undefined);
  const series = snapshot.series.flatMap((one) => {
    const before = base.get(one.key);
    // One that was forgotten meanwhile has begun anew.
    if (before === undefined || isLess(one, before, isCount)) return [one];
    const values = one.values.map((value, at) => (isCount[at] ? value - (before.values[at] ?? 0) : value));
    const isEmpty = values.every((value, at) => !isCount[at] || value === 0);
    // As in the reference, series with labels are shown once they count something.
    if (isEmpty && one.key !== '{}') return [];
    return [{ ...one, values, ...(one.native && { native: nativeSince(one.native, before.native) }) }];
  });
  return { ...snapshot, series };
}

function isLess(now: SnapshotSeries, before: SnapshotSeries, isCount: readonly boolean[]): boolean {
  return now.values.some((value, at) => isCount[at] === true && value < (before.values[at] ?? 0));
}

function nativeSince(now: SparseCounts, before: SparseCounts | undefined): SparseCounts {
  const counts = new SparseBuckets();
  counts.add(now);
  if (before !== undefined) counts.subtract(before);
  return counts;
}
