import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import type { Storage } from '../src/storage/contract.ts';
import { type EmbeddedStorage, openEmbeddedStorage } from '../src/storage/embedded/engine.ts';
import type { StoreConnection } from '../src/storage/ports/protocol.ts';
import { PortStorage } from '../src/storage/ports/port-storage.ts';
import { StorePorts } from '../src/storage/ports/store-ports.ts';

/**
 * The embedded store alone: `node bench/storage.ts [OBJECTS]`, then from another thread. CPU is the whole process:
 * caller, engine and storage thread.
 */
const objects = Number(process.argv[2] ?? 100_000);
const dataDir = isMainThread ? mkdtempSync(join(tmpdir(), 'binnacle-bench-')) : '';
/** As large as a pod of the main bench. */
const value = Buffer.alloc(3800, 'x');
let created = 0;

async function open(what: string): Promise<EmbeddedStorage> {
  const startMs = performance.now();
  const cpu = process.cpuUsage();
  const storage = await openEmbeddedStorage({ dataDir });
  const used = process.cpuUsage(cpu);
  const rssMiB = process.memoryUsage.rss() / 2 ** 20;
  report(what, { ms: performance.now() - startMs, cpuMs: (used.user + used.system) / 1000, rssMiB });
  return storage;
}

async function create(storage: Storage, writers: number, total: number): Promise<void> {
  if (total === 0) return;
  const startMs = performance.now();
  const cpu = process.cpuUsage();
  const main = process.threadCpuUsage();
  let left = total;
  const write = async (): Promise<void> => {
    while (left-- > 0) {
      const key = `/registry/pods/default/pod-${(created++).toString(36).padStart(6, '0')}`;
      await storage.put({ key, value: Buffer.from(value), expectedModRevision: 0 });
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const ms = performance.now() - startMs;
  const [all, caller] = [process.cpuUsage(cpu), process.threadCpuUsage(main)];
  report(`${writers} writers`, {
    'writes/s': (total / ms) * 1000,
    'cpu us/write': (all.user + all.system) / total,
    'of it on the calling thread': (caller.user + caller.system) / total,
  });
}

function report(what: string, figures: Readonly<Record<string, number>>): void {
  const parts = Object.entries(figures).map(([name, figure]) => `${name} ${figure.toFixed(figure < 100 ? 1 : 0)}`);
  console.log(`${what.padEnd(24)} ${parts.join('   ')}`);
}

/** What another thread does with the store. */
async function fromThread(connection: StoreConnection): Promise<void> {
  await using storage = new PortStorage(connection);
  created = 1e7;
  for (const writers of [1, 64, 512]) await create(storage, writers, writers === 1 ? 1000 : 10_000);
  const reads = 20_000;
  const cpu = process.cpuUsage();
  for (let n = 0; n < reads; n++) await storage.currentRevision();
  const used = process.cpuUsage(cpu);
  report('latest revision', { 'cpu us': (used.user + used.system) / reads });
}

if (!isMainThread) {
  await fromThread(workerData as StoreConnection);
  process.exit();
}

{
  await using storage = await open('open, empty');
  await create(storage, 1, 2000);
  await create(storage, 4, 4000);
  await create(storage, 64, 14_000);
  await create(storage, 512, 20_000);
  await create(storage, 512, Math.max(0, objects - created));
}
globalThis.gc?.();
{
  await using storage = await open(`open, ${created} objects`);
  const startMs = performance.now();
  const { count } = await storage.range({ start: '/registry/pods/', end: '/registry/pods0' });
  report(`range of ${count}`, { ms: performance.now() - startMs });
  const connection = new StorePorts(storage, storage).connect();
  const worker = new Worker(import.meta.filename, { workerData: connection, transferList: [connection.port] });
  await once(worker, 'exit');
}
rmSync(dataDir, { recursive: true });
