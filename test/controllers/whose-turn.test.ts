import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { ServerProcess } from '../durability/server-process.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { onEtcd, startTestServer } from '../server-fixture.ts';
import { untilGone } from '../settled-object.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const namespacesPath = '/api/v1/namespaces';
/** More than a controller needs for a namespace with nothing in it. */
const aWhileMs = 400;

let opened = new AsyncDisposableStack();

afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

async function startServer(...[api, storage, more]: Parameters<typeof startTestServer>): Promise<ApiClient> {
  const server = opened.use(await startTestServer(api, storage, more));
  return opened.use(await ApiClient.connect(server));
}

const authorization = { ...configDefaults.authorization, modes: ['RBAC'] };

const withControllers = (...controllers: string[]): Promise<ApiClient> =>
  startServer({}, { inMemory: true }, { config: { authorization, controllers, logging: { level: 'silent' } } });

async function deleteNamespace(client: ApiClient, name: string): Promise<void> {
  expect((await client.send('POST', namespacesPath, { body: { metadata: { name } } })).code).toBe(201);
  expect((await client.send('DELETE', `${namespacesPath}/${name}`)).code).toBe(200);
}

const isThere = async (client: ApiClient, name: string): Promise<boolean> =>
  (await client.send('GET', `${namespacesPath}/${name}`)).code === 200;

async function holdLease(client: ApiClient, name: string, spec: JsonObject): Promise<void> {
  const renewTime = new Date().toISOString().replace('Z', '000Z');
  const body = { metadata: { name }, spec: { holderIdentity: 'somebody', renewTime, ...spec } };
  expect((await client.send('POST', leases, { body })).code).toBe(201);
}

async function holderOf(client: ApiClient): Promise<string> {
  const { body } = await client.send('GET', `${leases}/binnacle-controllers`);
  return String((body as { spec?: { holderIdentity?: string } }).spec?.holderIdentity);
}

describe('the controllers of a server', () => {
  test('one that is not chosen does nothing', async () => {
    const client = await withControllers('*', '-namespace');
    await deleteNamespace(client, 'stays');
    await sleep(aWhileMs);
    expect(await isThere(client, 'stays')).toBe(true);
  });

  test('nobody starts with one that is not there', async () => {
    const config = { controllers: ['*', 'dusting'] };
    await expect(startTestServer({}, {}, { config })).rejects.toThrow(
      '"dusting" is not in the list of known controllers',
    );
  });

  test('does what its role allows and no more', async () => {
    const client = await withControllers('*');
    const binding = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:controller:namespace-controller';
    const { body } = await client.send('GET', binding);
    expect((await client.send('DELETE', binding)).code).toBe(200);
    await deleteNamespace(client, 'stays');
    await sleep(aWhileMs);
    expect(await isThere(client, 'stays')).toBe(true);
    const { name } = body['metadata'] as { name: string };
    const path = binding.slice(0, binding.lastIndexOf('/'));
    expect((await client.send('POST', path, { body: { ...body, metadata: { name } } })).code).toBe(201);
    await untilGone(client, `${namespacesPath}/stays`);
  });

  test('stand back while a kube-controller-manager has its Lease', async () => {
    const client = await withControllers('*');
    await holdLease(client, 'kube-controller-manager', { leaseDurationSeconds: 600 });
    await deleteNamespace(client, 'waits');
    await sleep(aWhileMs);
    expect(await isThere(client, 'waits')).toBe(true);
    expect((await client.send('DELETE', `${leases}/kube-controller-manager`)).code).toBe(200);
    await untilGone(client, `${namespacesPath}/waits`);
  });

  test('come back when its Lease has run out', async () => {
    const client = await withControllers('*');
    await holdLease(client, 'kube-controller-manager', { leaseDurationSeconds: 1 });
    await deleteNamespace(client, 'waits');
    await sleep(aWhileMs);
    expect(await isThere(client, 'waits')).toBe(true);
    await untilGone(client, `${namespacesPath}/waits`);
  });

  test('a Lease that nobody holds keeps nobody back', async () => {
    const client = await withControllers('*');
    await holdLease(client, 'kube-controller-manager', { leaseDurationSeconds: 600, holderIdentity: '' });
    await deleteNamespace(client, 'goes');
    await untilGone(client, `${namespacesPath}/goes`);
  });

  test('a single server needs no Lease of its own', async () => {
    const client = await withControllers('*');
    expect((await client.send('GET', `${leases}/binnacle-controllers`)).code).toBe(404);
  });
});

describeWithEtcd('servers on one etcd', () => {
  test('one runs the controllers; another takes over at once when it stops', async () => {
    const etcd = opened.use(await EtcdProcess.start());
    const first = await startTestServer({}, onEtcd(etcd.url));
    using leader = await ApiClient.connect(first);
    const holder = await holderOf(leader);
    const other = await startServer({}, onEtcd(etcd.url));
    expect(await holderOf(other)).toBe(holder);
    await first[Symbol.asyncDispose]();
    await deleteNamespace(other, 'goes');
    await untilGone(other, `${namespacesPath}/goes`);
    expect(await holderOf(other)).not.toBe(holder);
  });

  test('another takes over in time when it is killed', { timeout: 60_000 }, async () => {
    const etcd = opened.use(await EtcdProcess.start());
    const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-killed-'));
    opened.defer(() => rm(dataDir, { recursive: true }));
    const port = await freePort();
    const leader = await ServerProcess.start(dataDir, port, ['--etcd-servers', etcd.url]);
    const kubeconfigPath = join(dataDir, 'admin.kubeconfig');
    using client = await ApiClient.connect({ url: `https://127.0.0.1:${port}`, kubeconfigPath });
    await expect.poll(() => holderOf(client), { timeout: 10_000 }).not.toBe('undefined');
    const other = await startServer({}, onEtcd(etcd.url));
    const holder = await holderOf(other);
    await leader.kill();
    const killedMs = Date.now();
    await deleteNamespace(other, 'goes');
    while (await isThere(other, 'goes')) {
      expect(Date.now() - killedMs).toBeLessThan(40_000);
      await sleep(100);
    }
    expect(await holderOf(other)).not.toBe(holder);
  });
});
