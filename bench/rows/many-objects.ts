import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMs, rssMiB } from '../process-usage.ts';
import { Session } from '../session.ts';
import type { Target } from '../target.ts';
import { type AddFigures, cpuFigure, type Figure, type Row } from './row.ts';

const path = '/api/v1/namespaces/default/configmaps';
const settleMs = 3000;
const sampleMs = 20;

/**
 * The cost of many 1 KiB ConfigMaps: in memory, in lists, in a watch with initial events, and at start-up. One server,
 * started twice.
 */
export const manyObjectsRow: Row = {
  name: 'many-objects',
  ofTarget: (target, { objects }, add) => measureManyObjects(target, objects, add),
};

async function measureManyObjects(target: Target, objects: number, add: AddFigures): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  try {
    await withServer(target, dataDir, async (session) => {
      for (const part of [memory, labelSelector, readsDuringLists, initialEvents]) add(await part(session, objects));
    });
    await withServer(target, dataDir, async ({ target: { startMs } }) =>
      add([{ name: `start to /readyz with ${objects} objects`, unit: 'ms', value: startMs }]),
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function withServer<T>(target: Target, dataDir: string, use: (session: Session) => Promise<T>): Promise<T> {
  await using session = new Session(await target.start(dataDir), 0);
  return await use(session);
}

/** About 1 KiB when stored. */
const configMap = JSON.stringify({
  metadata: { name: 'settings-{number}', labels: { shard: 's{shard}', app: 'shop' } },
  data: { 'application.properties': 'x'.repeat(720) },
});

async function memory(session: Session, objects: number): Promise<readonly Figure[]> {
  await session.namespaceExists();
  await session.requests({ method: 'POST', path, body: configMap, from: 0, count: objects, names: 1, concurrency: 64 });
  await delay(settleMs);
  return [{ name: `RSS with ${objects} objects of 1 KiB`, unit: 'MiB', value: rssMiB(session.target.pids) }];
}

async function labelSelector(session: Session, objects: number): Promise<readonly Figure[]> {
  const job = {
    method: 'GET',
    path: `${path}?labelSelector=shard%3Ds{shard}&resourceVersion=0`,
    names: 1,
    concurrency: 1,
  };
  await session.requests({ ...job, from: 0, count: 5 });
  const measured = await session.requests({ ...job, from: 0, count: 20 });
  return [cpuFigure(`list of ${objects / 100} of ${objects} by label`, measured)];
}

/** How long other clients wait during full lists: latencies of sequential gets. */
async function readsDuringLists(session: Session, objects: number): Promise<readonly Figure[]> {
  await using others = session.beside();
  const job = { method: 'GET', names: 1, concurrency: 1, from: 0 };
  await session.requests({ ...job, path: `${path}/settings-{number}`, count: 500 });
  let listing = true;
  const lists = async (): Promise<void> => {
    while (listing) await others.requests({ ...job, path: `${path}?resourceVersion=0`, count: 1 });
  };
  const running = lists();
  const { p50Ms, p99Ms, perSecond } = await session.requests({ ...job, path: `${path}/settings-{number}`, count: 500 });
  listing = false;
  await running;
  const details = { perSecond, p50Ms, p99Ms };
  return [{ name: `get during lists of ${objects}, p99`, unit: 'ms', value: p99Ms, details }];
}

/** A watch with initial events: its CPU, and the server's additional memory meanwhile. */
async function initialEvents(session: Session, objects: number): Promise<readonly Figure[]> {
  const { pids } = session.target;
  const beforeMiB = rssMiB(pids);
  const beforeMs = cpuMs(pids);
  let peakMiB = beforeMiB;
  const sampling = setInterval(() => {
    peakMiB = Math.max(peakMiB, rssMiB(pids));
  }, sampleMs);
  const options = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  try {
    await session.load({ kind: 'watch', path: `${path}?watch=true&${options}`, watchers: 1 });
    await session.load({ kind: 'delivered', events: objects + 1 });
  } finally {
    clearInterval(sampling);
  }
  return [
    { name: `initial events of ${objects} objects`, unit: 'ms', value: cpuMs(pids) - beforeMs },
    { name: 'RSS more during them', unit: 'MiB', value: Math.max(0, peakMiB - beforeMiB) },
  ];
}
