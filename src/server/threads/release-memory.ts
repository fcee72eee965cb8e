import { letHeapsGrow } from './heap-growth.ts';

const idleAfterMs = 1_000;
/** The share of that time in which an idle server does something. */
const idleShare = 0.1;

interface Collection {
  readonly type: 'major';
  readonly flavor: 'last-resort';
}

/** How often is looked for what has been taken since. */
const laterMs = 2_000;
/** A collection that takes more CPU time, of all threads, is the last one: clients would notice the next. */
const largestMs = 150;
/** What V8 may hold more than after the last time before it is worth a pause. */
const tolerated = { bytes: 32 * 1024 * 1024, share: 0.25 };

/**
 * Returns what the start took and no longer needs to the system, once nothing happens, and later what bursts of work
 * took. V8 itself does it half a minute later, if at all: a collection alone keeps the pages of the young generation,
 * only the one before V8 would run out of memory gives them back.
 */
export function releaseMemoryWhenIdle(): void {
  whenIdle(idleAfterMs, () => {
    const first = releaseMemory();
    if (first === undefined) return false;
    let { limitBytes } = first;
    whenIdle(laterMs, () => {
      const released = heldBytes() > limitBytes ? releaseMemory() : undefined;
      if (released === undefined) return false;
      ({ limitBytes } = released);
      return released.cpuMs > largestMs;
    });
    return true;
  });
}

/** Calls `then` after each such time in which the event loop had little to do, until it returns true. */
function whenIdle(afterMs: number, then: () => boolean): void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization <= idleShare && then()) clearInterval(timer);
  }, afterMs);
  timer.unref();
}

interface Released {
  /** What V8 may hold until the next time. */
  readonly limitBytes: number;
  readonly cpuMs: number;
}

/** Undefined if another thread, which does the same at this moment, has taken back the flag that this needs. */
function releaseMemory(): Released | undefined {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  // Kept code is only accepted under the flags that it was compiled under.
  setFlagsFromString('--no-expose-gc');
  letHeapsGrow();
  if (typeof collect !== 'function') return undefined;
  const before = process.cpuUsage();
  const collection: Collection = { type: 'major', flavor: 'last-resort' };
  collect(collection);
  const { user, system } = process.cpuUsage(before);
  const held = heldBytes();
  return { limitBytes: held + Math.max(tolerated.bytes, held * tolerated.share), cpuMs: (user + system) / 1_000 };
}

/** The pages of the heap, and what objects have outside of it. */
function heldBytes(): number {
  const { total_heap_size: heap, external_memory: outside } = process.getBuiltinModule('node:v8').getHeapStatistics();
  return heap + outside;
}
