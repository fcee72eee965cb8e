import { parentPort, workerData } from 'node:worker_threads';
import { Recorder } from '../../conformance/fixture.ts';
import { PortStorage } from '../port-storage.ts';
import type { StoreConnection } from '../protocol.ts';

/** A thread with three watches that writes until it is ended. */
const storage = new PortStorage(workerData as StoreConnection);
for (const end of ['0', '1', '2']) storage.watch({ start: '/', end, afterRevision: 1 }, new Recorder(''));
for (let n = 0; ; n++) {
  await storage.put({ key: `/written/${n}`, value: Buffer.from(`${n}`), expectedModRevision: 0 });
  if (n === 100) parentPort?.postMessage('writing');
}
