import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../../storage/contract.ts';
import { StoreInUseError } from '../../storage/embedded/log-client.ts';
import { storeFile } from '../../storage/embedded/store-file.ts';
import { type ServerConfig, storageFolder } from '../config.ts';

/**
 * Keeps the embedded store in the data directory of a server that uses another store from being opened: commands that
 * find it in use ask the server, and cannot work on a store that nobody uses. Undefined if there is none, or none that
 * anybody could open. Throws a StorageError if it is in use.
 */
export async function holdIdleStore({ dataDir }: Pick<ServerConfig, 'dataDir'>): Promise<Disposable | undefined> {
  const file = join(dataDir, storageFolder, storeFile);
  if (!existsSync(file)) return undefined;
  // Loads SQLite, which is used nowhere else on this thread.
  const { openExclusively } = await import('../../storage/embedded/exclusive-database.ts');
  try {
    const database = openExclusively(file);
    return { [Symbol.dispose]: () => database.close() };
  } catch (error) {
    if (!(error instanceof StoreInUseError)) return undefined;
    const message = `the data directory ${dataDir} is in use: another process has opened the store in it`;
    throw new StorageError('unavailable', message, { cause: error });
  }
}
