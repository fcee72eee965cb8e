/**
 * Runs instead of the module of API threads: the first of them is busy with something else most of the time, as on a
 * machine that has too few processors for all.
 */
import { workerData } from 'node:worker_threads';

const busyMs = 25;

const { name } = workerData as { readonly name: string }; // as threads are started
if (name === 'api-1') setInterval(keepBusy, 1).unref();

await import('../../src/server/threads/api-thread.ts');

function keepBusy(): void {
  const endMs = performance.now() + busyMs;
  while (performance.now() < endMs);
}
