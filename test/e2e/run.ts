// Runs specs of Kubernetes' end-to-end tests against Binnacle or kube-apiserver; see docs/upstream-tests.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Program } from '../program.ts';
import { type ServerName, startCluster } from './cluster.ts';
import { isolation } from './isolation.ts';
import { neededPrograms, programPath } from './programs.ts';

const usage = `usage: node test/e2e/run.ts OUT_DIR [options]
  --server binnacle|reference   the server under test (default binnacle, of dist/)
  --focus REGEX                 specs to run, by their whole names
  --skip REGEX                  specs to leave out
OUT_DIR gets the logs and results.txt, a line for each spec.`;

const options = {
  server: { type: 'string', default: 'binnacle' },
  focus: { type: 'string', default: String.raw`\[sig-api-machinery\]` },
  skip: { type: 'string', default: String.raw`\[(Disruptive|Flaky|Slow|Feature:OffByDefault)\]` },
} as const;

/** Set in the process that has a network of its own. */
const insideVariable = 'BINNACLE_E2E_INSIDE';
const specTimeout = '6h';

interface Spec {
  readonly State: string;
  readonly LeafNodeType: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  /** In nanoseconds. */
  readonly RunTime: number;
  readonly Failure?: { readonly Message: string };
}

/** Starts itself with a network, mounts and processes of its own: nothing of a cluster is left when it ends. */
async function runIsolated(args: readonly string[]): Promise<number> {
  const [command, ...rest] = isolation;
  const child = spawn(command, [...rest, process.execPath, import.meta.filename, ...args], {
    stdio: 'inherit',
    env: { ...process.env, [insideVariable]: '1' },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function runSpecs(server: ServerName, folder: string, selection: readonly string[]): Promise<number> {
  await using cluster = await startCluster(server, folder);
  const report = join(folder, 'report.json');
  await using specs = new Program({
    name: 'e2e',
    path: programPath('e2e.test'),
    folder,
    args: [
      `--kubeconfig=${cluster.kubeconfigPath}`,
      `--kubectl-path=${programPath('kubectl')}`,
      '--provider=skeleton',
      '--allowed-not-ready-nodes=-1',
      '--minStartupPods=0',
      '--ginkgo.no-color',
      `--ginkgo.timeout=${specTimeout}`,
      `--ginkgo.json-report=${report}`,
      ...selection,
    ],
  });
  await specs.ended();
  if (!existsSync(report)) throw new Error(`the specs were not run: see ${specs.logFile}`);
  const suites = JSON.parse(await readFile(report, 'utf8')) as readonly { readonly SpecReports: readonly Spec[] }[];
  return summarize(
    suites.flatMap(({ SpecReports }) => SpecReports),
    folder,
  );
}

async function summarize(all: readonly Spec[], folder: string): Promise<number> {
  // Beside specs, which are of this type, there are steps before and after all of them.
  const run = all.filter(({ LeafNodeType, State }) => LeafNodeType === 'It' && State !== 'skipped');
  const failed = [...run, ...all.filter(({ LeafNodeType }) => LeafNodeType !== 'It')].filter(
    ({ State }) => State !== 'passed' && State !== 'pending',
  );
  const lines = run.map((spec) => {
    const name = [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' ');
    const seconds = (spec.RunTime / 1e9).toFixed(0);
    const why = spec.Failure?.Message.split('\n', 1)[0] ?? '';
    return `${spec.State.toUpperCase()} ${seconds} s ${name}${why === '' ? '' : `: ${why}`}`;
  });
  const passed = run.filter((spec) => !failed.includes(spec));
  const summary = `${passed.length} passed, ${failed.length} failed`;
  const text = [...lines.toSorted(), summary, ''].join('\n');
  await writeFile(join(folder, 'results.txt'), text);
  process.stdout.write(text);
  return failed.length === 0 ? 0 : 1;
}

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [out] = positionals;
  const { server, focus, skip } = values;
  if (out === undefined || (server !== 'binnacle' && server !== 'reference')) throw new Error(usage);
  const missing = neededPrograms.filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}: CONTRIBUTING.md tells how to build it`);
  if (process.env[insideVariable] === undefined) return runIsolated(args);
  const folder = resolve(out);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return runSpecs(server, folder, [`--ginkgo.focus=${focus}`, `--ginkgo.skip=${skip}`]);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  // Parts that have been started would keep this process alive.
  process.exit(2);
}
