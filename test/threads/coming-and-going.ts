import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BehindCutsResult, runBehindCuts, writesPerSecond } from '../clients/behind-cuts.ts';
import type { WatchingClient } from '../clients/watching-client.ts';
import type { TestServer } from '../server-fixture.ts';
import { InsistentClient } from './insistent-client.ts';

export interface ComingAndGoing {
  readonly result: BehindCutsResult;
  /** Threads that have begun beside the first one. */
  readonly begun: number;
  /** How many threads have ended while the server went on. */
  readonly ended: number;
  readonly mostAtOnce: number;
  /** Requests that kept threads busy. */
  readonly asked: number;
  /** What the server wrote to its log. */
  readonly log: string;
}

export interface ComingAndGoingOptions {
  readonly clients: readonly WatchingClient[];
  readonly folder: string;
  readonly seconds: number;
  readonly seed: number;
}

const mostThreads = 3;
/** Bursts make threads begin, and most of them end in between. */
const burst = { clients: 8, ms: 3_000, restMs: 4_000 };
/** A connection that stayed would keep its thread. */
const renewalMs = 1_000;
const lookMs = 50;

type ServerAccess = Pick<TestServer, 'url' | 'kubeconfigPath'>;

/** Clients list and watch through connections that are cut, and others write, while threads come and go. */
export async function runComingAndGoing(options: ComingAndGoingOptions): Promise<ComingAndGoing> {
  const { clients, folder, seconds, seed } = options;
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'growing-server.ts'), join(folder, 'data'), String(mostThreads)],
    { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] },
  );
  if (child.stderr === null) throw new Error('its standard error is a pipe');
  const log = text(child.stderr);
  const exited = once(child, 'exit');
  const [place] = (await once(child, 'message')) as [ServerAccess]; // as it tells it
  using writer = new InsistentClient(place);
  const ending = new AbortController();
  const { signal } = ending;
  const watched = watchThreads(child, signal);
  const bursts = makeBursts(place, signal);
  const renewing = everySoOften(renewalMs, signal, () => writer.leave());
  const written = runBehindCuts({
    clients,
    seed,
    writer,
    scratchDir: folder,
    writes: seconds * writesPerSecond,
    port: Number(new URL(place.url).port),
    kubeconfigPath: place.kubeconfigPath,
  }).finally(() => ending.abort());
  // What fails first is told.
  const [result, threads, asked] = await Promise.all([written, watched, bursts, renewing]);
  child.disconnect();
  await exited;
  return { result, ...threads, asked, log: await log };
}

/** Returns how many requests there were. */
async function makeBursts(place: ServerAccess, signal: AbortSignal): Promise<number> {
  let requestCount = 0;
  while (!signal.aborted) {
    const endMs = performance.now() + burst.ms;
    const asking = Array.from({ length: burst.clients }, async () => {
      using client = new InsistentClient(place);
      for (; performance.now() < endMs && !signal.aborted; requestCount += 1) {
        const { code } = await client.send('GET', '/api/v1/namespaces/default/configmaps?limit=50');
        if (code !== 200) throw new Error(`a list was answered ${code}`);
      }
    });
    await Promise.all(asking);
    await pause(burst.restMs, signal);
  }
  return requestCount;
}

/** Looks at the names of the threads of a process. */
async function watchThreads(
  { pid }: ChildProcess,
  signal: AbortSignal,
): Promise<Pick<ComingAndGoing, 'begun' | 'ended' | 'mostAtOnce'>> {
  const folder = `/proc/${pid}/task`;
  const seen = new Set<string>();
  let [alive, mostAtOnce] = [0, 0];
  await everySoOften(lookMs, signal, async () => {
    const threads = await readdir(folder);
    const named = threads.map(async (id) => {
      // It may have ended.
      const name = await readFile(join(folder, id, 'comm'), 'utf8').catch(() => '');
      return name.startsWith('api-') ? [id] : [];
    });
    const found = (await Promise.all(named)).flat();
    for (const id of found) seen.add(id);
    alive = found.length;
    mostAtOnce = Math.max(mostAtOnce, alive);
  });
  return { begun: seen.size, ended: seen.size - alive, mostAtOnce };
}

async function everySoOften(ms: number, signal: AbortSignal, run: () => void | Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await run();
    await pause(ms, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
