import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'tools/**/*.test.ts', 'test/tidy/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: ['test/tidy/**', 'test/upstream/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'upstream',
          include: ['test/upstream/**/*.test.ts'],
          // Its tests measure time: they run when all others are done.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
