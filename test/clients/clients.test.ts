import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServerProcess } from '../durability/server-process.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { type BehindCutsResult, runBehindCuts, settleMs, writesPerSecond } from './behind-cuts.ts';
import { clientGo } from './client-go.ts';
import { clientNode } from './client-node.ts';
import { kubectlWatch } from './kubectl-watch.ts';
import type { Report, WatchingClient } from './watching-client.ts';

/**
 * Clients list and watch through proxies that cut connections, while others write. At the end each must hold what the
 * server holds. `BINNACLE_CLIENT_SECONDS=600 npm test -- test/clients` runs for ten minutes; `BINNACLE_SEED` repeats
 * the writes.
 */
const seconds = Number(process.env['BINNACLE_CLIENT_SECONDS'] ?? '10');
const seed = Number(process.env['BINNACLE_SEED'] ?? Date.now() % 2 ** 31);
/** A busy machine manages no better than this. */
const timeoutMs = 6 * seconds * 1_000 + settleMs + 60_000;

const root = await mkdtemp(join(tmpdir(), 'binnacle-clients-'));
const informers = await Promise.all(
  ['application/json', 'application/vnd.kubernetes.protobuf', 'application/cbor'].map((mediaType) =>
    clientGo(`client-go's informer of ${mediaType}`, mediaType),
  ),
);
const clients: readonly WatchingClient[] = [...informers, clientNode, kubectlWatch];
const present = clients.filter((client) => client.missing() === undefined);

// The first build on a machine compiles all of client-go.
beforeAll(async () => void (await Promise.all(present.map((client) => client.prepare()))), 600_000);
afterAll(async () => {
  await Promise.all(informers.map((informer) => informer[Symbol.asyncDispose]()));
  await rm(root, { recursive: true });
});

describe(`on the embedded store (seed ${seed})`, () => {
  testClients('embedded', []);
});

describeWithEtcd(`on etcd (seed ${seed})`, () => {
  const flags: string[] = [];
  let etcd: EtcdProcess;
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    flags.push('--etcd-servers', etcd.url);
  });
  afterAll(() => etcd[Symbol.asyncDispose]());
  testClients('etcd', flags);
});

/** `flags` are read at server start. */
function testClients(name: string, flags: readonly string[]): void {
  let server: ServerProcess;
  let result: BehindCutsResult;

  beforeAll(async () => {
    const [dataDir, port] = [join(root, name), await freePort()];
    server = await ServerProcess.start(dataDir, port, ['--feature-gates=CBORServingAndStorage=true', ...flags]);
    const kubeconfigPath = join(dataDir, 'admin.kubeconfig');
    const writes = seconds * writesPerSecond;
    result = await runBehindCuts({ clients: present, port, kubeconfigPath, scratchDir: root, writes, seed });
    console.log(`${name}: ${writes} writes in ${result.durationMs} ms, ${result.cuts} connections cut`);
  }, timeoutMs);
  afterAll(() => server.kill());

  test('connections are cut', () => {
    expect(result.cuts).toBeGreaterThan((present.length * result.durationMs) / 10_000);
  });

  for (const client of clients) {
    const missing = client.missing();
    const title = missing === undefined ? client.name : `${client.name} (skipped: ${missing})`;
    test.skipIf(missing !== undefined)(`${title} holds what the server holds`, () => {
      const report = result.reports.get(client);
      if (report === undefined || report instanceof Error) throw report ?? new Error('there is no report');
      expect(report.problems).toEqual([]);
      expect(report.events).toBeGreaterThan(Object.keys(result.state).length);
      expect(differences(report.objects, result.state)).toEqual([]);
    });
  }
}

/** Names with different values. */
function differences(found: Report['objects'], expected: Report['objects']): string[] {
  const names = new Set([...Object.keys(found), ...Object.keys(expected)]);
  const texts = [...names].map((name) => [name, JSON.stringify(found[name]), JSON.stringify(expected[name])] as const);
  return texts.flatMap(([name, is, shouldBe]) => (is === shouldBe ? [] : [`${name} is ${is}, not ${shouldBe}`]));
}
