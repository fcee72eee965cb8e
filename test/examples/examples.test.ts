import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { installPackage } from '../package/packed.ts';

const root = join(import.meta.dirname, '..', '..');
const installed = await installPackage();
afterAll(() => installed[Symbol.dispose]());

const examples = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter(isOfCheckout);

/** Whether the checkout has all that a project needs; others are run by their pages, in test/documents. */
function isOfCheckout(name: string): boolean {
  const file = join(root, 'examples', name, 'package.json');
  if (!existsSync(file)) return false;
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as ProjectFile;
  return Object.keys({ ...dependencies, ...devDependencies }).every(
    (each) => each === 'binnacle' || existsSync(join(root, 'node_modules', each)),
  );
}

interface ProjectFile {
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

/** What else examples depend on: as in the checkout. */
for (const name of ['vitest', 'typescript', '@kubernetes/client-node', '@types/node']) {
  const place = join(installed.folder, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), place, 'junction');
}

test.each(examples)('%s: its tests pass with the package as users have it', { timeout: 300_000 }, async (name) => {
  const folder = join(installed.folder, name);
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  const PATH = `${join(root, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`;
  // Vitest would take the test for part of this one, and node:test its reporter.
  const { VITEST: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const ran = promisify(execFile)('npm', ['test'], { cwd: folder, env: { ...env, PATH } });
  const { stdout } = await ran.catch((error: { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  expect(stdout).toMatch(/Tests .*\d+ passed|pass \d+/);
});
