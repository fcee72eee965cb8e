import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpsServer } from '../../https-server.ts';
import {
  type Connection,
  connectionTo,
  type OpenResponse,
  type Protocol,
  protocols,
  type Seen,
} from './stopping-clients.ts';

/** A server in a process of its own. */
export interface StoppableServer {
  readonly url: string;
  readonly kubeconfigPath: string;
  /** Sends it a signal. */
  signal(name: NodeJS.Signals): void;
  /** Its exit code, once it has ended. */
  ended(): Promise<number | null>;
}

/** What clients saw, in order. */
export type Observations = Readonly<Record<string, unknown>>;

export interface Scenario {
  readonly name: string;
  readonly flags: readonly string[];
}

const times = ['--shutdown-delay-duration=8s', '--request-timeout=20s'];
const retryAfter = '--shutdown-send-retry-after';
const kept = '--shutdown-watch-termination-grace-period=0s';
const ended = '--shutdown-watch-termination-grace-period=4s';

export const scenarios: readonly Scenario[] = [
  { name: 'plain', flags: [...times, kept] },
  { name: 'retry after', flags: [...times, kept, retryAfter] },
  { name: 'watches', flags: [...times, ended] },
  { name: 'retry after, watches', flags: [...times, ended, retryAfter] },
];

const configMaps = '/api/v1/namespaces/default/configmaps';
const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

const watchOfNothing = `${configMaps}?watch=1&timeoutSeconds=1&labelSelector=slow=never`;
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const identities = `${leases}?labelSelector=apiserver.kubernetes.io/identity=kube-apiserver`;
const endpoints = '/api/v1/namespaces/default/endpoints/kubernetes';

/** Holds reviews of config maps back until it is told to let them go. */
async function startSlowHook(folder: string): Promise<
  AsyncDisposable & {
    readonly configuration: object;
    readonly asked: (count: number) => Promise<void>;
    readonly release: () => void;
  }
> {
  const released = Promise.withResolvers<void>();
  let waiting = 0;
  const server = await startHttpsServer({ folder }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      waiting += 1;
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { readonly request: { readonly uid: string } };
      void released.promise.then(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const verdict = { uid: review.request.uid, allowed: true };
        response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: verdict }));
      });
    });
  });
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }];
  return {
    configuration: {
      metadata: { name: 'slow' },
      webhooks: [
        {
          name: 'slow.example.com',
          rules,
          clientConfig: { url: `${server.url}/`, caBundle: Buffer.from(server.authority).toString('base64') },
          objectSelector: { matchLabels: { slow: 'yes' } },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          timeoutSeconds: 30,
        },
      ],
    },
    asked: (count) => until(() => Promise.resolve(waiting >= count)),
    release: () => released.resolve(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The connections of one protocol that exist before the signal. */
interface Clients {
  readonly protocol: Protocol;
  /** Nothing runs on it. */
  readonly idle: Connection;
  readonly watching: Connection;
  readonly watch: OpenResponse;
  readonly writing: Connection;
  readonly write: Promise<Seen | string>;
}

/** Sends SIGTERM to a server that clients use, and tells what they see. */
export async function observeStop(server: StoppableServer, folder: string): Promise<Observations> {
  await using hook = await startSlowHook(folder);
  const setUp = await connected(server, 'HTTP/2');
  await setUp.send(hooks, { method: 'POST', body: hook.configuration });
  const clients: Clients[] = [];
  for (const protocol of protocols) clients.push(await clientsOf(server, protocol));
  await hook.asked(clients.length);
  setUp[Symbol.dispose]();
  const observed: Record<string, unknown> = {};
  const signalled = Date.now();
  server.signal('SIGTERM');
  const exit = server.ended().then((code) => ({ code, atMs: Date.now() }));
  await until(async () => codeOf(await fresh(server, 'HTTP/1.1', '/readyz')) === 500);
  // Others no longer count on it.
  await until(async () => !(await textAt(server, endpoints)).includes('"addresses"'));
  await until(async () => (await textAt(server, identities)).includes('"items":[]'));
  await Promise.all(
    clients.map(async (each) => (observed[`delay, ${each.protocol}`] = await duringDelay(server, each))),
  );
  await until(async () => codeOf(await fresh(server, 'HTTP/1.1', '/version')) !== 200);
  observed['delayed'] = Date.now() - signalled > 4_500;
  // What happens at once has happened.
  await sleep(500);
  await Promise.all(
    clients.map(async (each) => (observed[`drain, ${each.protocol}`] = await duringDrain(server, each))),
  );
  hook.release();
  const releasedMs = Date.now();
  for (const { protocol, write, writing } of clients) {
    const seen = await write;
    observed[`write, ${protocol}`] = typeof seen === 'string' ? seen : { ...seen, body: seen.code };
    await Promise.race([writing.over, sleep(1_000)]);
    observed[`after the write, ${protocol}`] = { connection: writing.isOver ? 'closing' : 'kept' };
  }
  for (const { protocol, watch } of clients) observed[`watch after the write, ${protocol}`] = watch.state;
  const { code, atMs } = await exit;
  await Promise.all(clients.map(({ watch }) => watch.ended));
  for (const { protocol, watch } of clients) observed[`watch at the end, ${protocol}`] = watch.state;
  observed['exit'] = { code, waited: atMs - releasedMs > 4_000 };
  for (const { idle, watching, writing } of clients)
    for (const each of [idle, watching, writing]) each[Symbol.dispose]();
  return observed;
}

async function clientsOf(server: StoppableServer, protocol: Protocol): Promise<Clients> {
  const idle = await connected(server, protocol);
  await idle.send('/version');
  const watching = await connected(server, protocol);
  const watch = await watching.open(`${configMaps}?watch=1`);
  const writing = await connected(server, protocol);
  const metadata = { name: `slow-${protocol === 'HTTP/2' ? '2' : '1'}`, labels: { slow: 'yes' } };
  const write = writing.send(configMaps, { method: 'POST', body: { metadata } });
  return { protocol, idle, watching, watch, writing, write };
}

async function duringDelay(server: StoppableServer, { protocol, idle, watch }: Clients): Promise<object> {
  const ready = await fresh(server, protocol, '/readyz');
  return {
    ready: typeof ready === 'string' ? ready : { code: ready.code, headers: ready.headers },
    shutdown: await fresh(server, protocol, '/readyz/shutdown'),
    live: await fresh(server, protocol, '/livez'),
    healthy: await fresh(server, protocol, '/healthz'),
    get: codeOf(await fresh(server, protocol, `${configMaps}/none`)),
    kept: codeOf(await idle.send('/version')),
    idle: idle.isOver ? 'closing' : 'kept',
    watch: watch.state,
  };
}

async function duringDrain(server: StoppableServer, { protocol, idle, watching, watch }: Clients): Promise<object> {
  const short = async (path: string, userAgent?: string): Promise<unknown> =>
    shortOf(await fresh(server, protocol, path, userAgent));
  const states = { idle: idle.isOver ? 'closing' : 'kept', watching: watching.isOver ? 'closing' : 'kept' };
  return {
    get: await fresh(server, protocol, configMaps),
    watchAgain: await fresh(server, protocol, watchOfNothing),
    unknown: await fresh(server, protocol, '/nothing'),
    ready: await short('/readyz'),
    live: await short('/livez'),
    metrics: await short('/metrics'),
    ofServer: await short('/version', 'kube-apiserver/v1.37.1'),
    listOfServer: await short(configMaps, 'kube-apiserver/v1.37.1'),
    watchOfServer: await fresh(server, protocol, watchOfNothing, 'kube-apiserver/v1.37.1'),
    ...states,
    onIdle: idle.isOver ? 'closed' : await idle.send(configMaps),
    onWatching: protocol === 'HTTP/1.1' || watching.isOver ? 'none' : await watching.send(configMaps),
    watch: watch.state,
  };
}

/** A request on a connection of its own. */
async function fresh(
  server: StoppableServer,
  protocol: Protocol,
  path: string,
  userAgent = 'test',
): Promise<Seen | string> {
  const connection = await connectionTo(server, protocol);
  if (typeof connection === 'string') return connection;
  const seen = await connection.send(path, { userAgent });
  if (typeof seen === 'string') return seen;
  await Promise.race([connection.over, sleep(100)]);
  const after = connection.isOver ? 'closing' : 'kept';
  connection[Symbol.dispose]();
  return { ...seen, headers: { ...seen.headers, after } };
}

async function connected(server: StoppableServer, protocol: Protocol): Promise<Connection> {
  const connection = await connectionTo(server, protocol);
  if (typeof connection === 'string') throw new Error(connection);
  return connection;
}

async function textAt(server: StoppableServer, path: string): Promise<string> {
  const seen = await fresh(server, 'HTTP/2', path);
  return typeof seen === 'string' ? seen : seen.body;
}

function codeOf(seen: Seen | string): number | string {
  return typeof seen === 'string' ? seen : seen.code;
}

function shortOf(seen: Seen | string): unknown {
  return typeof seen === 'string' ? seen : { code: seen.code, headers: seen.headers };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 30_000; !(await holds()); await sleep(50)) {
    if (Date.now() > endMs) throw new Error('it did not happen');
  }
}
