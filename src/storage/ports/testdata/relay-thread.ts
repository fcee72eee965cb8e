import { parentPort, workerData } from 'node:worker_threads';
import { PortStorage } from '../port-storage.ts';
import type { StoreConnection } from '../protocol.ts';
import { StorePorts } from '../store-ports.ts';

/** A thread that uses the store of another one, and passes on to it what it is asked over a port of its own. */
if (parentPort === null) throw new Error('this is to be run as a thread');
const storage = new PortStorage(workerData as StoreConnection);
const ports = new StorePorts(storage);
const connection = ports.connect();
parentPort.postMessage(connection, [connection.port]);
parentPort.once('message', () => {
  void storage[Symbol.asyncDispose]().then(() => ports[Symbol.dispose]());
  parentPort?.close();
});
