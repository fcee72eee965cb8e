import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system of its own. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Why it is unavailable; empty if it is not. */
  readonly missing: string;
}

export function mountSmallDisk(mebibytes = 6): SmallDisk {
  const root = mkdtempSync(join(tmpdir(), 'binnacle-full-'));
  const path = join(root, 'disk');
  mkdirSync(path);
  let missing = '';
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    missing = `needs root to mount a small disk: ${String(error).split('\n')[0]}`;
  }
  return {
    path,
    missing,
    [Symbol.dispose]() {
      if (missing === '') execFileSync('umount', [path]);
      rmSync(root, { recursive: true });
    },
  };
}
