import { setTimeout as delay } from 'node:timers/promises';
import { rssMiB } from '../process-usage.ts';
import type { Session } from '../session.ts';
import type { Figure, Row } from './row.ts';
import { cpuFigure } from './row.ts';

const namespaces = 5000;
const watchers = 10_000;
const writes = 500;
const settleMs = 2000;
const watched = '/api/v1/namespaces/many-{number}/secrets';

export const namespacesRow: Row = {
  name: 'namespaces',
  async onFreshServer(session) {
    await makeNamespaces(session);
    const job = { method: 'GET', path: '/api/v1/namespaces?resourceVersion=0', names: 1, concurrency: 1, from: 0 };
    await session.requests({ ...job, count: 5 });
    return [cpuFigure(`list of ${namespaces} namespaces`, await session.requests({ ...job, count: 40 }))];
  },
};

/** An event should cost only its receivers: writes to an unwatched namespace are as cheap as without watchers. */
export const manyWatchersRow: Row = {
  name: 'many-watchers',
  async onFreshServer(session): Promise<readonly Figure[]> {
    await session.namespaceExists();
    await write(session, 'warm');
    const alone = await write(session, 'alone');
    const beforeMiB = rssMiB(session.target.pids);
    await session.load({ kind: 'watch', path: `${watched}?watch=true`, watchers });
    await delay(settleMs);
    const eachKiB = ((rssMiB(session.target.pids) - beforeMiB) * 1024) / watchers;
    const watchedBy = await write(session, 'watched');
    return [
      cpuFigure('create secret, nobody watches', alone),
      cpuFigure(`create secret, ${watchers} watch elsewhere`, watchedBy),
      { name: 'RSS per watcher', unit: 'KiB', value: eachKiB },
    ];
  },
};

async function makeNamespaces(session: Session): Promise<void> {
  const body = JSON.stringify({ metadata: { name: 'many-{number}' } });
  const path = '/api/v1/namespaces';
  await session.requests({ method: 'POST', path, body, from: 0, count: namespaces, names: 1, concurrency: 16 });
}

function write(session: Session, what: string): ReturnType<Session['requests']> {
  const body = JSON.stringify({ metadata: { name: `${what}-{number}` }, stringData: { token: 'x'.repeat(200) } });
  const path = '/api/v1/namespaces/default/secrets';
  return session.requests({ method: 'POST', path, body, from: 0, count: writes, names: 1, concurrency: 4 });
}
