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
import { gatesByConfig } from './served-by-config.ts';

/** The store with what only its engine knows how to do. */
export interface Store {
  readonly storage: Storage;
  /** How objects are in it. */
  readonly format: StoreFormat;
  /** The health check `etcd`. */
  check(): Promise<void>;
  /** The readiness check `etcd-readiness`. */
  checkReady(): Promise<void>;
  /** How its parts are, for `componentstatuses`. */
  readonly components: readonly Component[];
  /** What its database takes. */
  sizeBytes(): Promise<number>;
  /** Undefined where the store has its own tools for that. */
  readonly takeSnapshot: (() => Iterable<Uint8Array>) | undefined;
  /** Forgets history from time to time. */
  startCompactor(onError: (error: unknown) => void): Disposable;
}

export interface StorageEngineRow {
  readonly name: string;
  readonly isAskedFor: (config: ServerConfig) => boolean;
  /** `schemaOf` knows what kinds there are, for engines that keep objects in other forms. */
  readonly open: (config: ServerConfig, schemaOf: KindSchemas) => Promise<Store>;
}

/** The first that is asked for is opened. */
export const storageEngineTable: readonly StorageEngineRow[] = [
  { name: 'etcd', isAskedFor: ({ storage }) => storage.etcd.servers.length > 0, open: openEtcd },
  { name: 'embedded', isAskedFor: () => true, open: openEmbedded },
];

/** Opens the embedded store, or connects to etcd when there are servers of it. */
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
    format: { encoding: 'json', isShared: false, schemaOf },
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

/** Loaded when asked for: gRPC would add to the start of every server. */
async function openEtcd(
  { api, storage: { etcd, prefix, compactionIntervalMs } }: ServerConfig,
  schemaOf: KindSchemas,
): Promise<Store> {
  const [{ openEtcdStorage }, { schemaOfAnyKind }, { customValues }, { healthCheck }, { startEtcdCompactor }] =
    await Promise.all([
      import('../storage/etcd/engine.ts'),
      import('../schema/kubernetes/unserved-kinds.ts'),
      import('../registry/custom-values.ts'),
      import('../storage/etcd/health-check.ts'),
      import('../storage/etcd/compactor.ts'),
    ]);
  const engine = await openEtcdStorage(etcd);
  const probe = (untilMs: number): Promise<void> => engine.probe(`${prefix}/health`, untilMs);
  return {
    storage: engine,
    // Whatever has ever been a kind may be in it.
    format: {
      encoding: etcd.mediaType === 'application/json' ? 'json' : 'protobuf',
      custom: customValues(gatesByConfig(api).get('CBORServingAndStorage') === true ? 'cbor' : 'json'),
      isShared: true,
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
