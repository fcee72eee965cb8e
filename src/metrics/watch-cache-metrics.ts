import { type Metric, type MetricDefinition, ObservableMetric } from '../api/metrics/metric.ts';
import type { WatchCache } from '../watchcache/watch-cache.ts';
import type { NamedCache } from '../scopes/open-kind.ts';

type CacheMetric = Omit<MetricDefinition, 'labelNames'> & {
  /** Where it depends on one, like in the reference. */
  readonly gate?: string;
  readonly read: (cache: WatchCache) => number;
};

/** Longer numbers lose digits in dashboards: like the reference, report the last 15 only. */
const versionModulus = 1e15;

const metrics: readonly CacheMetric[] = [
  {
    name: 'apiserver_watch_cache_events_received_total',
    help: 'Changes received by watch caches.',
    type: 'counter',
    read: ({ counts }) => counts.changes,
  },
  {
    name: 'apiserver_watch_cache_events_dispatched_total',
    help: 'Changes dispatched by watch caches to watchers.',
    type: 'counter',
    read: ({ counts }) => counts.changes,
  },
  {
    name: 'apiserver_init_events_total',
    help: 'Initial events of watches.',
    type: 'counter',
    read: ({ counts }) => counts.initialEvents,
  },
  {
    name: 'apiserver_watch_cache_initializations_total',
    help: 'Initializations of watch caches.',
    type: 'counter',
    read: ({ counts }) => counts.starts,
  },
  {
    name: 'apiserver_terminated_watchers_total',
    help: 'Watches terminated because their clients were too slow.',
    type: 'counter',
    read: ({ counts }) => counts.cutOff,
  },
  {
    name: 'apiserver_watch_shards_total',
    help: 'Running watches of one shard of a resource.',
    type: 'gauge',
    overThreads: 'sum',
    gate: 'ShardedListAndWatch',
    read: ({ shardedWatches }) => shardedWatches,
  },
  {
    name: 'apiserver_watch_filtered_events_total',
    help: 'Objects of changes that watches did not report because they are of other shards.',
    type: 'counter',
    gate: 'ShardedListAndWatch',
    read: ({ counts }) => counts.inOtherShards,
  },
  {
    name: 'apiserver_watch_cache_resource_version',
    help: 'Current resource version of watch caches, last 15 digits.',
    type: 'gauge',
    // Caches of the same resource may be behind each other for a moment.
    overThreads: 'max',
    read: (cache) => cache.snapshot().revision % versionModulus,
  },
];

/** The counts of the watch caches, read when metrics are. */
export function watchCacheMetrics(
  caches: () => readonly NamedCache[],
  gates: ReadonlyMap<string, boolean>,
): readonly Metric[] {
  return metrics
    .filter(({ gate }) => gate === undefined || gates.get(gate) === true)
    .map(
      ({ read, ...definition }) =>
        new ObservableMetric({ ...definition, labelNames: ['group', 'resource'] }, () =>
          caches().map(({ group, resource, cache }) => ({ labels: { group, resource }, value: read(cache) })),
        ),
    );
}
