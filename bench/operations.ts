import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentSpan } from '../src/api/contracts/span.ts';
import type { ApiServerOptions } from '../src/embed/index.ts';
import { freePort } from '../test/free-port.ts';
import {
  type Addition,
  alternate,
  type Alternation,
  figuresOf,
  meanOf,
  settledAfter,
  type Turn,
} from './alternation.ts';
import { readAccess } from './binnacle.ts';
import type { RequestJob } from './load.ts';
import type { TargetReport } from './report.ts';
import type { Figure } from './rows/row.ts';
import { ServerProcess } from './server-process.ts';
import { Session } from './session.ts';

const group = 'bench.example.com';
const plural = 'wheels';
const kind = 'Wheel';
const namespace = '/api/v1/namespaces/default';
const kindPath = `/apis/${group}/v1/namespaces/default/${plural}`;
const patched = 100;
const valueBytes = 4096;
const concurrency = 16;
const cold: Alternation = { warmUp: 400, pairs: 20 };
/** Short turns, and many: a write differs from the next one by more than what is measured. */
const settled: Alternation = { warmUp: settledAfter, pairs: 300, requests: 100 };
const timesStarted = 4;

/** What encryption, flow control and tracing add to requests. */
export async function measureOperations(nodeArguments: readonly string[]): Promise<TargetReport> {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  try {
    const figures = [
      ...(await sealing(nodeArguments, folder)),
      ...(await flowControl(nodeArguments, folder)),
      ...(await tracing(nodeArguments, folder)),
      lookAtSpan(),
    ];
    return { target: 'Binnacle', figures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function sealing(nodeArguments: readonly string[], folder: string): Promise<readonly Figure[]> {
  const file = join(folder, 'encryption.json');
  const aesgcm = { keys: [{ name: 'a', secret: Buffer.alloc(32, 7).toString('base64') }] };
  const resources = [{ resources: [`${plural}.${group}`], providers: [{ aesgcm }] }];
  const head = { kind: 'EncryptionConfiguration', apiVersion: 'apiserver.config.k8s.io/v1' };
  writeFileSync(file, JSON.stringify({ ...head, resources }));
  const flags = { without: {}, added: { 'encryption-provider-config': file } };
  return compareServers({ nodeArguments, folder, flags, what: 'aesgcm', prepare: define }, [
    { name: 'create of a custom object of 4 KB', turnOf: creates },
    { name: 'merge patch of a custom object of 4 KB', turnOf: patches },
    { name: 'get of one', turnOf: (server) => gets(server, `${kindPath}/one`) },
  ]);
}

/** Administrators are exempt from flow control: somebody else asks. */
function flowControl(nodeArguments: readonly string[], folder: string): Promise<readonly Figure[]> {
  const flags = { without: { 'enable-priority-and-fairness': false }, added: {} };
  return compareServers({ nodeArguments, folder, flags, what: 'flow control' }, [
    { name: 'get of /version', turnOf: (server) => gets(server, '/version') },
  ]);
}

function tracing(nodeArguments: readonly string[], folder: string): Promise<readonly Figure[]> {
  const file = join(folder, 'tracing.json');
  const head = { kind: 'TracingConfiguration', apiVersion: 'apiserver.config.k8s.io/v1' };
  writeFileSync(file, JSON.stringify({ ...head, endpoint: '127.0.0.1:9', samplingRatePerMillion: 0 }));
  const flags = { without: {}, added: { 'tracing-config-file': file } };
  return compareServers({ nodeArguments, folder, flags, what: 'tracing that samples nothing' }, [
    { name: 'get of a namespace', turnOf: (server) => gets(server, namespace) },
  ]);
}

type Flags = Readonly<Record<string, string | boolean>>;

interface Compared {
  readonly nodeArguments: readonly string[];
  readonly folder: string;
  readonly flags: { readonly without: Flags; readonly added: Flags };
  readonly what: string;
  /** Makes what the requests need; absent: they need nothing. */
  readonly prepare?: (server: Session) => Promise<void>;
}

interface ComparedRequest {
  readonly name: string;
  readonly turnOf: (server: Session) => Turn;
}

/** In several processes, in which either server is started first. */
async function compareServers(compared: Compared, requests: readonly ComparedRequest[]): Promise<readonly Figure[]> {
  const runs = requests.map((): Record<'cold' | 'settled', Addition[]> => ({ cold: [], settled: [] }));
  for (let run = 0; run < timesStarted; run += 1) {
    await using servers = await startNeighbours(compared, run);
    for (const server of [servers.without, servers.added]) await compared.prepare?.(server);
    for (const [index, { turnOf }] of requests.entries()) {
      const turns = { without: turnOf(servers.without), added: turnOf(servers.added) };
      runs[index]?.cold.push(await alternate(turns, cold));
      runs[index]?.settled.push(await alternate(turns, settled));
    }
  }
  return requests.flatMap(({ name }, index) =>
    (['cold', 'settled'] as const).flatMap((state) =>
      figuresOf(names(`${name}, ${state}`, compared.what), meanOf(runs[index]?.[state] ?? [])),
    ),
  );
}

interface Neighbours extends AsyncDisposable {
  readonly without: Session;
  readonly added: Session;
}

/** One process runs both: servers of different processes differ by more than what is measured, from start to start. */
async function startNeighbours({ nodeArguments, folder, flags, what }: Compared, run: number): Promise<Neighbours> {
  const order = run % 2 === 0 ? (['without', 'added'] as const) : (['added', 'without'] as const);
  const runFolder = join(folder, `${what}-${run}`);
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, 'secret,somebody,somebody\n');
  const common = {
    'token-auth-file': tokens,
    'authorization-mode': 'AlwaysAllow',
    'disable-admission-plugins': 'ServiceAccount',
  };
  const options: Record<'without' | 'added', ApiServerOptions & { port: number }> = {
    without: { dataDir: join(runFolder, 'without'), port: await freePort(), flags: { ...common, ...flags.without } },
    added: { dataDir: join(runFolder, 'added'), port: await freePort(), flags: { ...common, ...flags.added } },
  };
  for (const { dataDir = '' } of Object.values(options)) mkdirSync(dataDir, { recursive: true });
  const server = new ServerProcess({
    file: process.execPath,
    args: [
      ...nodeArguments,
      join(import.meta.dirname, 'neighbours.ts'),
      ...order.map((which) => JSON.stringify(options[which])),
    ],
    logFile: join(runFolder, 'server.log'),
  });
  const sessionOf = async ({ dataDir = '', port }: ApiServerOptions & { port: number }): Promise<Session> => {
    const url = `https://127.0.0.1:${port}`;
    await server.ready(url);
    const { ca } = readAccess(url, join(dataDir, 'admin.kubeconfig'));
    const access = { url, ca, token: 'secret' };
    return new Session({ startMs: 0, pids: [server.pid], access, stop: () => server.stop() }, 0);
  };
  const [without, added] = [await sessionOf(options.without), await sessionOf(options.added)];
  return {
    without,
    added,
    async [Symbol.asyncDispose]() {
      for (const session of [without, added]) await session[Symbol.asyncDispose]();
    },
  };
}

function names(base: string, what: string): { readonly base: string; readonly added: string } {
  return { base, added: `added by ${what}` };
}

async function define(server: Session): Promise<void> {
  const free = { type: 'object', additionalProperties: { type: 'string' } };
  const openAPIV3Schema = { type: 'object', properties: { data: free } };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  const spec = { group, scope: 'Namespaced', names: { plural, kind }, versions };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await send(server, 'POST', path, { metadata: { name: `${plural}.${group}` }, spec });
  await new Promise((resolve) => void setTimeout(resolve, 1_000));
  await send(server, 'POST', kindPath, objectOf('one'));
  await server.load({
    ...single,
    method: 'POST',
    path: kindPath,
    body: JSON.stringify(objectOf('patched-{shard}')),
    count: patched,
  });
  // Objects that are written are watched, at the least by their controller, so there is a watch cache.
  await server.load({ ...single, method: 'GET', path: `${kindPath}?resourceVersion=0&limit=1` });
}

function objectOf(name: string): object {
  return { apiVersion: `${group}/v1`, kind, metadata: { name }, data: { value: 'x'.repeat(valueBytes) } };
}

async function send(server: Session, method: string, path: string, body: object): Promise<void> {
  await server.load({ ...single, method, path, body: JSON.stringify(body) });
}

const single = { kind: 'requests', from: 0, count: 1, names: 1, concurrency: 1 } as const;

function turnOf(server: Session, job: Pick<RequestJob, 'method' | 'path' | 'contentType' | 'body'>): Turn {
  let from = 0;
  return {
    pids: server.target.pids,
    async send(count) {
      await server.load({ ...single, ...job, from, count, concurrency });
      from += count;
    },
  };
}

function creates(server: Session): Turn {
  return turnOf(server, { method: 'POST', path: kindPath, body: JSON.stringify(objectOf('n-{number}')) });
}

/** Merge patches of a hundred objects, one after the other. */
function patches(server: Session): Turn {
  const body = JSON.stringify({ data: { value: `${'x'.repeat(valueBytes)}{number}` } });
  const contentType = 'application/merge-patch+json';
  return turnOf(server, { method: 'PATCH', path: `${kindPath}/patched-{shard}`, contentType, body });
}

function gets(server: Session, path: string): Turn {
  return turnOf(server, { method: 'GET', path });
}

/** In process: what code pays that asks for the step that runs, while nothing is traced. */
function lookAtSpan(): Figure {
  const looks = 10_000_000;
  let found = 0;
  const look = (): number => {
    const before = process.cpuUsage();
    for (let index = 0; index < looks; index += 1) if (currentSpan() !== undefined) found += 1;
    const { user, system } = process.cpuUsage(before);
    return (user + system) / looks;
  };
  look();
  const us = Math.min(...Array.from({ length: 5 }, look));
  if (found > 0) throw new Error('something is traced');
  return { name: 'a look for the step of a trace, without tracing', unit: 'us', value: us };
}
