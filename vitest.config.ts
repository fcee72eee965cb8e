import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, parseCLI, type TestSpecification } from 'vitest/node';
import { readDurations, type TestFile } from './test/durations/durations.ts';
import { longestFirst, longestSpread } from './test/durations/order.ts';
import { countsByFolder, quickFiles } from './test/durations/quick-files.ts';

/**
 * `npm test` is for every change, and takes at most five minutes on two cores. It runs the unit tests and, of the tests
 * of whole servers, those that share their processors with others (`system`, `threads`) and need at most this long,
 * as `test/durations/durations.json` records it; of a folder without such a file, the shortest one.
 * `npm run test:all` runs everything, and so does vitest with the name of a file, a project or a test.
 */
const quickSeconds = 4;

// Files that measure how long clients of a server wait, or its memory: two at a time, each with half of the processors.
const measured = [
  'test/hostile/{faults,floods,headers,hostile,hostile-surroundings,transport}.test.ts',
  'test/watch/slow-watchers.test.ts',
  'test/definitions/serving.test.ts',
  'test/flow-control/fairness.test.ts',
];

// Need no server: rules of style, and recordings that parts of the server are compared with.
const withoutServer = [
  'test/tidy/**/*.test.ts',
  'test/recorded/*.test.ts',
  'test/recorded/{cel,certificates,patches,rules}/*.test.ts',
  'test/recorded/validation/strategies.test.ts',
];

// Kubernetes' own tests, and runs of a given length: each starts many servers, and waits for them or for timers.
const waiting = ['e2e', 'upstream', 'robustness', 'replacement'].map((folder) => `test/${folder}/**/*.test.ts`);

// Run once more against a server that serves in several threads, and is to answer in the same way.
const threaded = [
  'test/{admission,ownership,quotas,services}/*.test.ts',
  'test/recorded/{admission,apply,differential}/*.test.ts',
  'test/definitions/{versions,conversion}.test.ts',
  'test/authentication/credentials.test.ts',
];

const all: readonly TestFile[] = [
  ...filesOf('unit', ['{src,tools,bench}/**/*.test.ts', ...withoutServer]),
  ...filesOf('system', ['test/**/*.test.ts'], [...withoutServer, ...waiting, ...measured]),
  ...filesOf('threads', threaded),
  ...filesOf('measured', measured),
  ...filesOf('waiting', waiting),
];

function filesOf(project: string, include: readonly string[], exclude: readonly string[] = []): readonly TestFile[] {
  return globSync(include, { cwd: import.meta.dirname, exclude }).map((path) => ({ project, path }));
}

const durations = readDurations();
const sharing = all.filter(({ project }) => project === 'system' || project === 'threads');
const quick = new Set([
  ...all.filter(({ project }) => project === 'unit'),
  ...quickFiles(sharing, durations, quickSeconds),
]);

/** Set by the scripts of package.json: `all`, `rest` (what `quick` leaves out), or `quick`. */
const selection = process.env['BINNACLE_TESTS'] ?? (isNamed() ? 'all' : 'quick');
const selected = all.filter((file) => selection === 'all' || quick.has(file) === (selection === 'quick'));
const leftOut = all.filter((file) => !selected.includes(file));

/** Whether the command names files, projects or tests. */
function isNamed(): boolean {
  const { filter, options } = parseCLI(['vitest', ...process.argv.slice(2)]);
  return filter.length > 0 || options.project !== undefined || options.testNamePattern !== undefined;
}

/** Files of a project that this run includes. */
function selectedOf(name: string): string[] {
  return selected.filter(({ project }) => project === name).map(({ path }) => path);
}

/** The order of each project's files, by the durations that are recorded; of the others, what vitest remembers. */
class ByDuration extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).map((specification) => ({
      specification,
      project: specification.project.name,
      path: relative(import.meta.dirname, specification.moduleId),
    }));
    return [...Map.groupBy(sorted, ({ project }) => project)]
      .flatMap(([project, own]) => (project === 'unit' ? longestSpread : longestFirst)(own, durations))
      .map(({ specification }) => specification);
  }
}

const tellLeftOut: Plugin = {
  name: 'tell what is left out',
  configureVitest({ vitest, project }) {
    // It is called for each project.
    if (selection !== 'quick' || project.name !== 'unit') return;
    vitest.onClose(() => {
      console.log(
        `Left out, as they take longer: ${leftOut.length} of ${all.length} files (${countsByFolder(leftOut)}).`,
      );
      console.log('npm run test:all runs everything.');
    });
  },
};

/** On a busy machine, what is waited for may take long. */
const expect = { poll: { timeout: 10_000 } };

/** Go programs (kube-apiserver, etcd, upstream tests) need more memory and collect garbage less often. */
const env = { GOGC: '400' };

/** Builds what they start in processes of their own. */
const globalSetup = ['test/release-form.ts'];

export default defineConfig({
  plugins: [tellLeftOut],
  test: {
    sequence: { sequencer: ByDuration },
    projects: [
      {
        test: {
          name: 'unit',
          expect,
          include: selectedOf('unit'),
          testTimeout: 30_000,
          // They start in less time than processes.
          pool: 'threads',
          // Files share what they import: to load and compile it for each of two hundred files takes longer than most
          // tests.
          isolate: false,
          // On two cores too: a third of their time they wait for disks, clocks and etcd.
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'system',
          env,
          expect,
          globalSetup,
          include: selectedOf('system'),
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Files share the modules of the server, which are loaded, compiled and optimized once per worker.
          isolate: false,
          // On two cores too: half of their time they wait for controllers, timers and other processes.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'threads',
          env: { ...env, BINNACLE_TEST_API_THREADS: '3' },
          expect,
          globalSetup,
          include: selectedOf('threads'),
          testTimeout: 120_000,
          hookTimeout: 120_000,
          isolate: false,
          // In one group with `system`, which needs the same number.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'measured',
          env,
          expect,
          globalSetup,
          include: selectedOf('measured'),
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'waiting',
          env,
          expect,
          globalSetup,
          include: selectedOf('waiting'),
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Beside each other, but not beside tests that keep the processors busy.
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
