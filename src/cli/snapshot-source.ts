import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { snapshotKeysHeader, snapshotPath } from '../http/routes/snapshot-route.ts';
import { storageFolder } from '../server/config.ts';
import { StorageError } from '../storage/contract.ts';
import { type EmbeddedStorage, openEmbeddedStorage } from '../storage/embedded/engine.ts';
import { StoreInUseError } from '../storage/embedded/log-client.ts';
import { storeFile } from '../storage/embedded/store-file.ts';
import { askServer } from './ask-server.ts';
import { UsageError } from './errors.ts';

/** Whether a data directory has an embedded store. */
export function hasStore(dataDir: string): boolean {
  return existsSync(join(dataDir, storageFolder, storeFile));
}

/** Calls `use` with the store of a data directory; undefined if another process has it open. */
export async function withStore<T>(
  dataDir: string,
  use: (storage: EmbeddedStorage) => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  let storage: EmbeddedStorage;
  try {
    storage = await openEmbeddedStorage({ dataDir: join(dataDir, storageFolder) });
  } catch (error) {
    if (error instanceof StorageError && error.cause instanceof StoreInUseError) return undefined;
    throw error;
  }
  await using opened = storage;
  return { result: await use(opened) };
}

/** The source of a snapshot of one revision. */
export interface SnapshotSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Undefined: unknown. */
  readonly keys: number | undefined;
}

/**
 * Calls `use` with a snapshot of a data directory's store. Only one process can have a store open: this one if no
 * server is running, otherwise the snapshot is requested from the server, as its administrator.
 */
export async function withSnapshot<T>(dataDir: string, use: (source: SnapshotSource) => Promise<T>): Promise<T> {
  if (!hasStore(dataDir)) throw new UsageError(`${dataDir} contains no store`);
  const own = await withStore(dataDir, (storage) => {
    const { keys, chunks } = storage.takeSnapshot();
    return use({ keys, chunks: asynchronous(chunks) });
  });
  if (own !== undefined) return own.result;
  const because = `the store in ${dataDir} is in use`;
  const { response, chunks } = await askServer({ dataDir, because, method: 'GET', path: snapshotPath });
  const keys = response.headers[snapshotKeysHeader];
  return use({ keys: keys === undefined ? undefined : Number(keys), chunks: chunks() });
}

async function* asynchronous(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
