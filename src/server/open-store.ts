import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Component } from '../http/virtual/component-statuses.ts';
import type { KindSchemas } from '../codec/document.ts';
import type { StoreFormat } from '../registry/stored-values.ts';
import { startCompactor } from '../storage/compactor.ts';
import type { Storage } from '../storage/contract.ts';
import { openEmbeddedStorage } from '../storage/embedded/engine.ts';
import { storeFile } from '../storage/embedded/store-file.ts';
import { type ServerConfig, storageFolder } from './config.ts';

/** The store with its engine-specific operations. */
export interface Store {
  readonly storage: Storage;
  /** Whether other servers may use it concurrently. */
  readonly isShared: boolean;
  /** The format of stored objects. */
  readonly format: StoreFormat;
  /** The `etcd` health check. */
  check(): Promise<void>;
  /** The `etcd-readiness` check. */
  checkReady(): Promise<void>;
  /** Health of its parts, for `componentstatuses`. */
  readonly components: readonly Component[];
  /** Size of its database. */
  sizeBytes(): Promise<number>;
  /** Undefined if the store has its own tools for that. */
  readonly takeSnapshot: (() => Iterable<Uint8Array>) | undefined;
  /** Compacts history periodically. */
  startCompactor(onError: (error: unknown) => void): Disposable;
}

export interface StorageEngineRow {
  readonly name: string;
  readonly isAskedFor: (config: ServerConfig) => boolean;
  /** `schemaOf` looks up kinds, for engines that store objects in other encodings. */
  readonly open: (config: ServerConfig, schemaOf: KindSchemas) => Promise<Store>;
}

/** The first match is opened. */
export const storageEngineTable: readonly StorageEngineRow[] = [
  { name: 'etcd', isAskedFor: ({ storage }) => storage.etcd.servers.length > 0, open: openEtcd },
  { name: 'embedded', isAskedFor: () => true, open: openEmbedded },
];

/** Opens the embedded store, or connects to etcd if servers are configured. */
export function openStore(
  table: readonly StorageEngineRow[],
  config: ServerConfig,
  schemaOf: KindSchemas,
): Promise<Store> {
  const engine = table.find(({ isAskedFor }) => isAskedFor(config));
  if (engine === undefined) throw new Error('no storage engine is asked for');
  return engine.open(config, schemaOf);
}

async function openEmbedded({ dataDir, storage: config }: ServerConfig, schemaOf: KindSchemas): Promise<Store> {
  const { inMemory, compactionIntervalMs } = config;
  const storage = await openEmbeddedStorage({ dataDir: inMemory ? undefined : join(dataDir, storageFolder) });
  const check = (): Promise<void> => storage.check();
  return {
    storage,
    isShared: false,
    format: { encoding: 'json', schemaOf },
    check,
    checkReady: check,
    components: [{ name: 'etcd-0', check }],
    // In memory there is no database file.
    sizeBytes: async () => (inMemory ? 0 : (await stat(join(dataDir, storageFolder, storeFile))).size),
    takeSnapshot: () => storage.takeSnapshot(),
    startCompactor: (onError) =>
      compactorUnlessNever(compactionIntervalMs, (intervalMs) => startCompactor(storage, { intervalMs, onError })),
  };
}

/** Imported lazily: gRPC would slow down every start. */
async function openEtcd(
  { storage: { etcd, prefix, compactionIntervalMs } }: ServerConfig,
  schemaOf: KindSchemas,
): Promise<Store> {
  const [{ openEtcdStorage }, { schemaOfAnyKind }, { healthCheck }, { startEtcdCompactor }] = await Promise.all([
    import('../storage/etcd/engine.ts'),
    import('../schema/kubernetes/unserved-kinds.ts'),
    import('../storage/etcd/health-check.ts'),
    import('../storage/etcd/compactor.ts'),
  ]);
  const engine = await openEtcdStorage(etcd);
  const probe = (untilMs: number): Promise<void> => engine.probe(`${prefix}/health`, untilMs);
  return {
    storage: engine,
    isShared: true,
    // It may contain any kind that ever existed.
    format: {
      encoding: etcd.mediaType === 'application/json' ? 'json' : 'protobuf',
      schemaOf: (kind) => schemaOf(kind) ?? schemaOfAnyKind(kind),
    },
    check: healthCheck(probe, etcd.healthCheckTimeoutMs),
    checkReady: healthCheck(probe, etcd.readyCheckTimeoutMs),
    components: engine.cluster.names.map((name, index) => ({
      name: `etcd-${index}`,
      check: () => engine.checkMember(name),
    })),
    sizeBytes: () => engine.databaseBytes(),
    takeSnapshot: undefined,
    startCompactor: (onError) =>
      compactorUnlessNever(compactionIntervalMs, (intervalMs) =>
        startEtcdCompactor(engine.cluster, { intervalMs, onError }),
      ),
  };
}

function compactorUnlessNever(intervalMs: number, start: (intervalMs: number) => Disposable): Disposable {
  return intervalMs === 0 ? { [Symbol.dispose]: () => undefined } : start(intervalMs);
}
