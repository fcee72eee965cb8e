import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { startServer } from '../../src/server/start-server.ts';
import { openEtcdStorage } from '../../src/storage/etcd/engine.ts';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { onEtcd } from '../server-fixture.ts';

const definitions = '/registry/apiextensions.k8s.io/customresourcedefinitions';
const services = '/registry/apiregistration.k8s.io/apiservices';

function definition(group: string): object {
  const names = { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' };
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}`, uid: `of-${group}`, creationTimestamp: '2026-01-02T03:04:05Z' },
    spec: { group, scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true, schema }] },
    status: {
      acceptedNames: names,
      conditions: ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' })),
      storedVersions: ['v1'],
    },
  };
}

function managedService(group: string): object {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {
      name: `v1.${group}`,
      uid: `of-${group}`,
      creationTimestamp: '2026-01-02T03:04:05Z',
      labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' },
    },
    spec: { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
  };
}

/** A server of an etcd with an unreadable definition and `others`, by key. */
async function startBeside(others: ReadonlyMap<string, object>) {
  await using stack = new AsyncDisposableStack();
  const etcd = stack.use(await EtcdProcess.start());
  const files = { caFile: undefined, certFile: undefined, keyFile: undefined };
  const storage = stack.use(await openEtcdStorage({ servers: [etcd.url], ...files }));
  const write = (key: string, text: string) => storage.put({ key, value: Buffer.from(text), expectedModRevision: 0 });
  await write(`${definitions}/bogus`, 'bogus data');
  for (const [key, object] of others) await write(key, JSON.stringify(object));
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-unreadable-'));
  stack.defer(() => rm(dataDir, { recursive: true }));
  const server = await startServer({
    ...configDefaults,
    dataDir,
    serving: { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0 },
    storage: { ...configDefaults.storage, ...onEtcd(etcd.url) },
    logging: { level: 'silent' },
  });
  stack.defer(() => server.close());
  const running = stack.move();
  return { server, storage, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

describeWithEtcd('a definition that cannot be read', () => {
  test('does not keep the server from starting, and no APIService is removed before all are known', async () => {
    const others = ['wanted.example.com', 'stale.example.com'].map(
      (group) => [`${services}/v1.${group}`, managedService(group)] as const,
    );
    const wanted = [`${definitions}/widgets.wanted.example.com`, definition('wanted.example.com')] as const;
    await using running = await startBeside(new Map([wanted, ...others]));
    using client = await ApiClient.connect(running.server);
    const state = async (): Promise<readonly (number | boolean)[]> => {
      const paths = ['wanted', 'stale'].map(
        (name) => `/apis/apiregistration.k8s.io/v1/apiservices/v1.${name}.example.com`,
      );
      const answers = await Promise.all(paths.map((path) => client.send('GET', path)));
      const checks = await client.text('/readyz?verbose');
      const groups = await client.text('/apis');
      return [
        ...answers.map(({ code }) => code),
        groups.includes('wanted.example.com'),
        checks.includes('[+]poststarthook/crd-informer-synced ok'),
      ];
    };
    expect((await client.send('GET', '/api/v1/namespaces')).code).toBe(200);
    await vi.waitFor(async () => expect(await state()).toEqual([200, 200, false, false]), { timeout: 20_000 });
    const { kv } = await running.storage.get(`${definitions}/bogus`);
    await running.storage.delete({ key: `${definitions}/bogus`, expectedModRevision: kv?.modRevision ?? 0 });
    await vi.waitFor(async () => expect(await state()).toEqual([200, 404, true, true]), { timeout: 20_000 });
  });

  test('does not keep it from stopping either', async () => {
    await using running = await startBeside(new Map());
    await running.server.close();
  });
});
