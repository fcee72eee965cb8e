/**
 * Preloaded into a server and, with it, into each of its threads: when its parent says so, those that serve requests
 * beside the first one throw what nothing catches.
 */

import { isMainThread, threadName } from 'node:worker_threads';

const channel = new BroadcastChannel('thread-faults');
if (isMainThread) {
  process.on('message', (fault) => channel.postMessage(fault));
  process.channel?.unref();
} else if (threadName === 'api') {
  channel.onmessage = () =>
    setImmediate(() => {
      throw new Error('a thread was to die');
    });
}
channel.unref();
