import type { Sample } from '../../api/metrics/metric.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { prefixEnd } from '../../storage/contract.ts';
import type { NamedCache } from '../../scopes/open-kind.ts';
import type { Store } from '../store/store.ts';
import { type ExposedMetric, requestedMetric } from '../../metrics/exposition.ts';

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

const gauge = { type: 'gauge', overThreads: 'first' } as const;

/** The store size and the number of objects per kind; both are requested when metrics are read. */
export function storageMetrics(options: StorageMetricsOptions): readonly ExposedMetric[] {
  const { store, countIntervalMs, sizeIntervalMs, now } = options;
  const size = remembered(() => store.sizeBytes().catch(() => unknown), sizeIntervalMs, now);
  const sizeMetric = requestedMetric(
    { ...gauge, name: 'apiserver_storage_size_bytes', help: 'Size of the storage database, in bytes.' },
    async () => [{ labels: { storage_cluster_id: 'etcd-0' }, value: await size() }],
  );
  const counts = remembered(() => countObjects(options), countIntervalMs, now);
  const countMetrics = countGauges.map(({ name, help, read }) =>
    requestedMetric({ ...gauge, name, help }, async () => (await counts()).map(read)),
  );
  return [...(sizeIntervalMs > 0 ? [sizeMetric] : []), ...(countIntervalMs > 0 ? countMetrics : [])];
}

const countGauges: readonly {
  readonly name: string;
  readonly help: string;
  readonly read: (count: Count) => Sample;
}[] = [
  {
    name: 'apiserver_storage_objects',
    help: 'Stored objects by resource; -1 if the count is unavailable.',
    read: ({ group, resource, objects: value }) => ({
      labels: { resource: group === '' ? resource : `${resource}.${group}` },
      value,
    }),
  },
  {
    name: 'apiserver_resource_objects',
    help: 'Stored objects by group and resource; -1 if the count is unavailable.',
    read: ({ group, resource, objects: value }) => ({ labels: { group, resource }, value }),
  },
  {
    name: 'apiserver_resource_size_estimate_bytes',
    help: 'Size of stored objects by group and resource; -1 if none have been read, or the count is unavailable.',
    read: ({ group, resource, sizeBytes: value }) => ({ labels: { group, resource }, value }),
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
