import { setTimeout as delay } from 'node:timers/promises';
import { rssMiB } from '../process-usage.ts';
import type { Row } from './row.ts';

const settleMs = 3000;

export const idleMemoryRow: Row = {
  name: 'idle-rss',
  async run({ target }) {
    await delay(settleMs);
    return [{ name: 'RSS, idle', unit: 'MiB', value: rssMiB(target.pids) }];
  },
};

/** Follows the creation in the order of the rows, before anything is read. */
export const fullMemoryRow: Row = {
  name: 'rss',
  async run(session) {
    await session.createPods();
    await delay(settleMs);
    return [{ name: `RSS with ${session.pods} pods`, unit: 'MiB', value: rssMiB(session.target.pids) }];
  },
};
