import type { GroupResource, GroupVersionResource } from '../api/meta/group-version.ts';
import type { Metric, MetricDefinition } from '../api/metrics/metric.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { ListCost, ListOrigin } from '../registry/stored/list-cost.ts';
import type { WatchUse } from '../registry/stored/watch-use.ts';
import type { StoreOperation, StoreUse } from '../storage/measured.ts';
import { type CachedUse, CacheMetrics } from './cache-metrics.ts';
import { perKey } from '../api/collections/per-key.ts';

/** Seconds. */
const durations = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

const byResource = ['group', 'resource'] as const;
const byOperation = ['operation', ...byResource] as const;
const byStorage = [...byResource, 'storage'] as const;
const byIndex = ['group', 'index', 'resource', 'storage'] as const;

const counter = (name: string, help: string, labelNames: readonly string[]): MetricDefinition => {
  return { name, help, type: 'counter', labelNames };
};
const histogram = (name: string, help: string, labelNames: readonly string[]): MetricDefinition => {
  return { name, help, type: 'histogram', labelNames, buckets: durations };
};

/** The reference's name for the watch cache and for the store below it, whatever that is. */
const storageNames = { cache: 'watchcache', store: 'etcd' } as const;

/** Counts the use of one resource's store. */
export interface ResourceUse extends StoreUse, CachedUse {
  /** A stored value could not be read. */
  unreadable(): void;
  /** A list has been answered. */
  listed(cost: ListCost): void;
}

type Labels = { readonly group: string; readonly resource: string };

/** What is counted of a resource, by part. */
interface CountsOf {
  readonly calls: (labels: Labels) => StoreUse['called'];
  readonly events: (labels: Labels) => StoreUse['received'];
  readonly bookmarks: (labels: Labels) => StoreUse['progressed'];
  readonly unreadable: (labels: Labels) => () => void;
  readonly lists: (labels: Labels) => (from: ListOrigin) => (cost: ListCost) => void;
  readonly caches: (labels: Labels) => CachedUse;
}

/**
 * Metrics of watch caches, and of the requests to the store, whichever engine it is, under the names that
 * kube-apiserver has for those to etcd. The series of a resource live as long as it is known.
 */
export class StoreMetrics {
  readonly #requests: Metric;
  readonly #failures: Metric;
  readonly #events: Metric;
  readonly #bookmarks: Metric;
  readonly #unreadable: Metric;
  readonly #listSeconds: Metric;
  readonly #lists: Metric;
  readonly #fetched: Metric;
  readonly #evaluated: Metric;
  readonly #returned: Metric;
  readonly #caches: CacheMetrics;
  readonly #uses = new Map<string, CountedUse>();
  readonly #counts: CountsOf = {
    calls: (labels) => this.#callCounts(labels),
    events: (labels) => this.#events.counter(labels),
    bookmarks: (labels) => this.#bookmarks.counter(labels),
    unreadable: (labels) => this.#unreadable.counter(labels),
    lists: (labels) => perKey((from: ListOrigin) => this.#listCounts(labels, from)),
    caches: (labels) => this.#caches.useOf(labels),
  };

  constructor(metric: PartContext['metric']) {
    const requests = metric(
      histogram('etcd_request_duration_seconds', 'Duration of requests to the store, in seconds.', byOperation),
    );
    this.#requests = requests;
    metric(counter('etcd_requests_total', 'Requests to the store.', byOperation), () =>
      [...requests.values].map(({ labels, count }) => ({ labels, value: count })),
    );
    this.#failures = metric(counter('etcd_request_errors_total', 'Failed requests to the store.', byOperation));
    this.#events = metric(
      counter('apiserver_storage_events_received_total', 'Changes received from the store.', byResource),
    );
    this.#bookmarks = metric(
      counter('etcd_bookmark_total', 'Progress notifications received from the store.', byResource),
    );
    this.#unreadable = metric(
      counter('apiserver_storage_decode_errors_total', 'Stored values that could not be read.', byResource),
    );
    const list = 'apiserver_storage_list';
    this.#listSeconds = metric(
      histogram(`${list}_duration_seconds`, 'Duration of lists from the store, with decoding, in seconds.', [
        'streamed',
        ...byResource,
      ]),
    );
    this.#lists = metric(counter(`${list}_total`, 'Lists, by where they were read.', byIndex));
    this.#fetched = metric(counter(`${list}_fetched_objects_total`, 'Objects read for lists.', byIndex));
    this.#evaluated = metric(
      counter(`${list}_evaluated_objects_total`, 'Objects from the store tested for lists.', byStorage),
    );
    this.#caches = new CacheMetrics(metric);
    this.#returned = metric(counter(`${list}_returned_objects_total`, 'Objects returned in lists.', byStorage));
  }

  /** What is counted of the store of a resource, shared by all that use it. */
  of({ group, resource }: GroupResource): ResourceUse {
    const id = `${group}/${resource}`;
    const known = this.#uses.get(id);
    if (known !== undefined) return known;
    const use = new CountedUse({ group, resource }, this.#counts);
    this.#uses.set(id, use);
    return use;
  }

  /** The resource is gone. */
  forget({ group, resource }: GroupResource): void {
    const id = `${group}/${resource}`;
    const known = this.#uses.get(id);
    if (known === undefined) return;
    known.end();
    this.#uses.delete(id);
    const counts = [this.#requests, this.#failures, this.#events, this.#bookmarks, this.#unreadable];
    const lists = [this.#listSeconds, this.#lists, this.#fetched, this.#evaluated, this.#returned];
    for (const metric of [...counts, ...lists, ...this.#caches.all]) metric.forget({ group, resource });
  }

  #callCounts(labels: Labels): StoreUse['called'] {
    const durationOf = perKey((operation: StoreOperation) => this.#requests.observer({ ...labels, operation }));
    const failed = perKey((operation: StoreOperation) => this.#failures.counter({ ...labels, operation }));
    return (operation, seconds, hasFailed) => {
      durationOf(operation)(seconds);
      if (hasFailed) failed(operation)();
    };
  }

  #listCounts(labels: Labels, from: ListOrigin) {
    const read = { ...labels, storage: storageNames[from] };
    const lists = this.#lists.counter({ ...read, index: '' });
    const fetched = this.#fetched.counter({ ...read, index: '' });
    const evaluated = this.#evaluated.counter(read);
    const returned = this.#returned.counter(read);
    const took = from === 'store' ? this.#listSeconds.observer({ ...labels, streamed: 'false' }) : undefined;
    return (cost: ListCost): void => {
      lists();
      fetched(cost.fetched);
      // Like the reference, which does not count the tests of objects in memory.
      evaluated(from === 'store' ? cost.fetched : 0);
      returned(cost.returned);
      took?.(cost.seconds);
    };
  }
}

/**
 * The use of one resource's store. Most resources are only followed: what is counted is made when it first happens.
 * What the last requests for a resource do after its end makes no series again.
 */
class CountedUse implements ResourceUse {
  readonly #labels: Labels;
  readonly #countsOf: CountsOf;
  readonly #made: { -readonly [Part in keyof CountsOf]?: ReturnType<CountsOf[Part]> } = {};
  #isOver = false;

  constructor(labels: Labels, countsOf: CountsOf) {
    this.#labels = labels;
    this.#countsOf = countsOf;
  }

  end(): void {
    this.#isOver = true;
  }

  called(operation: StoreOperation, seconds: number, failed: boolean): void {
    if (!this.#isOver) (this.#made.calls ??= this.#countsOf.calls(this.#labels))(operation, seconds, failed);
  }

  received(events: number): void {
    if (!this.#isOver) (this.#made.events ??= this.#countsOf.events(this.#labels))(events);
  }

  progressed(): void {
    if (!this.#isOver) (this.#made.bookmarks ??= this.#countsOf.bookmarks(this.#labels))();
  }

  unreadable(): void {
    if (!this.#isOver) (this.#made.unreadable ??= this.#countsOf.unreadable(this.#labels))();
  }

  listed(cost: ListCost): void {
    if (!this.#isOver) (this.#made.lists ??= this.#countsOf.lists(this.#labels))(cost.from)(cost);
  }

  filled(seconds: number): void {
    if (!this.#isOver) this.#cache.filled(seconds);
  }

  notFilled(): void {
    if (!this.#isOver) this.#cache.notFilled();
  }

  waited(seconds: number): void {
    if (!this.#isOver) this.#cache.waited(seconds);
  }

  readLatest(succeeded: boolean): void {
    if (!this.#isOver) this.#cache.readLatest(succeeded);
  }

  dispatched(seconds: number, events: number): void {
    if (!this.#isOver) this.#cache.dispatched(seconds, events);
  }

  watches(resource: GroupVersionResource): WatchUse {
    const watches = this.#cache.watches(resource);
    return {
      sent: (sizeBytes) => (this.#isOver ? undefined : watches.sent(sizeBytes)),
      listed: (scope, seconds) => (this.#isOver ? undefined : watches.listed(scope, seconds)),
    };
  }

  get #cache(): CachedUse {
    return (this.#made.caches ??= this.#countsOf.caches(this.#labels));
  }
}
