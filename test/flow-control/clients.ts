import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';

/** A client that sends as much as it can over its connections. */
export interface LoadClient {
  readonly name: string;
  readonly token: string;
  readonly connections: number;
  /** Requests at a time on each connection. */
  readonly streams: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly clients: readonly LoadClient[];
  /** What they ask for. */
  readonly path: string;
  readonly accept: string;
  readonly seconds: number;
  /** Asks every so often, one request after the other, and measures how long each takes. */
  readonly probes: readonly { readonly name: string; readonly token?: string; readonly path: string }[];
}

export interface LoadResult {
  readonly clients: { readonly [name: string]: { readonly [code: string]: number } };
  /** Requests without an answer long after the end. */
  readonly hung: number;
  /** Milliseconds, sorted. */
  readonly probes: { readonly [name: string]: readonly number[] };
}

const probeEveryMs = 50;
/** How long after the end requests may still be answered: those that wait have been refused or served by then. */
const patienceMs = 90_000;
/** A greedy client does not wait as long as it is told. */
const refusedPauseMs = 20;

/** Plays all clients and probes for the given time, once they are connected and `begin` resolves. */
export async function playLoad(options: LoadOptions, begin: () => Promise<void>): Promise<LoadResult> {
  const { url, clients, path, accept, seconds, probes } = options;
  const sessionsOf = await connected(url, clients);
  await begin();
  const endMs = performance.now() + seconds * 1_000;
  const counts: Record<string, Record<string, number>> = {};
  const latencies: Record<string, number[]> = {};
  const isOver = (): boolean => performance.now() >= endMs;
  let hung = 0;
  const play = async (client: LoadClient): Promise<void> => {
    const { name, token, streams } = client;
    const own: Record<string, number> = {};
    counts[name] = own;
    const sessions = sessionsOf.get(client) ?? [];
    let waiting = 0;
    const slot = async (session: ClientHttp2Session): Promise<void> => {
      while (!isOver()) {
        waiting += 1;
        const code = await ask(session, { path, token, accept });
        waiting -= 1;
        // After the end only those are left whose requests were waiting.
        if (code !== 200 || !isOver()) own[code] = (own[code] ?? 0) + 1;
        if (code !== 200) await sleep(refusedPauseMs);
      }
    };
    const slots = sessions.flatMap((session) => Array.from({ length: streams }, () => slot(session)));
    await Promise.race([Promise.all(slots), sleep(seconds * 1_000 + patienceMs, undefined, { ref: false })]);
    hung += waiting;
    for (const session of sessions) session.destroy();
  };
  const probe = async ({ name, token = '', path: asked }: LoadOptions['probes'][number]): Promise<void> => {
    const own: number[] = [];
    latencies[name] = own;
    const session = await opened(url);
    while (!isOver()) {
      const beganMs = performance.now();
      const code = await ask(session, { path: asked, token, accept: '*/*' });
      // A refusal is as bad as an endless wait.
      own.push(code === 200 ? performance.now() - beganMs : Number.MAX_SAFE_INTEGER);
      await sleep(probeEveryMs);
    }
    session.destroy();
  };
  await Promise.all([...clients.map(play), ...probes.map(probe)]);
  for (const own of Object.values(latencies)) own.sort((a, b) => a - b);
  return { clients: counts, hung, probes: latencies };
}

/** On a busy machine connecting takes longer than all the rest. */
async function connected(
  url: string,
  clients: readonly LoadClient[],
): Promise<ReadonlyMap<LoadClient, readonly ClientHttp2Session[]>> {
  const opening = clients.map(async (client) => {
    const sessions = Array.from({ length: client.connections }, () => opened(url));
    return [client, await Promise.all(sessions)] as const;
  });
  return new Map(await Promise.all(opening));
}

async function opened(url: string): Promise<ClientHttp2Session> {
  const session = connect(url, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  await once(session, 'connect');
  return session;
}

/** The status of the answer, once all of it is there; 0: none came. */
async function ask(
  session: ClientHttp2Session,
  { path, token, accept }: { readonly path: string; readonly token: string; readonly accept: string },
): Promise<number> {
  const authorization = token === '' ? {} : { authorization: `Bearer ${token}` };
  const { promise, resolve } = Promise.withResolvers<number>();
  let code = 0;
  const stream = session.request({ ':path': path, accept, ...authorization });
  stream.once('response', (headers) => (code = Number(headers[':status'])));
  stream.on('error', () => undefined);
  stream.once('close', () => resolve(code));
  stream.resume();
  stream.end();
  return promise;
}

// In a process of its own: the load is not to slow down the server otherwise than by requests.
if (process.argv[1] === import.meta.filename) {
  const options = JSON.parse(process.argv[2] ?? '') as LoadOptions;
  const result = await playLoad(options, async () => {
    process.stdout.write('connected\n');
    await once(process.stdin, 'data');
  });
  process.stdin.destroy();
  process.stdout.write(JSON.stringify(result));
}
