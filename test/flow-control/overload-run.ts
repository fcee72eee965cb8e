import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { ApiClient } from '../api-client.ts';
import { ServerProcess } from '../durability/server-process.ts';
import { EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { startReference } from '../reference-server.ts';
import type { TestServer } from '../server-fixture.ts';
import type { LoadOptions, LoadResult } from './clients.ts';
import { overloadPage } from './overload-page.ts';

// Fifty clients ask for much more than the server can serve; one of them is greedy. By hand:
//
//     node test/flow-control/overload-run.ts --seconds 300 [--reference | --both FILE]
//       [--flags=--enable-priority-and-fairness=false]
//
// --both does it to Binnacle and then to kube-apiserver, and writes a page with both reports.

export interface OverloadOptions {
  readonly seconds: number;
  readonly isReference?: boolean;
  readonly flags?: readonly string[];
}

export interface OverloadReport {
  /** Answers of each modest client, fewest first, and of the greedy one. */
  readonly modest: readonly number[];
  readonly greedy: number;
  readonly refused: number;
  /** Answers other than 200 and 429. */
  readonly failed: number;
  /** Requests that were not answered 90 s after the end. */
  readonly hung: number;
  readonly probes: { readonly [name: string]: { readonly p50: number; readonly p99: number; readonly worst: number } };
  /** Resident memory in MiB before, every few seconds meanwhile, and a while after. */
  readonly memory: { readonly before: number; readonly during: readonly number[]; readonly after: number };
  readonly usedSeats: string;
}

const modestCount = 49;
const greedyName = 'greedy';
const leaderToken = 'token-leader';

const leasePath = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/leader';

export async function runOverload(options: OverloadOptions): Promise<OverloadReport> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-overload-'));
  const names = [greedyName, ...Array.from({ length: modestCount }, (_, at) => `client-${at}`)];
  const tokens = names.map((name) => `token-${name},${name},${name},"load"`);
  tokens.push(`${leaderToken},system:kube-scheduler,scheduler`);
  const tokenFile = join(folder, 'tokens.csv');
  await writeFile(tokenFile, `${tokens.join('\n')}\n`);
  const flags = [`--token-auth-file=${tokenFile}`, ...(options.flags ?? [])];
  await using server = await (options.isReference === true ? referenceServer(flags) : ownServer(folder, flags));
  try {
    await prepare(server);
    const before = await residentMegabytes(server.pid);
    const during: number[] = [];
    const sampling = setInterval(
      () => void residentMegabytes(server.pid).then((resident) => during.push(resident)),
      (options.seconds * 1_000) / memorySamples,
    );
    const result = await load(server.url, names, options.seconds).finally(() => clearInterval(sampling));
    await sleep((options.seconds * 1_000) / 10);
    const memory = { before, during: during.slice(0, memorySamples), after: await residentMegabytes(server.pid) };
    return { ...reportOf(result), memory, usedSeats: await usedSeats(server) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Loaded extends Pick<TestServer, 'url' | 'kubeconfigPath'>, AsyncDisposable {
  readonly pid: number;
}

const memorySamples = 100;

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}

async function ownServer(folder: string, flags: readonly string[]): Promise<Loaded> {
  const port = await freePort();
  const server = await ServerProcess.start(folder, port, flags);
  return {
    url: `https://127.0.0.1:${port}`,
    kubeconfigPath: join(folder, 'admin.kubeconfig'),
    pid: server.pid,
    [Symbol.asyncDispose]: () => server.kill(),
  };
}

async function referenceServer(flags: readonly string[]): Promise<Loaded> {
  const etcd = await EtcdProcess.start();
  const server = await startReference(etcd.url, flags);
  return {
    url: server.url,
    kubeconfigPath: server.kubeconfigPath,
    // It is running.
    pid: server.pid ?? 0,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await etcd[Symbol.asyncDispose]();
    },
  };
}

/** What is listed is cheap to ask for, and as a Table expensive to answer. */
const objects = 150;

async function prepare(server: Loaded): Promise<void> {
  using client = await ApiClient.connect(server);
  const made = async (path: string, body: object): Promise<void> => {
    const { code, body: answer } = await client.send('POST', path, { body });
    if (code !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  };
  await made('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'load' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: ['load'].map((name) => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name })),
  });
  await made('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'leader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'system:kube-scheduler' }],
  });
  await made('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases', { metadata: { name: 'leader' }, spec: {} });
  await made('/api/v1/namespaces', { metadata: { name: 'load' } });
  const labels = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`label-${at}`, 'x'.repeat(40)]));
  for (let at = 0; at < objects; at += 1) {
    await made('/api/v1/namespaces/load/configmaps', { metadata: { name: `c${at}`, labels }, data: { a: 'b' } });
  }
}

async function load(url: string, names: readonly string[], seconds: number): Promise<LoadResult> {
  const clients = names.map((name) => {
    const isGreedy = name === greedyName;
    return { name, token: `token-${name}`, connections: isGreedy ? 10 : 1, streams: isGreedy ? 90 : 6 };
  });
  const shared = { url, seconds, path: '/api/v1/namespaces/load/configmaps', accept: tableType };
  const probes = [
    { name: 'leader election', token: leaderToken, path: leasePath },
    { name: 'exempt', token: leaderToken, path: '/livez' },
  ];
  const [playGreedy, playModest, playProbes] = await Promise.all([
    connected({ ...shared, clients: clients.slice(0, 1), probes: [] }),
    connected({ ...shared, clients: clients.slice(1), probes: [] }),
    connected({ ...shared, clients: [], probes }),
  ]);
  const playing = [playModest(), playProbes()] as const;
  // The greedy one comes last: before the others it would get all seats at once.
  await sleep(greedyAfterMs);
  const [greedy, modest, probed] = await Promise.all([playGreedy(), ...playing]);
  const hung = greedy.hung + modest.hung;
  return { clients: { ...greedy.clients, ...modest.clients }, hung, probes: probed.probes };
}

const greedyAfterMs = 1_000;

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Resolves when the clients are connected; plays them when called. */
async function connected(options: LoadOptions): Promise<() => Promise<LoadResult>> {
  const program = join(import.meta.dirname, 'clients.ts');
  const { stdin, stdout } = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(stdout, 'data');
  return async () => {
    stdin.end('begin');
    return JSON.parse(await text(stdout)) as LoadResult;
  };
}

function reportOf({ clients, hung, probes }: LoadResult): Omit<OverloadReport, 'memory' | 'usedSeats'> {
  const count = (name: string, code: string): number => clients[name]?.[code] ?? 0;
  const all = Object.values(clients).flatMap((counts) => Object.entries(counts));
  const sum = (isCounted: (code: string) => boolean): number =>
    all.reduce((total, [code, times]) => total + (isCounted(code) ? times : 0), 0);
  const modest = Object.keys(clients).filter((name) => name !== greedyName);
  return {
    modest: modest.map((name) => count(name, '200')).toSorted((a, b) => a - b),
    greedy: count(greedyName, '200'),
    refused: sum((code) => code === '429'),
    failed: sum((code) => code !== '200' && code !== '429'),
    hung,
    probes: Object.fromEntries(Object.entries(probes).map(([name, all]) => [name, quantiles(all)])),
  };
}

function quantiles(sorted: readonly number[]): { readonly p50: number; readonly p99: number; readonly worst: number } {
  const at = (part: number): number => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99), worst: Math.round(sorted.at(-1) ?? 0) };
}

async function usedSeats(server: Loaded): Promise<string> {
  using client = await ApiClient.connect(server);
  const lines = (await client.text('/metrics')).split('\n');
  const wanted =
    /flowcontrol_(?:current_limit_seats|rejected_requests_total|dispatched_requests_total)\{.*global-default/;
  return lines.filter((line) => wanted.test(line)).join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '300' },
      reference: { type: 'boolean', default: false },
      both: { type: 'string' },
      flags: { type: 'string', default: '' },
    },
  });
  const flags = values.flags.split(' ').filter((flag) => flag !== '');
  const seconds = Number(values.seconds);
  if (values.both === undefined) {
    const report = await runOverload({ seconds, isReference: values.reference, flags });
    process.stdout.write(`${JSON.stringify(report, undefined, 1)}\n${report.usedSeats}\n`);
  } else {
    const own = await runOverload({ seconds, flags });
    const reference = await runOverload({ seconds, isReference: true, flags });
    process.stdout.write(`${JSON.stringify({ own, reference })}\n`);
    await writeFile(values.both, overloadPage({ seconds, own, reference }));
  }
}
