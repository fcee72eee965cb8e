import { setTimeout as delay } from 'node:timers/promises';
import { rssMiB } from '../process-usage.ts';
import { podsPath } from '../pod.ts';
import type { Row } from './row.ts';

/** Long enough for a server to notice that it has nothing to do. */
const settleMs = 5000;
const samples = 10;

export const idleMemoryRow: Row = {
  name: 'idle-rss',
  async onPods({ target }) {
    await delay(settleMs);
    return [{ name: 'RSS, idle', unit: 'MiB', value: rssMiB(target.pids) }];
  },
};

/** Runs right after the creation, before any reads. */
export const fullMemoryRow: Row = {
  name: 'rss',
  async onPods(session) {
    await session.createPods();
    await delay(settleMs);
    return [{ name: `RSS with ${session.pods} pods`, unit: 'MiB', value: rssMiB(session.target.pids) }];
  },
};

/** The share of managedFields in the objects. Binnacle's cache holds the bytes that it sends. */
export const managedFieldsRow: Row = {
  name: 'managed-fields',
  async onPods(session) {
    await session.createPods();
    const job = { kind: 'requests', method: 'GET', count: 1, concurrency: 1, names: session.pods } as const;
    let bytes = 0;
    for (let from = 0; from < session.pods; from += session.pods / samples) {
      const { last } = await session.load({ ...job, path: `${podsPath}/{name}`, from });
      // A pod as received from the server.
      const { metadata } = JSON.parse(last) as { metadata: { managedFields?: unknown } };
      bytes += Buffer.byteLength(`,"managedFields":${JSON.stringify(metadata.managedFields ?? [])}`);
    }
    const mebibytes = ((bytes / samples) * session.pods) / 1024 / 1024;
    return [{ name: `managedFields of ${session.pods} pods`, unit: 'MiB', value: mebibytes }];
  },
};
