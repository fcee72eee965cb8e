/**
 * Preloaded into a server and, with it, into each of its threads: does to some of them what their parent asks for.
 */

import { isMainThread, threadName } from 'node:worker_threads';

export interface ThreadFault {
  /** Threads that listen beside the first one, or those for large requests. */
  readonly threads: 'api' | 'lane';
  /**
   * `throw`: what nothing catches. `heap`: keeps objects until there is no room for more. `deaf`: its event loop does
   * not go on.
   */
  readonly fault: 'throw' | 'heap' | 'deaf';
}

const faults: { readonly [fault in ThreadFault['fault']]: () => void } = {
  throw() {
    throw new Error('a thread was to die');
  },
  heap() {
    const kept: object[] = [];
    for (;;) kept.push(Array.from({ length: 1_000 }, (_, index) => ({ index })));
  },
  deaf() {
    for (;;);
  },
};

const channel = new BroadcastChannel('thread-faults');
if (isMainThread) {
  process.on('message', (fault) => channel.postMessage(fault));
  process.channel?.unref();
} else {
  channel.onmessage = (event) => {
    const { threads, fault } = (event as { readonly data: ThreadFault }).data; // as posted above
    if (threadName?.startsWith(`${threads}-`) === true) setImmediate(faults[fault]);
  };
}
channel.unref();
