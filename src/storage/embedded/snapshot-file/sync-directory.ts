import { open } from 'node:fs/promises';

/** Directory entries survive a power failure only once the directory is synced. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
