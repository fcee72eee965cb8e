import { workerData } from 'node:worker_threads';
import { PortStorage } from '../port-storage.ts';
import type { StoreConnection } from '../protocol.ts';

export interface WriterData {
  readonly connection: StoreConnection;
  /** A BigInt64Array of one number: the last revision that was acknowledged here. 0 at first. */
  readonly acknowledged: SharedArrayBuffer;
  readonly writes: number;
}

/** A thread that writes one key after the other. */
const { connection, acknowledged, writes } = workerData as WriterData;
await using storage = new PortStorage(connection);
const cell = new BigInt64Array(acknowledged);
for (let n = 0; n < writes; n++) {
  const key = `/written/${connection.owner}/${n}`;
  const result = await storage.put({ key, value: Buffer.from(`${n}`), expectedModRevision: 0 });
  Atomics.store(cell, 0, BigInt(result.revision));
}
