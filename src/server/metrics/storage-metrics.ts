import type { Registry } from 'prom-client';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { prefixEnd } from '../../storage/contract.ts';
import type { NamedCache } from '../open-kind.ts';
import type { Store } from '../store/store.ts';

export interface StorageMetricsOptions {
  readonly store: Pick<Store, 'storage' | 'storageOf' | 'sizeBytes'>;
  readonly served: () => Catalogue;
  readonly caches: () => readonly NamedCache[];
  /** `/registry` */
  readonly prefix: string;
  /** How long results are cached; 0: never requested. */
  readonly countIntervalMs: number;
  readonly sizeIntervalMs: number;
  /** Milliseconds, as `performance.now()`. */
  readonly now: () => number;
}

interface Count {
  readonly group: string;
  readonly resource: string;
  readonly objects: number;
  readonly sizeBytes: number;
}

/** The reference's value for a number that could not be determined. */
const unknown = -1;

/** Adds the store size and the number of objects per kind; both are requested when metrics are read. */
export async function addStorageMetrics(registry: Registry, options: StorageMetricsOptions): Promise<void> {
  const { store, countIntervalMs, sizeIntervalMs, now } = options;
  // Bundled CommonJS libraries only have a default export.
  const { default: prometheus } = await import('prom-client');
  const registers = [registry];
  if (sizeIntervalMs > 0) {
    const size = remembered(() => store.sizeBytes().catch(() => unknown), sizeIntervalMs, now);
    new prometheus.Gauge({
      name: 'apiserver_storage_size_bytes',
      help: 'Size of the storage database, in bytes.',
      labelNames: ['storage_cluster_id'] as const,
      registers,
      async collect() {
        this.set({ storage_cluster_id: 'etcd-0' }, await size());
      },
    });
  }
  if (countIntervalMs === 0) return;
  const counts = remembered(() => countObjects(options), countIntervalMs, now);
  new prometheus.Gauge({
    name: 'apiserver_storage_objects',
    help: 'Stored objects by resource; -1 if the count is unavailable.',
    labelNames: ['resource'] as const,
    registers,
    async collect() {
      const now = await counts();
      this.reset();
      for (const { group, resource, objects } of now) {
        this.set({ resource: group === '' ? resource : `${resource}.${group}` }, objects);
      }
    },
  });
  for (const { name, help, read } of resourceGauges) {
    new prometheus.Gauge({
      name,
      help,
      labelNames: ['group', 'resource'] as const,
      registers,
      async collect() {
        const now = await counts();
        this.reset();
        for (const count of now) this.set({ group: count.group, resource: count.resource }, read(count));
      },
    });
  }
}

const resourceGauges = [
  {
    name: 'apiserver_resource_objects',
    help: 'Stored objects by group and resource; -1 if the count is unavailable.',
    read: ({ objects }: Count) => objects,
  },
  {
    name: 'apiserver_resource_size_estimate_bytes',
    help: 'Size of stored objects by group and resource; -1 if none have been read, or the count is unavailable.',
    read: ({ sizeBytes }: Count) => sizeBytes,
  },
];

/** Caches the result for an interval. */
function remembered<T>(ask: () => Promise<T>, intervalMs: number, now: () => number): () => Promise<T> {
  let latest: Promise<T> | undefined;
  let askedMs = 0;
  return () => {
    if (latest === undefined || now() - askedMs >= intervalMs) {
      askedMs = now();
      latest = ask();
    }
    return latest;
  };
}

/** Total timeout of the requests to etcd. */
const countTimeoutMs = 5000;

async function countObjects({ store, served, caches, prefix, now }: StorageMetricsOptions): Promise<readonly Count[]> {
  const deadlineMs = now() + countTimeoutMs;
  const sizes = new Map(caches().map(({ group, resource, cache }) => [`${group}/${resource}`, cache.storedBytes]));
  return Promise.all(
    served()
      .storedResources()
      .map(async ({ resource: { group, plural: resource }, storage: place }) => {
        const storage = store.storageOf?.({ group, plural: resource }) ?? store.storage;
        const start = `${prefix}/${place.prefix}/`;
        const objects = await storage.range({ start, end: prefixEnd(start), limit: 1, deadlineMs }).then(
          ({ count }) => count,
          () => unknown,
        );
        const knownBytes = sizes.get(`${group}/${resource}`);
        const sizeBytes = objects > 0 ? (knownBytes ?? unknown) : objects;
        return { group, resource, objects, sizeBytes };
      }),
  );
}
