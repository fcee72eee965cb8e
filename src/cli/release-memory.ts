const idleAfterMs = 1_000;
/** The share of that time in which an idle server does something. */
const idleShare = 0.1;
/**
 * After a full collection, V8 lets a small heap grow by 8 MB until the next one begins: under load, every other
 * collection was a full one, which took a tenth of the time. Not set before the start, because Node's and our compiled
 * code is only accepted under the flags that it was compiled under: what is first used after this is compiled then.
 */
const heapGrowingPercent = 150;

interface Collection {
  readonly type: 'major';
  readonly flavor: 'last-resort';
}

/**
 * Returns what the start took and no longer needs to the system, once nothing happens. V8 itself does it half a minute
 * later, if at all: a collection alone keeps the pages of the young generation, only the one before V8 would run out of
 * memory gives them back.
 */
export function releaseMemoryWhenIdle(): void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > idleShare) return;
    clearInterval(timer);
    releaseMemory();
  }, idleAfterMs);
  timer.unref();
}

function releaseMemory(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (collection: Collection) => void; // V8's, by that flag
  // Kept code is only accepted under the flags that it was compiled under.
  setFlagsFromString('--no-expose-gc');
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  collect({ type: 'major', flavor: 'last-resort' });
}
