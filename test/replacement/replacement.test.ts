import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { ServerProcess } from '../durability/server-process.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { skipWithoutReference, startReference } from '../reference-server.ts';
import { type ServerAccess, WritingClient } from './writing-client.ts';

const path = '/api/v1/namespaces/default/configmaps';
const flags = ['--shutdown-delay-duration=1s', '--shutdown-send-retry-after'];
/** The writes of all clients together; on a faster machine 500 are asked for. */
const writesPerSecond = Number(process.env['BINNACLE_WRITES_PER_SECOND'] ?? 100);
const clientCount = 4;

/** A server in a process of its own, which can be replaced by another one at the same address. */
interface Replaceable extends ServerAccess {
  replace(): Promise<void>;
  stop(): Promise<void>;
}

async function binnacle(folder: string, etcdUrl: string): Promise<Replaceable> {
  const port = await freePort();
  const dataDir = join(folder, String(port));
  const start = (): Promise<ServerProcess> => ServerProcess.start(dataDir, port, ['--etcd-servers', etcdUrl, ...flags]);
  let server = await start();
  return {
    url: `https://127.0.0.1:${port}`,
    kubeconfigPath: join(dataDir, 'admin.kubeconfig'),
    async replace() {
      server.signal('SIGTERM');
      expect(await server.ended()).toBe(0);
      server = await start();
    },
    stop: () => server.kill(),
  };
}

async function kubeApiserver(etcdUrl: string): Promise<Replaceable> {
  const server = await startReference(etcdUrl, flags);
  return {
    url: server.url,
    kubeconfigPath: server.kubeconfigPath,
    async replace() {
      server.signal('SIGTERM');
      expect(await server.ended()).toBe(0);
      await server.start(flags);
    },
    stop: async () => server[Symbol.asyncDispose](),
  };
}

/** Writes until it is told to stop; returns the failed writes, and the names of the others. */
async function writeAll(
  client: WritingClient,
  prefix: string,
  signal: AbortSignal,
): Promise<{ readonly made: readonly string[]; readonly failed: readonly string[] }> {
  const made: string[] = [];
  const failed: string[] = [];
  const running: Promise<void>[] = [];
  for (let count = 0; !signal.aborted; count += 1) {
    const name = `${prefix}-${count}`;
    const write = client.create(path, { metadata: { name } }).then(
      (status) => void (status === 201 ? made.push(name) : failed.push(`${name}: ${status}`)),
      (error: unknown) => void failed.push(`${name}: ${String(error)}`),
    );
    running.push(write);
    await sleep((1_000 * clientCount) / writesPerSecond);
  }
  await Promise.all(running);
  return { made, failed };
}

/** Replaces the servers in turn while clients write. */
async function replaceAll(servers: readonly Replaceable[]): Promise<void> {
  const [first] = servers;
  if (first === undefined) throw new Error('there is no server');
  const stop = new AbortController();
  const clients = Array.from({ length: clientCount }, () => new WritingClient(servers));
  const writing = clients.map((client, index) => writeAll(client, `client-${index}`, stop.signal));
  await sleep(1_000);
  for (const server of servers) {
    await server.replace();
    await sleep(1_000);
  }
  stop.abort();
  const results = await Promise.all(writing);
  expect(results.flatMap(({ failed }) => failed)).toEqual([]);
  const names = results.flatMap(({ made }) => made);
  // Whether a write had to be repeated depends on the moment: those under way when a server stops are still answered.
  expect(names.length).toBeGreaterThan(0);
  for (const client of clients) client.close();
  using reader = await ApiClient.connect(first);
  const { items } = (await reader.send('GET', path)).body as unknown as { items: { metadata: { name: string } }[] };
  const stored = new Set(items.map(({ metadata }) => metadata.name));
  expect(names.filter((name) => !stored.has(name))).toEqual([]);
}

describeWithEtcd('servers of one etcd that are replaced in turn', () => {
  test('lose no write of clients that repeat what they may', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-replacement-'));
    await using etcd = await EtcdProcess.start();
    const servers = [await binnacle(folder, etcd.url), await binnacle(folder, etcd.url)];
    await replaceAll(servers);
    for (const server of servers) await server.stop();
    await rm(folder, { recursive: true });
  });

  test.skipIf(skipWithoutReference())('nor beside a kube-apiserver', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-replacement-'));
    await using etcd = await EtcdProcess.start();
    const servers = [await binnacle(folder, etcd.url), await kubeApiserver(etcd.url)];
    await replaceAll(servers);
    for (const server of servers) await server.stop();
    await rm(folder, { recursive: true });
  });
});
