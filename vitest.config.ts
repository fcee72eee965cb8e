import { defineConfig } from 'vitest/config';

// Tests of whole servers that measure time: one at a time, beside no others.
const measured = ['hostile', 'definitions', 'watch', 'robustness', 'etcd'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

// Kubernetes' own tests.
const upstream = ['test/e2e/*.test.ts', 'test/upstream/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'tools/**/*.test.ts', 'test/tidy/**/*.test.ts'],
          testTimeout: 30_000,
          // Files share what they import: to load and compile it for each of two hundred files takes longer than most tests.
          isolate: false,
          // On two cores too: a third of their time they wait for disks, clocks and etcd.
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: ['test/tidy/**', ...upstream, ...measured],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // They mostly wait for other processes.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'measured',
          include: measured,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'upstream',
          include: upstream,
          // Its tests measure time: they run when all others are done, one file at a time.
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
