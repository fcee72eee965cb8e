import type { GroupVersionResource } from '../api/meta/group-version.ts';
import type { Metric, MetricDefinition } from '../api/metrics/metric.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { WatchListScope, WatchUse } from '../registry/stored/watch-use.ts';
import type { CacheUse } from '../watchcache/cache-use.ts';
import { perKey } from '../api/collections/per-key.ts';

const byResource = ['group', 'resource'] as const;
const byVersion = ['group', 'resource', 'version'] as const;

/** Counts the use of the watch cache of one resource, and of its watches. */
export interface CachedUse extends CacheUse {
  /** Shared by all watches of a version, in which clients may know the resource under another group. */
  watches(resource: GroupVersionResource): WatchUse;
}

const fillings: MetricDefinition = {
  name: 'apiserver_watch_cache_initialization_duration_seconds',
  help: 'How long it took to fill watch caches, in seconds.',
  type: 'histogram',
  labelNames: byResource,
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600],
};

const failedFillings: MetricDefinition = {
  name: 'apiserver_watch_cache_initialization_errors_total',
  help: 'Failures to fill watch caches.',
  type: 'counter',
  labelNames: byResource,
};

const waits: MetricDefinition = {
  name: 'apiserver_watch_cache_read_wait_seconds',
  help: 'How long reads waited for watch caches that were behind, in seconds.',
  type: 'histogram',
  labelNames: byResource,
  buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3],
};

const latestReads: MetricDefinition = {
  name: 'apiserver_watch_cache_consistent_read_total',
  help: 'Reads of the latest state from watch caches.',
  type: 'counter',
  labelNames: ['fallback', ...byResource, 'success'],
};

/**
 * Only as a whole: of the reference's stages, the one to the cache and the one to the watcher are a call each, which
 * take no time. All events of a turn count as delivered at its end.
 */
const dispatches: MetricDefinition = {
  name: 'apiserver_watch_events_dispatch_duration_seconds',
  help: 'From the receipt of changes to their delivery to watchers, in seconds.',
  type: 'histogram',
  labelNames: [...byResource, 'stage'],
  buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
};

const eventSizes: MetricDefinition = {
  name: 'apiserver_watch_events_sizes',
  help: 'Sizes of the events sent to watching clients, in bytes.',
  type: 'histogram',
  labelNames: byVersion,
  buckets: [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072],
};

const watchLists: MetricDefinition = {
  name: 'apiserver_watch_list_duration_seconds',
  help: 'From requests for streaming lists to the end of the lists, in seconds.',
  type: 'histogram',
  labelNames: ['group', 'resource', 'scope', 'version'],
  buckets: [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300],
};

/** Metrics of watch caches and watches that cannot be read from them at scrape time. */
export class CacheMetrics {
  readonly #fillings: Metric;
  readonly #failedFillings: Metric;
  readonly #waits: Metric;
  readonly #latestReads: Metric;
  readonly #dispatches: Metric;
  readonly #eventSizes: Metric;
  readonly #watchLists: Metric;

  constructor(metric: PartContext['metric']) {
    this.#fillings = metric(fillings);
    this.#failedFillings = metric(failedFillings);
    this.#waits = metric(waits);
    this.#latestReads = metric(latestReads);
    this.#dispatches = metric(dispatches);
    const sizes = metric(eventSizes);
    this.#eventSizes = sizes;
    const help = 'Events sent to watching clients.';
    metric({ name: 'apiserver_watch_events_total', help, type: 'counter', labelNames: byVersion }, () =>
      [...sizes.values].map(({ labels, count }) => ({ labels, value: count })),
    );
    this.#watchLists = metric(watchLists);
  }

  /** The metrics with series of their own. */
  get all(): readonly Metric[] {
    const ofReads = [this.#waits, this.#latestReads];
    const ofWatches = [this.#dispatches, this.#eventSizes, this.#watchLists];
    return [this.#fillings, this.#failedFillings, ...ofReads, ...ofWatches];
  }

  useOf(labels: { readonly group: string; readonly resource: string }): CachedUse {
    // Unlike the reference, reads never fall back to the store.
    const read = (success: 'true' | 'false') => this.#latestReads.counter({ ...labels, success, fallback: 'false' });
    const readWell = read('true');
    const readInVain = read('false');
    const byPath = perKey((path: string) => this.#watchUse(path));
    return {
      filled: this.#fillings.observer(labels),
      notFilled: this.#failedFillings.counter(labels),
      waited: this.#waits.observer(labels),
      readLatest: (succeeded) => (succeeded ? readWell() : readInVain()),
      dispatched: this.#dispatches.observer({ ...labels, stage: 'total' }),
      watches: ({ group, version, resource }) => byPath(`${group}/${version}/${resource}`),
    };
  }

  /** `apps/v1/deployments` */
  #watchUse(path: string): WatchUse {
    const [group = '', version = '', resource = ''] = path.split('/');
    const labels = { group, version, resource };
    const tookOf = perKey((scope: WatchListScope) => this.#watchLists.observer({ ...labels, scope }));
    return {
      sent: this.#eventSizes.observer(labels),
      listed: (scope, seconds) => tookOf(scope)(seconds),
    };
  }
}
