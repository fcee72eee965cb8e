import { rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';

/** Below etcd's data directory, where etcd itself keeps its files: all that the servers of the store write. */
export const storeFolder = 'member';

/** envtest gives each program such a folder, and removes it when it stops the program. */
const folderOfEnvtest = /^k8s_test_framework_\d+$/;

/**
 * Removes what a killed test can no longer remove: folders that envtest made, and the store from other temporary ones.
 * What a user keeps elsewhere stays.
 */
export function removeLeftFiles(folders: Iterable<string>): void {
  for (const folder of folders) {
    if (folderOfEnvtest.test(basename(folder))) removeFolder(folder);
    else if (isTemporary(folder)) removeStore(folder);
  }
}

function isTemporary(folder: string): boolean {
  const path = relative(tmpdir(), folder);
  return path !== '' && !path.startsWith('..');
}

function removeStore(folder: string): void {
  removeFolder(join(folder, storeFolder));
  try {
    rmdirSync(folder);
  } catch {
    // It has other files, or is gone.
  }
}

/** The other program may do the same just now. */
function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
