import { setTimeout as delay } from 'node:timers/promises';
import { cpuMs } from '../process-usage.ts';
import type { Session } from '../session.ts';
import type { Figure, Row } from './row.ts';

const dependents = 10_000;
const deletedNamespaces = 1_000;
const secrets = '/api/v1/namespaces/default/secrets';
const owners = '/api/v1/namespaces/default/configmaps';
const namespaces = '/api/v1/namespaces';
/** Long enough for a controller manager to have listed everything. */
const settleMs = 15_000;
const longestMs = 600_000;

/** The deletion of an owner of many: time and CPU, of all processes, until the last dependent is gone. */
export const collectionRow: Row = {
  name: 'collection',
  onFreshServer: (session) =>
    measureDisappearance(session, {
      what: `collection of ${dependents} dependents`,
      prepare: async () => makeDependents(session, await makeOwner(session)),
      begin: async () => void (await session.load({ ...one, method: 'DELETE', path: `${owners}/owner` })),
      path: secrets,
    }),
};

/** The deletion of many namespaces with something in each: likewise. */
export const namespaceDeletionRow: Row = {
  name: 'namespace-deletion',
  onFreshServer: (session) =>
    measureDisappearance(session, {
      what: `deletion of ${deletedNamespaces} namespaces`,
      prepare: () => makeNamespaces(session),
      begin: async () => void (await session.load({ ...each, method: 'DELETE', path: `${namespaces}/gone-{number}` })),
      path: `${namespaces}?labelSelector=bench%3Dgone`,
    }),
};

interface Disappearance {
  readonly what: string;
  readonly prepare: () => Promise<void>;
  readonly begin: () => Promise<void>;
  /** The path of what controllers are to delete. */
  readonly path: string;
}

async function measureDisappearance(
  session: Session,
  { what, prepare, begin, path }: Disappearance,
): Promise<readonly Figure[]> {
  await session.namespaceExists();
  const controllers = await session.target.startControllers?.();
  const pids = [...session.target.pids, ...(controllers === undefined ? [] : [controllers.pid])];
  try {
    await prepare();
    if (controllers !== undefined) await delay(settleMs);
    const [beforeMs, sinceMs] = [cpuMs(pids), performance.now()];
    await begin();
    while ((await remaining(session, path)) > 0) {
      if (performance.now() - sinceMs > longestMs) throw new Error(`no end of the ${what}`);
      await delay(100);
    }
    return [
      { name: what, unit: 'ms', value: performance.now() - sinceMs },
      { name: 'CPU of that', unit: 'ms', value: cpuMs(pids) - beforeMs },
    ];
  } finally {
    await controllers?.stop();
  }
}

const one = { kind: 'requests', from: 0, count: 1, names: 1, concurrency: 1 } as const;
const each = { ...one, count: deletedNamespaces, concurrency: 16 } as const;

async function makeOwner(session: Session): Promise<string> {
  const body = JSON.stringify({ metadata: { name: 'owner' } });
  const { last } = await session.load({ ...one, method: 'POST', path: owners, body });
  const { metadata } = JSON.parse(last) as { metadata: { uid: string } };
  return metadata.uid;
}

async function makeDependents(session: Session, uid: string): Promise<void> {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
  const body = JSON.stringify({ metadata: { name: 'dependent-{number}', ownerReferences } });
  await session.load({ ...one, method: 'POST', path: secrets, body, count: dependents, concurrency: 16 });
}

async function makeNamespaces(session: Session): Promise<void> {
  const body = JSON.stringify({ metadata: { name: 'gone-{number}', labels: { bench: 'gone' } } });
  await session.load({ ...each, method: 'POST', path: namespaces, body });
  const path = `${namespaces}/gone-{number}/configmaps`;
  await session.load({ ...each, method: 'POST', path, body: JSON.stringify({ metadata: { name: 'content' } }) });
}

/** A page of one tells whether there are any. */
async function remaining(session: Session, path: string): Promise<number> {
  const { last } = await session.load({
    ...one,
    method: 'GET',
    path: `${path}${path.includes('?') ? '&' : '?'}limit=1`,
  });
  return (JSON.parse(last) as { items: readonly unknown[] }).items.length;
}
