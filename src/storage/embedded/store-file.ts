import { statSync } from 'node:fs';

/** File name of the database in a store's directory. */
export const storeFile = 'binnacle.db';

/** Beside it: the last revision known to be on disk. */
export const markFile = 'binnacle.acknowledged';

/** Size of the database at `path` with its write-ahead log. */
export function sizeOfFiles(path: string): number {
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size);
}
