import type { GroupResource } from '../api/group-version.ts';
import type { Measure, MeasureDefinition } from '../api/measure.ts';
import type { PartContext } from '../api/part.ts';
import type { ListCost, ListOrigin } from '../registry/list-cost.ts';
import type { StoreOperation, StoreUse } from '../storage/measured.ts';
import { type CachedUse, CacheMeasures } from './cache-measures.ts';
import { perKey } from './per-key.ts';

/** Seconds. */
const durations = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

const byResource = ['group', 'resource'] as const;
const byOperation = ['operation', ...byResource] as const;
const byStorage = [...byResource, 'storage'] as const;
const byIndex = ['group', 'index', 'resource', 'storage'] as const;

const counter = (name: string, help: string, labelNames: readonly string[]): MeasureDefinition => {
  return { name, help, type: 'counter', labelNames };
};
const histogram = (name: string, help: string, labelNames: readonly string[]): MeasureDefinition => {
  return { name, help, type: 'histogram', labelNames, buckets: durations };
};

/** The reference's name for the watch cache and for the store below it, whatever that is. */
const storageNames = { cache: 'watchcache', store: 'etcd' } as const;

/** What is told of the use of one resource's store. */
export interface ResourceUse extends StoreUse, CachedUse {
  /** A stored value could not be read. */
  unreadable(): void;
  /** A list has been answered. */
  listed(cost: ListCost): void;
}

interface Life {
  isOver: boolean;
}

interface CountedUse {
  readonly use: ResourceUse;
  readonly life: Life;
}

/**
 * Metrics of watch caches, and of the requests to the store, whichever engine it is, under the names that kube-apiserver has for those to
 * etcd. The series of a resource live as long as it is known.
 */
export class StoreMeasures {
  readonly #requests: Measure;
  readonly #failures: Measure;
  readonly #events: Measure;
  readonly #bookmarks: Measure;
  readonly #unreadable: Measure;
  readonly #listSeconds: Measure;
  readonly #lists: Measure;
  readonly #fetched: Measure;
  readonly #evaluated: Measure;
  readonly #returned: Measure;
  readonly #caches: CacheMeasures;
  readonly #uses = new Map<string, CountedUse>();

  constructor(measure: PartContext['measure']) {
    const requests = measure(
      histogram('etcd_request_duration_seconds', 'Duration of requests to the store, in seconds.', byOperation),
    );
    this.#requests = requests;
    measure(counter('etcd_requests_total', 'Requests to the store.', byOperation), () =>
      [...requests.values].map(({ labels, count }) => ({ labels, value: count })),
    );
    this.#failures = measure(counter('etcd_request_errors_total', 'Failed requests to the store.', byOperation));
    this.#events = measure(
      counter('apiserver_storage_events_received_total', 'Changes received from the store.', byResource),
    );
    this.#bookmarks = measure(
      counter('etcd_bookmark_total', 'Progress notifications received from the store.', byResource),
    );
    this.#unreadable = measure(
      counter('apiserver_storage_decode_errors_total', 'Stored values that could not be read.', byResource),
    );
    const list = 'apiserver_storage_list';
    this.#listSeconds = measure(
      histogram(`${list}_duration_seconds`, 'Duration of lists from the store, with decoding, in seconds.', [
        'streamed',
        ...byResource,
      ]),
    );
    this.#lists = measure(counter(`${list}_total`, 'Lists, by where they were read.', byIndex));
    this.#fetched = measure(counter(`${list}_fetched_objects_total`, 'Objects read for lists.', byIndex));
    this.#evaluated = measure(
      counter(`${list}_evaluated_objects_total`, 'Objects from the store tested for lists.', byStorage),
    );
    this.#caches = new CacheMeasures(measure);
    this.#returned = measure(counter(`${list}_returned_objects_total`, 'Objects returned in lists.', byStorage));
  }

  /** The same for all that use the store of a resource. */
  of({ group, resource }: GroupResource): ResourceUse {
    const id = `${group}/${resource}`;
    const known = this.#uses.get(id);
    if (known !== undefined) return known.use;
    const life = { isOver: false };
    const use = whileKnown(this.#makeUse({ group, resource }), life);
    this.#uses.set(id, { use, life });
    return use;
  }

  /** The resource is gone. */
  forget({ group, resource }: GroupResource): void {
    const id = `${group}/${resource}`;
    const known = this.#uses.get(id);
    if (known === undefined) return;
    known.life.isOver = true;
    this.#uses.delete(id);
    const counts = [this.#requests, this.#failures, this.#events, this.#bookmarks, this.#unreadable];
    const lists = [this.#listSeconds, this.#lists, this.#fetched, this.#evaluated, this.#returned];
    for (const measure of [...counts, ...lists, ...this.#caches.all]) measure.forget({ group, resource });
  }

  #makeUse(labels: { readonly group: string; readonly resource: string }): ResourceUse {
    const durationOf = perKey((operation: StoreOperation) => this.#requests.observer({ ...labels, operation }));
    const failed = perKey((operation: StoreOperation) => this.#failures.counter({ ...labels, operation }));
    const events = this.#events.counter(labels);
    const bookmark = this.#bookmarks.counter(labels);
    const listCounts = perKey((from: ListOrigin) => this.#listCounts(labels, from));
    return {
      ...this.#caches.useOf(labels),
      called(operation, seconds, hasFailed) {
        durationOf(operation)(seconds);
        if (hasFailed) failed(operation)();
      },
      received: events,
      progressed: bookmark,
      unreadable: this.#unreadable.counter(labels),
      listed: (cost) => listCounts(cost.from)(cost),
    };
  }

  #listCounts(labels: { readonly group: string; readonly resource: string }, from: ListOrigin) {
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

/** What the last requests for a resource do after its end makes no series again. */
function whileKnown(use: ResourceUse, life: Readonly<Life>): ResourceUse {
  return {
    called: (operation, seconds, failed) => (life.isOver ? undefined : use.called(operation, seconds, failed)),
    received: (events) => (life.isOver ? undefined : use.received(events)),
    progressed: () => (life.isOver ? undefined : use.progressed()),
    unreadable: () => (life.isOver ? undefined : use.unreadable()),
    listed: (cost) => (life.isOver ? undefined : use.listed(cost)),
    filled: (seconds) => (life.isOver ? undefined : use.filled(seconds)),
    notFilled: () => (life.isOver ? undefined : use.notFilled()),
    waited: (seconds) => (life.isOver ? undefined : use.waited(seconds)),
    readLatest: (succeeded) => (life.isOver ? undefined : use.readLatest(succeeded)),
    dispatched: (seconds, events) => (life.isOver ? undefined : use.dispatched(seconds, events)),
    watches(resource) {
      const watches = use.watches(resource);
      return {
        sent: (sizeBytes) => (life.isOver ? undefined : watches.sent(sizeBytes)),
        listed: (scope, seconds) => (life.isOver ? undefined : watches.listed(scope, seconds)),
      };
    },
  };
}
