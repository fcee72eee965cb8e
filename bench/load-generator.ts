import { request, watch } from './load-client.ts';
import type { DeliveredJob, Job, LoadResult, Order, Reply, RequestJob, WatchJob } from './load.ts';
import { openConnections, type Connections } from './load-client.ts';
import { podName } from './pod.ts';
import { bodyIn } from './protobuf-body.ts';

// Runs in its own process: its cost is not on the event loop of the bench and not attributed to the server.

const watchersPerConnection = 100;
const shards = 100;
const deliveryLimitMs = 120_000;
const smallBytes = 64 * 1024;
let connections: Connections | undefined;
/** By path. */
const versions = new Map<string, Promise<string>>();
let delivered = 0;
let onDelivery = (): void => undefined;

process.on('message', (order: Order) => {
  run(order).then(
    (result) => reply({ result }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }),
  );
});

function reply(message: Reply): void {
  process.send?.(message);
}

async function run({ access, job }: Order): Promise<LoadResult> {
  // Servers close connections that are idle for long.
  if (connections === undefined || connections.shared.destroyed) connections = await openConnections(access);
  return await perform(connections, job);
}

function perform(open: Connections, job: Job): Promise<LoadResult> {
  switch (job.kind) {
    case 'requests':
      return sendRequests(open, job);
    case 'watch':
      return openWatches(open, job);
    case 'delivered':
      return awaitDelivery(job);
    default:
      throw new Error(`no such job: ${String(job satisfies never)}`);
  }
}

async function sendRequests(open: Connections, job: RequestJob): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const end = job.from + job.count;
  let next = job.from;
  let bytes = 0;
  let last = '';
  let token = '';
  const lane = async (): Promise<void> => {
    while (next < end) {
      const number = next++;
      const fill = (text: string): string =>
        text
          .replaceAll('{name}', podName(number % job.names))
          .replaceAll('{number}', String(number))
          .replaceAll('{shard}', String(number % shards))
          .replaceAll('{micros}', String(number % 1_000_000).padStart(6, '0'));
      const path = fill(job.path) + (token === '' ? '' : `&continue=${token}`);
      const newVersion = Promise.withResolvers<string>();
      const version = job.follows === true ? ((await versions.get(path)) ?? '') : '';
      if (job.follows === true) versions.set(path, newVersion.promise);
      const startMs = performance.now();
      const { status, body } = await request(open, {
        method: job.method,
        path,
        ...(job.body === undefined
          ? {}
          : { body: bodyIn(job.contentType, fill(job.body).replace('{version}', version)) }),
        ...(job.contentType === undefined ? {} : { contentType: job.contentType }),
        ...(job.accept === undefined ? {} : { accept: job.accept }),
        ...(job.encoding === undefined ? {} : { encoding: job.encoding }),
      });
      latenciesMs.push(performance.now() - startMs);
      if (status >= 300) throw new Error(`${job.method} ${path}: ${status} ${body.toString('utf8', 0, 500)}`);
      if (job.follows === true) newVersion.resolve(versionIn(body));
      bytes += body.length;
      if (body.length < smallBytes) last = body.toString();
      if (job.pages === true) token = continueToken(body);
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: job.concurrency }, lane));
  return { elapsedMs: performance.now() - startMs, latenciesMs, bytes, last };
}

/** The resourceVersion of an object in JSON or protobuf, in which it comes after the UID. */
function versionIn(body: Buffer): string {
  const text = body.toString('latin1');
  const inJson = /"resourceVersion":"(\d+)"/.exec(text)?.[1];
  if (inJson !== undefined) return inJson;
  const [, length = '', following = ''] = /\*\$[0-9a-f-]{36}2(.)(\d+)/s.exec(text) ?? [];
  if (following === '') throw new Error('an answer without a resourceVersion');
  // What comes next begins with a tag, which may be a digit.
  return following.slice(0, length.charCodeAt(0));
}

/** Reads the token from the head of a list; the last page is followed by the first. */
function continueToken(body: Buffer): string {
  return /"continue":"([^"]*)"/.exec(body.toString('latin1', 0, 2000))?.[1] ?? '';
}

async function openWatches(open: Connections, { path, watchers }: WatchJob): Promise<LoadResult> {
  const startMs = performance.now();
  delivered = 0;
  for (let begun = 0; begun < watchers; begun += watchersPerConnection) {
    const session = await open.another();
    const here = Math.min(watchersPerConnection, watchers - begun);
    await Promise.all(
      Array.from({ length: here }, (_, index) =>
        watch(session, path.replaceAll('{number}', String(begun + index)), (events) => {
          delivered += events;
          onDelivery();
        }),
      ),
    );
  }
  return { elapsedMs: performance.now() - startMs, latenciesMs: [], bytes: 0, last: '' };
}

function awaitDelivery({ events }: DeliveredJob): Promise<LoadResult> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`${delivered} of ${events} events came`)), deliveryLimitMs);
    onDelivery = () => {
      if (delivered < events) return;
      clearTimeout(limit);
      onDelivery = () => undefined;
      resolve({ elapsedMs: performance.now() - startMs, latenciesMs: [], bytes: 0, last: '' });
    };
    onDelivery();
  });
}
