import { open } from 'node:fs/promises';

/** Names in a directory survive a power failure only when the directory is on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
