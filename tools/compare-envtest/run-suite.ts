import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** How a suite ended with one control plane. */
export interface SuiteRun {
  /** `pass`, `fail` or `skip`, by the name of the test. */
  readonly results: ReadonlyMap<string, string>;
  readonly seconds: number;
  /** Names of files in the temporary folder that are left. */
  readonly left: readonly string[];
  readonly log: string;
}

export interface SuiteOptions {
  readonly program: string;
  /** The folder of the package, from which suites read their definitions. */
  readonly folder: string;
  /** The folder of etcd and kube-apiserver. */
  readonly assets: string;
  /** For the log, and in place of the system's temporary folder. */
  readonly output: string;
  readonly timeoutMs: number;
}

/** Runs the tests of a package as `go test` does, with the given programs. */
export async function runSuite({ program, folder, assets, output, timeoutMs }: SuiteOptions): Promise<SuiteRun> {
  rmSync(output, { recursive: true, force: true });
  const temporary = join(output, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const log = join(output, 'log');
  const report = join(output, 'ginkgo.json');
  const args = ['-test.v', ...(isGinkgo(program) ? [`-ginkgo.json-report=${report}`] : [])];
  const file = openSync(log, 'w');
  const beganMs = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, KUBEBUILDER_ASSETS: assets, TMPDIR: temporary },
    stdio: ['ignore', file, file],
    timeout: timeoutMs,
  });
  closeSync(file);
  await once(child, 'close');
  const seconds = (performance.now() - beganMs) / 1000;
  const results = new Map([...goResults(readFileSync(log, 'utf8')), ...ginkgoResults(report)]);
  // A suite may fail outside its tests.
  results.set('the suite', child.exitCode === 0 ? 'pass' : 'fail');
  return { results, seconds, left: readdirSync(temporary), log };
}

function isGinkgo(program: string): boolean {
  const { stdout, stderr } = spawnSync(program, ['-h'], { encoding: 'utf8' });
  return `${stdout}${stderr}`.includes('-ginkgo.json-report');
}

function* goResults(log: string): Generator<readonly [string, string]> {
  for (const [, result = '', name = ''] of log.matchAll(/^\s*--- (PASS|FAIL|SKIP): (\S+)/gm))
    yield [name, result.toLowerCase()];
}

/** What of Ginkgo's report tells how a spec ended. */
interface GinkgoSpec {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly State: string;
}

function* ginkgoResults(report: string): Generator<readonly [string, string]> {
  if (!existsSync(report)) return;
  const suites = JSON.parse(readFileSync(report, 'utf8')) as readonly { readonly SpecReports: readonly GinkgoSpec[] }[];
  const specs = suites.flatMap(({ SpecReports }) => SpecReports).filter(({ LeafNodeType }) => LeafNodeType === 'It');
  for (const { ContainerHierarchyTexts: containers, LeafNodeText: text, State: state } of specs) {
    const result = state === 'passed' ? 'pass' : state === 'skipped' || state === 'pending' ? 'skip' : 'fail';
    yield [[...(containers ?? []), text].join(' '), result];
  }
}
