import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { serverId } from '../../src/server/server-id.ts';
import { ApiClient } from '../api-client.ts';
import { ServerProcess } from '../durability/server-process.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { onEtcd, startTestServer } from '../server-fixture.ts';

const path = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const identity = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' };

async function leasesOf(client: ApiClient): Promise<ReadonlyMap<string, JsonObject>> {
  const { items } = (await client.send('GET', path)).body as { items: { metadata: { name: string } }[] };
  return new Map(items.map((lease) => [lease.metadata.name, lease as unknown as JsonObject]));
}

function lease(name: string, labels: JsonObject, ageMs: number): JsonObject {
  const renewTime = `${new Date(Date.now() - ageMs).toISOString().slice(0, -1)}000Z`;
  return { metadata: { name, labels }, spec: { leaseDurationSeconds: 3600, renewTime } };
}

test('a server has a lease, and puts those of servers that are gone away', async () => {
  await using server = await startTestServer();
  let name = '';
  let holder: unknown;
  {
    using client = await ApiClient.connect(server);
    const [[own, object] = ['', {}], ...others] = await leasesOf(client);
    expect(others).toEqual([]);
    expect(own).toMatch(/^apiserver-[a-z2-7]{26}$/);
    expect(object).toMatchObject({
      metadata: {
        labels: { ...identity, 'kubernetes.io/hostname': hostname() },
        managedFields: [{ manager: 'kube-apiserver', operation: 'Update' }],
      },
      spec: { leaseDurationSeconds: 3600, holderIdentity: expect.stringMatching(`^${own}_`) },
    });
    [name, holder] = [own, object['spec']];
    for (const body of [
      lease('gone', identity, 7_200_000),
      lease('fresh', identity, 120_000),
      lease('of-another-kind', {}, 7_200_000),
    ]) {
      expect((await client.send('POST', path, { body })).code).toBe(201);
    }
  }
  await server.restart();
  using client = await ApiClient.connect(server);
  await expect.poll(async () => [...(await leasesOf(client)).keys()]).toEqual([name, 'fresh', 'of-another-kind']);
  expect((await leasesOf(client)).get(name)?.['spec']).not.toEqual(holder);
});

test('without its gate there is none', async () => {
  const closed = ['APIServerIdentity', 'UnknownVersionInteroperabilityProxy', 'StorageVersionAPI'];
  const featureGates = new Map(closed.map((gate) => [gate, false]));
  await using server = await startTestServer({ featureGates });
  using client = await ApiClient.connect(server);
  expect([...(await leasesOf(client)).keys()]).toEqual([]);
  expect(await client.text('/readyz?verbose')).not.toContain('identity-lease');
});

/** Runs a command on a machine of another name, as far as it can see. */
const onOtherMachine = (name: string): readonly string[] => [
  'unshare',
  '--uts',
  '--map-root-user',
  'sh',
  '-c',
  'hostname "$0" && exec "$@"',
  name,
];
const [unshare = '', ...tried] = onOtherMachine('other');
const cannotUnshare = spawnSync(unshare, [...tried, 'true']).status !== 0;

describeWithEtcd('servers on machines of two names', () => {
  test.skipIf(cannotUnshare)(
    'are two, and the one that stops leaves the lease of the other',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-identity-'));
      await using etcd = await EtcdProcess.start({ args: ['--unsafe-no-fsync'] });
      await using server = await startTestServer({}, onEtcd(etcd.url));
      using client = await ApiClient.connect(server);
      const names = async (): Promise<readonly unknown[]> =>
        [...(await leasesOf(client)).values()].flatMap(({ metadata }) => {
          const { name, labels } = metadata as { readonly name: string; readonly labels?: JsonObject };
          return labels === undefined ? [] : [[name, labels['kubernetes.io/hostname']]];
        });
      const own = [serverId(), hostname()];
      const other = [serverId('other-machine'), 'other-machine'];
      expect(await names()).toEqual([own]);
      const flags = [`--etcd-servers=${etcd.url}`];
      const second = await ServerProcess.start(dataDir, await freePort(), flags, onOtherMachine('other-machine'));
      await expect.poll(names, { timeout: 30_000 }).toEqual([own, other].toSorted());
      second.signal('SIGTERM');
      expect(await second.ended()).toBe(0);
      expect(await names()).toEqual([own]);
      await rm(dataDir, { recursive: true });
    },
    90_000,
  );
});
