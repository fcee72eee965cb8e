import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/api/time/clock.ts';
import { openEmbeddedStorage } from '../src/storage/embedded/engine.ts';
import type { WatchEvent } from '../src/watchcache/cache-event.ts';
import { type CacheWatchRequest, WatchCache } from '../src/watchcache/watch-cache.ts';

/** Fan-out of the watch cache alone: `node bench/watchcache.ts [EVENTS]`. CPU is the calling thread's. */
const events = Number(process.argv[2] ?? 2000);
const prefix = '/registry/pods/';
const value = Buffer.alloc(3800, 'x');
const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));

interface Case {
  readonly what: string;
  readonly watchers: number;
  readonly receiversPerEvent: number;
  scope(index: number): CacheWatchRequest['scope'];
}

const cases: readonly Case[] = [
  { what: 'nobody', watchers: 0, receiversPerEvent: 0, scope: () => ({ kind: 'all' }) },
  { what: '1,000 of everything', watchers: 1000, receiversPerEvent: 1000, scope: () => ({ kind: 'all' }) },
  {
    what: '1,000 of the namespace',
    watchers: 1000,
    receiversPerEvent: 1000,
    scope: () => ({ kind: 'prefix', prefix: `${prefix}default/` }),
  },
  {
    what: '10,000 of other namespaces',
    watchers: 10_000,
    receiversPerEvent: 0,
    scope: (index) => ({ kind: 'prefix', prefix: `${prefix}n${index}/` }),
  },
  {
    what: '10,000 of other nodes',
    watchers: 10_000,
    receiversPerEvent: 0,
    scope: (index) => ({ kind: 'field', field: 'spec.nodeName', value: `n${index}` }),
  },
];

let runs = 0;
await using storage = await openEmbeddedStorage({ dataDir });
const readAttributes = (): { labels: {}; fields: {} } => ({ labels: {}, fields: { 'spec.nodeName': 'other' } });

async function measure(measured: Case, idleUs: number): Promise<number> {
  const { what, watchers, receiversPerEvent } = measured;
  const cache = new WatchCache({ storage, prefix, readAttributes, clock: systemClock });
  await cache.ready();
  let bytes = 0;
  const receiver = {
    event: (event: WatchEvent): void => {
      bytes += event.frame('json', ({ entry }) => entry.value).byteLength;
    },
    ended: (): void => undefined,
  };
  const { revision } = cache.snapshot();
  for (let index = 0; index < watchers; index += 1) {
    cache.watch({ scope: measured.scope(index), afterRevision: revision }, receiver);
  }
  const key = `${prefix}default/pod-${(runs += 1)}`;
  const before = process.threadCpuUsage();
  let modRevision = 0;
  for (let event = 0; event < events; event += 1) {
    modRevision = (await storage.put({ key, value, expectedModRevision: modRevision })).revision;
  }
  const used = process.threadCpuUsage(before);
  const eventUs = (used.user + used.system) / events;
  const deliveryUs = receiversPerEvent === 0 ? undefined : (eventUs - idleUs) / receiversPerEvent;
  if (bytes !== events * receiversPerEvent * value.byteLength) throw new Error('not every event was delivered');
  const delivery = deliveryUs === undefined ? '' : `   us/delivery ${deliveryUs.toFixed(3)}`;
  console.log(`${what.padEnd(28)} us/write ${eventUs.toFixed(1)}${delivery}`);
  cache.close();
  return eventUs;
}

for (const warm of cases.slice(0, 3)) await measure(warm, 0);
console.log('warm');
let idleUs = 0;
for (const each of cases) {
  const eventUs = await measure(each, idleUs);
  if (each.watchers === 0) idleUs = eventUs;
}
rmSync(dataDir, { recursive: true });
