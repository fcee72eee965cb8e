import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { inParallel } from '../in-parallel.ts';

// Kubernetes' own integration tests against the bundle. docs/upstream-tests.md lists those that fail; any other failure
// is a bug.

const root = resolve(import.meta.dirname, '../..');
const runner = join(process.env['BINNACLE_UPSTREAM_TESTS'] ?? join(root, '../shared/upstream-tests'), 'run');
const reference = process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference');
/** The tests expect an API server alone and start the controllers they need. */
const server = `${join(root, 'node_modules/.bin/node')} ${join(root, 'dist/binnacle.js')} serve --controllers=`;
const packageTimeoutMs = 600_000;
const allTimeoutMs = 1_800_000;
/** Each is a client, a server and an etcd; more at once miss limits of time of their own on two cores. */
const packagesAtOnce = 2;
const testsAtOnce = 2;
/** Packages that say most in a few minutes; `.ci/run` compiles them. */
const packages = readFileSync(join(import.meta.dirname, 'packages.txt'), 'utf8')
  .trim()
  .split('\n');

interface Result {
  readonly state: 'PASS' | 'FAIL' | 'SKIP';
  readonly name: string;
  /** The first line that tells why. */
  readonly why: string;
}

/** Why nothing can be run; undefined when all is there. */
function obstacle(): string | undefined {
  if (!existsSync(runner)) return 'no upstream-tests/run';
  const missing = packages.find((name) => !existsSync(join(reference, 'integration', `${name}.test`)));
  return missing === undefined ? undefined : `the tests of ${missing} have not been compiled`;
}

/** Tests that are known to fail, of one package. */
function listedFailures(packageName: string): readonly string[] {
  const rows = readFileSync(join(root, 'docs/upstream-tests.md'), 'utf8').split('\n');
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  return cells.flatMap(([, name, test]) => (name === packageName && test !== undefined ? [test] : []));
}

async function runTests(packageName: string, tests: string, jobs: number): Promise<readonly Result[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'binnacle-upstream-'));
  const child = spawn(runner, ['binnacle', folder.path, `^${packageName}$`, tests], {
    env: {
      ...process.env,
      BASELINE: '1',
      BINNACLE: root,
      BINNACLE_REFERENCE: reference,
      JOBS: String(jobs),
      BINNACLE_INTEGRATION_SERVER: server,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await text(child.stdout);
  const results = [...output.matchAll(/^(PASS|FAIL|SKIP) \S+ (\S+) (.*)$/gm)];
  // One of the alternatives of the pattern.
  return results.map(([, state, name = '', why = '']) => ({ state: state as Result['state'], name, why }));
}

/** By package. */
async function firstResults(): Promise<Map<string, readonly Result[]>> {
  const results = new Map<string, readonly Result[]>();
  await inParallel(packages, packagesAtOnce, async (name) => results.set(name, await runTests(name, '', testsAtOnce)));
  return results;
}

/** How often a test that failed beside others is tried alone. */
const triesAlone = 6;

/** Tests with short timeouts, or that race against the controller they test, fail on a busy machine. */
async function triedAgain(packageName: string, first: readonly Result[]): Promise<readonly Result[]> {
  const listed = listedFailures(packageName);
  let results = first;
  for (let tries = 0; tries < triesAlone; tries += 1) {
    const failed = results.filter(({ state, name }) => state === 'FAIL' && !listed.includes(name));
    if (failed.length === 0) break;
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    const again = await runTests(packageName, `^(${failed.map(({ name }) => name).join('|')})$`, 1);
    results = results.map((result) => again.find(({ name }) => name === result.name) ?? result);
  }
  return results;
}

const why = obstacle();
const title = why === undefined ? 'upstream tests' : `upstream tests (skipped: ${why})`;

describe.skipIf(why !== undefined)(title, () => {
  let first: Map<string, readonly Result[]>;

  beforeAll(async () => {
    first = await firstResults();
  }, allTimeoutMs);

  test.each(packages)(
    '%s',
    async (packageName) => {
      const results = await triedAgain(packageName, first.get(packageName) ?? []);
      const listed = listedFailures(packageName);
      const unexpected = results.filter(({ state, name }) => state === 'FAIL' && !listed.includes(name));
      expect(unexpected).toEqual([]);
      const passing = results.filter(({ state, name }) => state === 'PASS' && listed.includes(name));
      expect(passing, 'rows that docs/upstream-tests.md needs no more').toEqual([]);
      expect(results.filter(({ state }) => state === 'PASS').length).toBeGreaterThan(0);
    },
    packageTimeoutMs,
  );
});
