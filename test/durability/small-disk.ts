import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of 6 MiB. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Why it is unavailable; empty if it is not. */
  readonly missing: string;
}

export function mountSmallDisk(): SmallDisk {
  const root = mkdtempSync(join(tmpdir(), 'binnacle-full-'));
  const path = join(root, 'disk');
  mkdirSync(path);
  let missing = '';
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', path], { stdio: 'pipe' });
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
