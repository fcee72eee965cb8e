import { Metric, type MetricDefinition } from '../../api/metrics/metric.ts';
import type { KindSchemas } from '../../codec/document.ts';
import type { StoreFormat } from '../../registry/stored/stored-values.ts';
import type { EtcdStorage } from '../../storage/etcd/engine.ts';
import type { ServerConfig } from '../config.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';
import { etcdClusters } from './etcd-clusters.ts';
import { holdIdleStore } from './idle-store.ts';
import { type Store, storeClusters, type StoreHealth } from './store.ts';

/** A connection to an etcd cluster. */
interface OpenCluster extends StoreHealth {
  readonly storage: EtcdStorage;
  readonly startCompactor: (onError: (error: unknown) => void) => Disposable;
}

const leaseObjects: MetricDefinition = {
  name: 'etcd_lease_object_counts',
  help: 'Objects attached to a lease of etcd, once it gets no more.',
  type: 'histogram',
  labelNames: [],
  buckets: [10, 50, 100, 500, 1000, 2500, 5000],
};

/** Connects to etcd, and to those that single resources are kept in. */
export async function openEtcd({ api, storage: config, dataDir }: ServerConfig, schemaOf: KindSchemas): Promise<Store> {
  const { etcd } = config;
  const [format, { EtcdUpkeep }] = await Promise.all([
    etcdFormat({ storage: { etcd }, api }, schemaOf),
    import('../../storage/etcd/upkeep.ts'),
  ]);
  await using opened = new AsyncDisposableStack();
  opened.use(await holdIdleStore({ dataDir }));
  const leases = new Metric(leaseObjects);
  const open = async (servers: readonly string[]): Promise<OpenCluster> => {
    const cluster = await openCluster(config, servers, (keys) => leases.observe(keys));
    opened.use(cluster.storage);
    return cluster;
  };
  const { serverSets, clusterOf } = etcdClusters(etcd);
  const all = await Promise.all(serverSets.map((servers) => open(servers)));
  const [main, ...further] = all;
  if (main === undefined) throw new Error('etcd is not configured');
  const clusters = opened.move();
  return {
    ...storeClusters(
      all.map(({ storage }) => storage),
      clusterOf,
    ),
    isShared: true,
    wasCutOff: false,
    format,
    check: main.check,
    checkReady: main.checkReady,
    overrides: further,
    components: all
      .flatMap(({ storage }) => storage.cluster.names.map((name) => () => storage.checkMember(name)))
      .map((check, index) => ({ name: `etcd-${index}`, check })),
    metrics: [leases],
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

/** The format of objects in etcd, which may contain any kind that ever existed. */
export async function etcdFormat(
  { storage: { etcd }, api }: { readonly storage: Pick<ServerConfig['storage'], 'etcd'> } & Pick<ServerConfig, 'api'>,
  schemaOf: KindSchemas,
): Promise<StoreFormat> {
  const [{ schemaOfAnyKind }, { customValues }] = await Promise.all([
    import('../../schema/kubernetes/unserved-kinds.ts'),
    import('../../registry/stored/custom-values.ts'),
  ]);
  return {
    encoding: etcd.mediaType === 'application/json' ? 'json' : 'protobuf',
    custom: customValues(gatesByConfig(api).get('CBORServingAndStorage') === true ? 'cbor' : 'json'),
    schemaOf: (kind) => schemaOf(kind) ?? schemaOfAnyKind(kind),
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
