import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Program } from '../program.ts';
import { launcher } from '../release-form.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-kept-code-'));
const release = join(folder, 'dist');
const cache = join(release, '.cache');
const patient = { timeout: 60_000 };

/** A release that has never been started. */
beforeAll(() => {
  cpSync(dirname(launcher), release, { recursive: true, filter: (path) => !/\.map$|\/\.cache$/.test(path) });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How many functions the second thread of a start has compiled. */
async function compiledByThread(name: string): Promise<number> {
  // The same flags each time: kept code is accepted only under those that it was compiled under.
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  const v8Flags = ['--log-function-events', `--logfile=${join(logs, 'v8.log')}`];
  const serverFlags = ['--api-threads=2', '--secure-port=0', `--data-dir=${join(folder, name)}`];
  await using server = new Program({
    name,
    path: process.execPath,
    args: [...v8Flags, join(release, 'binnacle.js'), 'serve', ...serverFlags],
    folder,
  });
  await expect.poll(() => server.lines(/ serves https:/), patient).toHaveLength(1);
  // The code of the script that all starts load has a longer name than Node's, and is written last.
  const kept = (): readonly string[] => readdirSync(cache, { recursive: true, encoding: 'utf8' });
  await expect.poll(kept, patient).toContainEqual(expect.stringMatching(/\/[0-9a-f]{16}$/));
  const [log] = readdirSync(logs)
    .map((file) => readFileSync(join(logs, file), 'latin1').split('\n'))
    .filter((lines) => lines.some((line) => /^script-details,.*\/api-thread\.js/.test(line)));
  rmSync(logs, { recursive: true });
  return log?.filter((line) => /^function,(parse-function|full-parse),/.test(line)).length ?? 0;
}

test('threads load the code that an earlier start of the server has compiled', { timeout: 180_000 }, async () => {
  const first = await compiledByThread('first');
  expect(first).toBeGreaterThan(0);
  expect(await compiledByThread('second')).toBeLessThan(first / 2);
});
