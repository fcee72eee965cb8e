import { setTimeout as delay } from 'node:timers/promises';
import { cpuMs } from '../process-usage.ts';
import type { Session } from '../session.ts';
import type { Figure, Row } from './row.ts';

const dependents = 10_000;
const path = '/api/v1/namespaces/default/secrets';
const owners = '/api/v1/namespaces/default/configmaps';
/** Long enough for a controller manager to have listed everything. */
const settleMs = 15_000;
const longestMs = 600_000;

/** The deletion of an owner of many: time and CPU, of all processes, until the last dependent is gone. */
export const collectionRow: Row = {
  name: 'collection',
  async run(session): Promise<readonly Figure[]> {
    await session.namespaceExists();
    const controllers = await session.target.startControllers?.();
    const pids = [...session.target.pids, ...(controllers === undefined ? [] : [controllers.pid])];
    try {
      await makeDependents(session, await makeOwner(session));
      if (controllers !== undefined) await delay(settleMs);
      const [beforeMs, sinceMs] = [cpuMs(pids), performance.now()];
      await session.load({ ...one, method: 'DELETE', path: `${owners}/owner` });
      while ((await remaining(session)) > 0) {
        if (performance.now() - sinceMs > longestMs) throw new Error('the dependents are not collected');
        await delay(100);
      }
      return [
        { name: `collection of ${dependents} dependents`, unit: 'ms', value: performance.now() - sinceMs },
        { name: 'CPU of that', unit: 'ms', value: cpuMs(pids) - beforeMs },
      ];
    } finally {
      await controllers?.stop();
    }
  },
};

const one = { kind: 'requests', from: 0, count: 1, names: 1, concurrency: 1 } as const;

async function makeOwner(session: Session): Promise<string> {
  const body = JSON.stringify({ metadata: { name: 'owner' } });
  const { last } = await session.load({ ...one, method: 'POST', path: owners, body });
  const { metadata } = JSON.parse(last) as { metadata: { uid: string } };
  return metadata.uid;
}

async function makeDependents(session: Session, uid: string): Promise<void> {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
  const body = JSON.stringify({ metadata: { name: 'dependent-{number}', ownerReferences } });
  await session.load({ ...one, method: 'POST', path, body, count: dependents, concurrency: 16 });
}

/** A page of one tells how many there are. */
async function remaining(session: Session): Promise<number> {
  const { last } = await session.load({ ...one, method: 'GET', path: `${path}?limit=1` });
  return (JSON.parse(last) as { items: readonly unknown[] }).items.length;
}
