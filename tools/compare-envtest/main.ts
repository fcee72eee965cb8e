// Runs the envtest suites of a Go module with kube-apiserver and etcd, and with the folder of `binnacle envtest`, and
// prints a row of docs/envtest.md for each package, and the tests that end differently:
//
//   node tools/compare-envtest/main.ts sigs.k8s.io/lws@v0.8.0 test/integration/controllers test/integration/webhooks
//
// Needs Go and the programs of the reference in $BINNACLE_REFERENCE. What has been compiled is kept in
// $BINNACLE_ENVTEST_WORK, by default ~/.cache/binnacle-envtest; BINNACLE_CONTROLLERS is passed on.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { prepare } from '../../scripts/prepare.mjs';
import { readArguments } from '../arguments.ts';
import { compileSuite, fetchProject } from './project.ts';
import { runSuite, type SuiteRun } from './run-suite.ts';

const timeoutMs = 1_800_000;
const launcher = resolve(import.meta.dirname, '../../dist/binnacle.js');
const reference = process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference');
const work = process.env['BINNACLE_ENVTEST_WORK'] ?? join(homedir(), '.cache', 'binnacle-envtest');

const { positionals } = readArguments({ allowPositionals: true }, { needed: 2 });
const [module = '', ...packages] = positionals;

prepare();
mkdirSync(work, { recursive: true });
const ours = execFileSync(process.execPath, [launcher, 'envtest'], { encoding: 'utf8' }).trimEnd();
const project = fetchProject(module, work);
let differences = 0;
for (const path of packages) {
  const program = compileSuite(project, path);
  const run = (name: string, assets: string): Promise<SuiteRun> =>
    runSuite({
      program,
      assets,
      timeoutMs,
      folder: join(project.folder, path),
      output: join(project.folder, '..', 'runs', path.replaceAll(/[^\w-]+/g, '-'), name),
    });
  // oxlint-disable-next-line no-await-in-loop -- one after the other, for their times
  const there = await run('kube-apiserver', reference);
  // oxlint-disable-next-line no-await-in-loop -- likewise
  const here = await run('binnacle', ours);
  console.log(`| ${module} | ${path} | ${passed(there)} | ${passed(here)} | ${seconds(there)} | ${seconds(here)} |`);
  differences += tellDifferences(there, here);
}
process.exit(differences === 0 ? 0 : 1);

function passed({ results }: SuiteRun): number {
  return [...results].filter(([name, result]) => result === 'pass' && name !== 'the suite').length;
}

function seconds(run: SuiteRun): string {
  return run.seconds.toFixed(1);
}

function tellDifferences(there: SuiteRun, here: SuiteRun): number {
  const names = [...new Set([...there.results.keys(), ...here.results.keys()])];
  const different = names.filter((name) => there.results.get(name) !== here.results.get(name));
  const state = (run: SuiteRun, name: string): string => run.results.get(name) ?? 'did not run';
  for (const name of different)
    console.log(`  ${name}: ${state(there, name)} with kube-apiserver, ${state(here, name)} with Binnacle`);
  // Some suites leave what they made themselves; names are random.
  const left = here.left.slice(there.left.length);
  for (const name of left) console.log(`  left in the temporary folder: ${name}`);
  if (different.length > 0) console.log(`  logs: ${there.log} ${here.log}`);
  return different.length + left.length;
}
