import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Measure what clients of a server wait, or its memory: two at a time, each of which uses half of the processors.
const measured = [
  'test/hostile/{faults,floods,headers,hostile,hostile-surroundings,transport}.test.ts',
  'test/watch/slow-watchers.test.ts',
  'test/definitions/serving.test.ts',
  'test/flow-control/fairness.test.ts',
];

// Kubernetes' own tests, and runs of a given length: each starts many servers, and waits for them or for timers.
const waiting = ['e2e', 'upstream', 'robustness', 'replacement'].map((folder) => `test/${folder}/**/*.test.ts`);

// Run once more against a server that serves in several threads, and is to answer in the same way.
const threaded = [
  'test/{admission,differential,ownership,quotas,services}/*.test.ts',
  'test/definitions/{versions,conversion}.test.ts',
  'test/authentication/credentials.test.ts',
];

/** What would keep one worker busy when the others have nothing left to do. */
const longest = [
  'test/documents/documents',
  'src/fieldmanagement/pauses',
  'src/codec/protobuf/long-messages',
  'tools/measure-growth/growth',
  'tools/walk-schemas/pure-walk',
  'tools/record-rules/recorded',
  'tools/record-validation/replay',
  'test/garbage-collection/end-states',
  'test/ownership/recorded-sequences',
  'test/etcd/stored-versions',
  'test/clients/clients',
  'test/codecs/reference-codecs',
  'test/clients/programs',
  'test/components/day',
  'test/hostile/live-values',
  'test/authorization/nodes-against-reference',
  'test/etcd/interoperation',
  'test/namespaces/large',
  'test/services/shared-store',
  'test/snapshots/snapshots',
  'test/hostile/hostile',
  'test/hostile/hostile-surroundings',
  'test/hostile/faults',
  'test/watch/slow-watchers',
  'test/robustness/mutated-reads',
  'test/robustness/mutated-watches',
  'test/robustness/robustness',
  'test/upstream/upstream',
  'test/e2e/specs',
].map((name) => join(import.meta.dirname, `${name}.test.ts`));

/** Unit tests that wait for TTLs, disks and etcd: each begins when the one before has ended, about. */
const idle = [
  'src/watchcache/conformance',
  'src/storage/ports/conformance',
  'src/storage/etcd/conformance',
  'src/storage/embedded/engine',
  'src/cli/release-memory',
  'src/storage/embedded/conformance-log',
  'src/storage/embedded/conformance-memory',
  'src/storage/embedded/conformance',
  'src/storage/measured',
  'src/storage/embedded/snapshot-file/snapshot-file',
  'src/watchcache/watch-cache',
  'src/storage/etcd/engine',
].map((name) => join(import.meta.dirname, `${name}.test.ts`));
/** Other files between two of them. */
const between = 12;

/** The longest files first; on a new machine, the others by their size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap(arranged);
  }
}

function arranged(files: readonly TestSpecification[]): readonly TestSpecification[] {
  const named = (names: readonly string[]): TestSpecification[] =>
    names.flatMap((name) => files.filter(({ moduleId }) => moduleId === name));
  const [first, spread] = [named(longest), named(idle)];
  const others = [...first, ...files.filter((file) => !first.includes(file) && !spread.includes(file))];
  return [...spread.flatMap((file) => [file, ...others.splice(0, between)]), ...others];
}

/** On a busy machine, what is waited for may take long. */
const expect = { poll: { timeout: 10_000 } };

/** Go programs (kube-apiserver, etcd, upstream tests) need more memory and collect garbage less often. */
const env = { GOGC: '400' };

/** Builds what they start in processes of their own. */
const globalSetup = ['test/release-form.ts'];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          expect,
          include: ['{src,tools,bench}/**/*.test.ts', 'test/tidy/**/*.test.ts'],
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
          include: ['test/**/*.test.ts'],
          exclude: ['test/tidy/**', ...waiting, ...measured],
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
          include: threaded,
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
          include: measured,
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
          include: waiting,
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
