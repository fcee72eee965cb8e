import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launcher } from '../release-form.ts';
import { makeOlder, makeStore, storeIn } from './stores.ts';

const missing = spawnSync('script', ['--version']).status === 0 ? '' : 'no script(1)';

/** Everything that the command writes to a terminal. */
async function onTerminal(command: string, columns = 80): Promise<string> {
  const line = `stty cols ${columns}; ${process.execPath} ${launcher} ${command}`;
  const { stdout } = await promisify(execFile)('script', ['-qec', line, '/dev/null']);
  return stdout;
}

const eraseLine = '\r\u001b[K';

describe.skipIf(missing !== '')(`on a terminal${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  let root: string;
  let dataDir: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'binnacle-terminal-'));
    dataDir = join(root, 'data');
    await makeStore(dataDir);
    await mkdir(storeIn(`${dataDir}-older`), { recursive: true });
    makeOlder(dataDir, `${dataDir}-older`);
  });
  afterAll(() => rm(root, { recursive: true }));

  /** The lines that were shown, one in the place of the other, and what has remained. */
  function shown(output: string): { readonly lines: readonly string[]; readonly left: string } {
    const [before, ...rest] = output.split(eraseLine);
    expect(before).toBe('');
    // Each leaves the cursor at its beginning.
    const lines = rest.slice(0, -1).map((line) => line.replace(/\r$/, ''));
    // A line that had ended, or reached the edge, could not be erased.
    for (const line of lines) expect(line).not.toMatch(/[\r\n]/);
    return { lines, left: rest.at(-1)?.replaceAll('\r\n', '\n') ?? '' };
  }

  test.each<readonly [string, (dataDir: string, file: string) => string, RegExp, RegExp]>([
    [
      'snapshot save',
      (dir, file) => `snapshot save ${file} --data-dir ${dir}`,
      /^saving: [\d,]+ of 200 keys \(\d+ %\)/,
      /^saved /,
    ],
    ['snapshot status', (_, file) => `snapshot status ${file}`, /^verifying: .* of .* \(\d+ %\)/, /^ {2}revision /],
    [
      'snapshot restore',
      (dir, file) => `snapshot restore ${file} --data-dir ${dir}-restored`,
      /^restoring: .* of .* \(\d+ %\)/,
      /^restored to /,
    ],
    [
      'compact',
      (dir) => `compact --data-dir ${dir}`,
      /^compacting: [\d,]+ of 2,\d+ revisions \(\d+ %\)/,
      /^compacted; /,
    ],
    ['defrag', (dir) => `defrag --data-dir ${dir}`, /^defragmenting: .* of .* MiB \(\d+ %\)/, /^defragmented; /],
    [
      'upgrade-store',
      (dir) => `upgrade-store --data-dir ${dir}-older`,
      /^upgrading: [\d,]+ of 2,\d+ rows \(\d+ %\)/,
      /^upgraded from format 2 to 3\n/,
    ],
  ])('%s redraws one line, and leaves the result', async (_name, command, progress, result) => {
    const { lines, left } = shown(await onTerminal(command(dataDir, join(root, 'saved'))));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(progress);
    expect(left).toMatch(result);
  });

  test('a line fits the terminal', async () => {
    const { lines } = shown(await onTerminal(`snapshot save ${join(root, 'narrow')} --data-dir ${dataDir}`, 20));
    expect(lines.map((line) => line.length)).toEqual(lines.map(() => 19));
  });

  test('what goes through a pipe is the result alone', async () => {
    const command = `snapshot save ${join(root, 'piped')} --data-dir ${dataDir}`;
    const output = await onTerminal(`${command} | cat > ${join(root, 'output')}`);
    expect(shown(output).left).toBe('');
    expect(await readFile(join(root, 'output'), 'utf8')).toMatch(/^saved \S+piped\n/);
    expect(await onTerminal(`${command} 2> ${join(root, 'errors')}`)).toMatch(/^saved /);
    expect(await readFile(join(root, 'errors'), 'utf8')).toBe('');
  });
});
