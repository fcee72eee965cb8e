import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/**
 * After a full collection, V8 lets a small heap grow by 8 MB until the next one begins: under load, every other
 * collection was a full one, which took a tenth of the time. Not set before the start, because Node's and our compiled
 * code is only accepted under the flags that it was compiled under: what is first used after this is compiled then.
 */
const settledPercent = 150;
/** V8's default: it decides by itself. */
const startPercent = 0;

let isSettled = false;
let threadsStarting = 0;

/**
 * From now on the heaps of the process grow further before they are collected. Without effect in other threads than the
 * first, which alone knows when code is kept and which threads start.
 */
export function letHeapsGrow(): void {
  if (!isMainThread) return;
  isSettled = true;
  setPercent();
}

/** A thread starts, for which kept code has to be accepted until the result is disposed of. */
export function startingThread(): Disposable {
  threadsStarting += 1;
  setPercent();
  return {
    [Symbol.dispose]() {
      threadsStarting -= 1;
      setPercent();
    },
  };
}

function setPercent(): void {
  setFlagsFromString(`--heap-growing-percent=${isSettled && threadsStarting === 0 ? settledPercent : startPercent}`);
}
