import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestServer } from '../server-fixture.ts';

/** What `go tool pprof` says of a profile; undefined without Go. */
export async function shownByPprof(
  { scratchDir }: Pick<TestServer, 'scratchDir'>,
  profile: Buffer,
  ...flags: readonly string[]
): Promise<string | undefined> {
  const path = join(scratchDir, 'profile.pb.gz');
  await writeFile(path, profile);
  const { stdout, status, stderr, error } = spawnSync('go', ['tool', 'pprof', ...flags, path], { encoding: 'utf8' });
  if (error !== undefined) return undefined;
  expect(status, stderr).toBe(0);
  return stdout;
}
