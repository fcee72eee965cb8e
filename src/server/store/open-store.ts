import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../api/time/clock.ts';
import type { KindSchemas } from '../../codec/document.ts';
import { startCompactor } from '../../storage/compactor.ts';
import { openEmbeddedStorage, openMemoryStorage } from '../../storage/embedded/engine.ts';
import type { StoreContent } from '../../storage/embedded/store-content.ts';
import { storeFile } from '../../storage/embedded/store-file.ts';
import { type ServerConfig, storageFolder } from '../config.ts';
import { holdIdleStore } from './idle-store.ts';
import { openEtcd } from './open-etcd.ts';
import { type Store, storeClusters } from './store.ts';

/** What a store in memory is made with. */
export interface GivenStore {
  /** With what it begins, as a copy of another one. */
  readonly content?: StoreContent | undefined;
  /** By which keys expire. */
  readonly clock?: Clock;
}

export interface StorageEngineRow {
  readonly name: string;
  readonly isRequested: (config: ServerConfig) => boolean;
  /**
   * `schemaOf` looks up kinds, for engines that store objects in other encodings.
   */
  readonly open: (config: ServerConfig, schemaOf: KindSchemas, given?: GivenStore) => Promise<Store>;
}

/** The first match is opened. */
export const storageEngineTable: readonly StorageEngineRow[] = [
  { name: 'etcd', isRequested: ({ storage }) => storage.etcd.servers.length > 0, open: openEtcd },
  { name: 'embedded', isRequested: () => true, open: openEmbedded },
];

/** Opens the embedded store, or connects to etcd if servers are configured. */
export function openStore(
  table: readonly StorageEngineRow[],
  config: ServerConfig,
  schemaOf: KindSchemas,
  given?: GivenStore,
): Promise<Store> {
  const engine = table.find(({ isRequested }) => isRequested(config));
  if (engine === undefined) throw new Error('no storage engine is configured');
  return engine.open(config, schemaOf, given);
}

async function openEmbedded(
  { dataDir, storage: config }: ServerConfig,
  schemaOf: KindSchemas,
  given: GivenStore = {},
): Promise<Store> {
  const { inMemory, syncs, compactionIntervalMs: intervalMs } = config;
  const { content, clock = systemClock } = given;
  using opened = new DisposableStack();
  if (inMemory) opened.use(await holdIdleStore({ dataDir }));
  // A cleanly closed store has no such file.
  const wasCutOff = !inMemory && existsSync(join(dataDir, storageFolder, `${storeFile}-wal`));
  const storage = inMemory
    ? openMemoryStorage(content, { clock })
    : await openEmbeddedStorage({ dataDir: join(dataDir, storageFolder), syncs, clock });
  const check = (): Promise<void> => storage.check();
  const idle = opened.move();
  return {
    ...storeClusters([storage]),
    engine: storage,
    isShared: false,
    wasCutOff,
    format: { encoding: 'json', schemaOf },
    check,
    checkReady: check,
    components: [{ name: 'etcd-0', check }],
    // In memory there is no database file.
    sizeBytes: async () => (inMemory ? 0 : (await stat(join(dataDir, storageFolder, storeFile))).size),
    takeSnapshot: () => storage.takeSnapshot(),
    content: () => storage.content(),
    upkeep: storage.upkeep,
    startCompactor: (onError) =>
      intervalMs === 0 ? new DisposableStack() : startCompactor(storage, { intervalMs, onError }),
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      idle.dispose();
    },
  };
}
