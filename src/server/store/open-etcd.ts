import { Measure, type MeasureDefinition } from '../../api/measure.ts';
import type { KindSchemas } from '../../codec/document.ts';
import type { EtcdStorage } from '../../storage/etcd/engine.ts';
import type { EtcdConfig, ServerConfig } from '../config.ts';
import { gatesByConfig } from '../served-by-config.ts';
import { holdIdleStore } from './idle-store.ts';
import type { Store, StoreHealth } from './store.ts';

/** A connection to an etcd cluster. */
interface OpenCluster extends StoreHealth {
  readonly storage: EtcdStorage;
  readonly startCompactor: (onError: (error: unknown) => void) => Disposable;
}

const leaseObjects: MeasureDefinition = {
  name: 'etcd_lease_object_counts',
  help: 'Objects attached to a lease of etcd, once it gets no more.',
  type: 'histogram',
  labelNames: [],
  buckets: [10, 50, 100, 500, 1000, 2500, 5000],
};

/** Connects to etcd, and to those that single resources are kept in. */
export async function openEtcd({ api, storage: config, dataDir }: ServerConfig, schemaOf: KindSchemas): Promise<Store> {
  const { etcd } = config;
  const [{ schemaOfAnyKind }, { customValues }, { EtcdUpkeep }] = await Promise.all([
    import('../../schema/kubernetes/unserved-kinds.ts'),
    import('../../registry/custom-values.ts'),
    import('../../storage/etcd/upkeep.ts'),
  ]);
  await using opened = new AsyncDisposableStack();
  opened.use(await holdIdleStore({ dataDir }));
  const leases = new Measure(leaseObjects);
  const open = async (servers: readonly string[]): Promise<OpenCluster> => {
    const cluster = await openCluster(config, servers, (keys) => leases.observe(keys));
    opened.use(cluster.storage);
    return cluster;
  };
  const others = serverSets(etcd.overrides);
  const [main, ...further] = await Promise.all([open(etcd.servers), ...others.map((servers) => open(servers))]);
  if (main === undefined) throw new Error('etcd is not configured');
  const places = new Map(
    etcd.overrides.map(({ group, resource, servers }) => {
      const cluster = further[others.findIndex((set) => isSameSet(set, servers))] ?? main;
      return [`${group}/${resource}`, cluster.storage];
    }),
  );
  const all = [main, ...further];
  const clusters = opened.move();
  return {
    storage: main.storage,
    storageOf: ({ group, plural }) => places.get(`${group}/${plural}`) ?? main.storage,
    isShared: true,
    wasCutOff: false,
    // It may contain any kind that ever existed.
    format: {
      encoding: etcd.mediaType === 'application/json' ? 'json' : 'protobuf',
      custom: customValues(gatesByConfig(api).get('CBORServingAndStorage') === true ? 'cbor' : 'json'),
      schemaOf: (kind) => schemaOf(kind) ?? schemaOfAnyKind(kind),
    },
    check: main.check,
    checkReady: main.checkReady,
    overrides: further,
    components: all
      .flatMap(({ storage }) => storage.cluster.names.map((name) => () => storage.checkMember(name)))
      .map((check, index) => ({ name: `etcd-${index}`, check })),
    measures: [leases],
    sizeBytes: () => main.storage.databaseBytes(),
    takeSnapshot: undefined,
    upkeep: new EtcdUpkeep(all.map(({ storage }) => storage)),
    startCompactor(onError) {
      const compactors = new DisposableStack();
      for (const { startCompactor } of all) compactors.use(startCompactor(onError));
      return compactors;
    },
    closeIn(ms) {
      if (clusters.disposed) return;
      const timer = setTimeout(() => void clusters.disposeAsync(), ms);
      clusters.defer(() => clearTimeout(timer));
    },
    [Symbol.asyncDispose]: () => clusters.disposeAsync(),
  };
}

/** Imported lazily: gRPC would slow down every start. */
async function openCluster(
  { etcd, prefix, compactionIntervalMs: intervalMs }: ServerConfig['storage'],
  servers: readonly string[],
  onLeaseReplaced: (keys: number) => void,
): Promise<OpenCluster> {
  const [{ openEtcdStorage }, { healthCheck }, { startEtcdCompactor }] = await Promise.all([
    import('../../storage/etcd/engine.ts'),
    import('../../storage/etcd/health-check.ts'),
    import('../../storage/etcd/compactor.ts'),
  ]);
  const storage = await openEtcdStorage({ ...etcd, servers, onLeaseReplaced });
  const probe = (untilMs: number): Promise<void> => storage.probe(`${prefix}/health`, untilMs);
  return {
    storage,
    check: healthCheck(probe, etcd.healthCheckTimeoutMs),
    checkReady: healthCheck(probe, etcd.readyCheckTimeoutMs),
    startCompactor: (onError) =>
      intervalMs === 0 ? new DisposableStack() : startEtcdCompactor(storage.cluster, { intervalMs, onError }),
  };
}

/** Each set of servers once, regardless of order. */
function serverSets(overrides: EtcdConfig['overrides']): readonly (readonly string[])[] {
  const sets: (readonly string[])[] = [];
  for (const { servers } of overrides) if (!sets.some((set) => isSameSet(set, servers))) sets.push(servers);
  return sets;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join(';') === other.toSorted().join(';');
}
