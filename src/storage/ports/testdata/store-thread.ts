import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openEmbeddedStorage } from '../../embedded/engine.ts';
import type { StoreConnection } from '../protocol.ts';
import { StorePorts } from '../store-ports.ts';

/** A thread with an embedded store for others: it answers each `connect` with a connection, and `close` by its end. */
if (parentPort === null) throw new Error('this is to be run as a thread');
const { dataDir } = workerData as { readonly dataDir: string | undefined };
const storage = await openEmbeddedStorage({ dataDir });
const ports = new StorePorts(storage, storage);
parentPort.postMessage('open');
for (;;) {
  const [message] = (await once(parentPort, 'message')) as ['connect' | 'size' | 'close'];
  if (message === 'close') break;
  if (message === 'connect') send(ports.connect());
  else parentPort.postMessage(ports.size);
}
await storage[Symbol.asyncDispose]();
ports[Symbol.dispose]();
parentPort.close();

function send(connection: StoreConnection): void {
  parentPort?.postMessage(connection, [connection.port]);
}
