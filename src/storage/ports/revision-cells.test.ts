import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { RevisionCells } from './revision-cells.ts';

test('a thread waits for a revision that another one is about to count', () => {
  const cells = new RevisionCells();
  const program = `
    const cells = new BigInt64Array(require('node:worker_threads').workerData);
    for (let revision = 1n; revision <= 7n; revision += 1n) Atomics.store(cells, 0, revision), Atomics.notify(cells, 0);
  `;
  const worker = new Worker(program, { eval: true, workerData: cells.memory });
  cells.await(7);
  expect(cells.revision).toBe(7);
  cells.await(3);
  return worker.terminate();
});
