import type { OverThreads } from '../api/metrics/metric.ts';
import { addedCounts } from '../api/metrics/quantile-sketch.ts';
import { SparseBuckets, type SparseCounts } from '../api/metrics/sparse-buckets.ts';
import type { ExposedMetric, ReadMetric } from './exposition.ts';
import {
  labelsOfKey,
  type MetricSnapshot,
  keyOf,
  type SnapshotSeries,
  snapshotOf,
  type ThreadSnapshot,
  valuesOf,
} from './metric-snapshot.ts';

/** Metrics of the library, by their beginnings. */
const rules: readonly (readonly [beginning: string, rule: OverThreads])[] = [
  ['process_', 'first'],
  ['nodejs_version_info', 'first'],
  ['nodejs_gc_duration_seconds', 'sum'],
  ['nodejs_', 'each'],
];

/** Undefined: nobody has decided it. */
export function ruleOf({ name, overThreads }: Pick<ExposedMetric, 'name' | 'overThreads'>): OverThreads | undefined {
  return overThreads ?? rules.find(([beginning]) => name.startsWith(beginning))?.[1];
}

/** What a thread knows of the metrics that are not only of the first one. */
export async function snapshotOfThread(metrics: readonly ExposedMetric[]): Promise<readonly MetricSnapshot[]> {
  const snapshots: MetricSnapshot[] = [];
  for (const metric of metrics) {
    const rule = ruleOf(metric) ?? 'sum';
    if (rule === 'first') continue;
    // oxlint-disable-next-line no-await-in-loop -- most are known at once
    snapshots.push(await snapshotOf(metric, rule));
  }
  return snapshots;
}

/** The metrics of the process: those of its first thread, with what others add to them. */
export function overThreads(
  metrics: readonly ExposedMetric[],
  own: string,
  others: readonly ThreadSnapshot[],
): readonly ExposedMetric[] {
  const known = new Set(metrics.map(({ name }) => name));
  const byName = Map.groupBy(
    others.flatMap(({ thread, metrics: all }) => all.map((snapshot) => ({ thread, snapshot }))),
    ({ snapshot: { name } }) => name,
  );
  const foreign = [...byName].filter(([name]) => !known.has(name)).map(([name, added]) => summed(name, added));
  return [
    ...metrics.map((metric) => {
      const rule = ruleOf(metric) ?? 'sum';
      if (rule === 'first') return metric;
      return summed(metric.name, byName.get(metric.name) ?? [], async () => {
        return { thread: own, snapshot: await snapshotOf(metric, rule) };
      });
    }),
    ...foreign,
  ];
}

interface Added {
  readonly thread: string;
  readonly snapshot: MetricSnapshot;
}

function summed(name: string, others: readonly Added[], readOwn?: () => Promise<Added>): ExposedMetric {
  return {
    name,
    async get() {
      const all = [...(readOwn === undefined ? [] : [await readOwn()]), ...others];
      return readSum(all);
    },
  };
}

/** One metric of several threads. */
function readSum(all: readonly Added[]): ReadMetric {
  const [first] = all;
  if (first === undefined) throw new Error('a metric is of some thread');
  const { name, help, type } = first.snapshot;
  return { name, help, type, values: valuesOf(combined(all)) };
}

/** The snapshot of several: `each` tells them apart by a label. */
export function combined(all: readonly Added[]): MetricSnapshot {
  const series = new Map<string, SnapshotSeries[]>();
  for (const { thread, snapshot } of all) {
    for (const one of snapshot.series) {
      const key = snapshot.overThreads === 'each' ? withThread(one.key, thread) : one.key;
      const known = series.get(key);
      if (known === undefined) series.set(key, [one]);
      else known.push(one);
    }
  }
  const [first] = all;
  if (first === undefined) throw new Error('a metric is of some thread');
  const parts = all.map(({ snapshot }) => snapshot.parts).find(({ length }) => length > 0) ?? [];
  const add = first.snapshot.overThreads === 'max' ? Math.max : (a: number, b: number) => a + b;
  return {
    ...first.snapshot,
    parts,
    series: Array.from(series, ([key, added]) => combinedSeries(key, added, add)),
  };
}

function combinedSeries(
  key: string,
  [first, ...more]: readonly SnapshotSeries[],
  add: (a: number, b: number) => number,
): SnapshotSeries {
  if (first === undefined) throw new Error('a series is of some thread');
  if (more.length === 0) return { ...first, key };
  const values = first.values.map((value, at) => more.reduce((sum, other) => add(sum, other.values[at] ?? 0), value));
  const all = [first, ...more];
  const natives = all.flatMap(({ native }) => native ?? []);
  const sketches = all.flatMap(({ sketch }) => sketch ?? []);
  return {
    key,
    values,
    ...(natives.length === 0 ? {} : { native: addedBuckets(natives) }),
    ...(sketches.length === 0 ? {} : { sketch: addedCounts(sketches) }),
  };
}

function addedBuckets(all: readonly SparseCounts[]): SparseCounts {
  const sum = new SparseBuckets();
  for (const counts of all) sum.add(counts);
  return sum;
}

function withThread(key: string, thread: string): string {
  const { metricName, labels } = labelsOfKey(key);
  return keyOf(metricName, { ...labels, thread });
}
