import { alternating } from '../against.ts';
import type { RequestJob } from '../load.ts';
import { podsPath } from '../pod.ts';
import { cpuMs } from '../process-usage.ts';
import type { Session } from '../session.ts';
import type { Figure, Row } from './row.ts';

const watchers = 1000;
const changes = 200;
const warmUp = 20;
const watchersAgainst = 500;

/** The cost of the changes themselves is measured beforehand without watchers, and subtracted. */
export const watchRow: Row = {
  name: 'watch',
  async onPods(session): Promise<readonly Figure[]> {
    await session.createPods();
    await session.requests(touches(session, 0, changes * 5));
    const { cpuUsPerRequest } = await session.requests(touches(session, 0, changes * 5));
    const path = `${podsPath}?watch=true&resourceVersion=${await currentRevision(session)}`;
    // They end with the row: what later rows write is not delivered to them.
    await using watching = session.beside();
    await watching.load({ kind: 'watch', path, watchers });
    await session.requests(touches(session, 0, warmUp));
    await watching.load({ kind: 'delivered', events: warmUp * watchers });
    const before = cpuMs(session.target.pids);
    const startMs = performance.now();
    const { p50Ms, p99Ms } = await session.requests(touches(session, warmUp, changes));
    await watching.load({ kind: 'delivered', events: (warmUp + changes) * watchers });
    const elapsedMs = performance.now() - startMs;
    const usedUs = (cpuMs(session.target.pids) - before) * 1000 - cpuUsPerRequest * changes;
    const deliveries = changes * watchers;
    const details = { perSecond: (deliveries / elapsedMs) * 1000, p50Ms, p99Ms };
    return [{ name: 'watch delivery, 1,000 watchers', unit: 'us', value: usedUs / deliveries, details }];
  },
  against: alternating(
    `merge patch of a pod with ${watchersAgainst} watchers`,
    async (session) => {
      const path = `${podsPath}?watch=true&resourceVersion=${await currentRevision(session)}`;
      await session.load({ kind: 'watch', path, watchers: watchersAgainst });
      let sent = 0;
      return {
        pids: session.target.pids,
        send: async (count) => {
          await session.requests(touches(session, sent, count));
          sent += count;
          await session.load({ kind: 'delivered', events: sent * watchersAgainst });
        },
      };
    },
    { warmUp: 400, pairs: 40, requests: 20 },
  ),
};

function touches(session: Session, from: number, count: number): Omit<RequestJob, 'kind'> {
  const body = JSON.stringify({ metadata: { annotations: { 'example.com/watched': `${Date.now()}-{number}` } } });
  const contentType = 'application/merge-patch+json';
  return {
    method: 'PATCH',
    path: `${podsPath}/{name}`,
    contentType,
    body,
    from,
    count,
    names: session.pods,
    concurrency: 8,
  };
}

async function currentRevision(session: Session): Promise<string> {
  const path = `${podsPath}?limit=1`;
  const { last } = await session.load({
    kind: 'requests',
    method: 'GET',
    path,
    from: 0,
    count: 1,
    names: 1,
    concurrency: 1,
  });
  const { metadata } = JSON.parse(last) as { metadata: { resourceVersion: string } }; // set in every list
  return metadata.resourceVersion;
}
