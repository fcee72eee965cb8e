/**
 * Preloaded into a server with `--expose-gc`: counts its timers, also those that do not keep it alive, and reports to
 * its parent what it holds.
 */

import { createHook } from 'node:async_hooks';

export interface ProcessFigures {
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
  /** Buffers and what else lies outside of the heap. */
  readonly externalBytes: number;
  readonly timers: number;
  /** Sockets, sessions, files, threads that keep the process alive. */
  readonly handles: number;
  /** What the heap and external memory are after a garbage collection; only where one was asked for. */
  readonly heldBytes?: number;
  readonly cpuSeconds: number;
}

const timers = new Set<number>();

createHook({
  init(id, type) {
    if (type === 'Timeout') timers.add(id);
  },
  destroy: (id) => void timers.delete(id),
  trackPromises: false,
}).enable();

/** A second round frees what finalizers of the first one release. */
function held(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function figures(question: unknown): ProcessFigures {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    externalBytes: external,
    timers: timers.size,
    handles: process.getActiveResourcesInfo().length,
    cpuSeconds: (user + system) / 1e6,
    ...(question === 'held' ? { heldBytes: held() } : {}),
  };
}

process.on('message', (question) => process.send?.(figures(question)));
// The listener must not keep the server alive.
process.channel?.unref();
