import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { openEtcdStorage } from '../../src/storage/etcd/engine.ts';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { EtcdProcess, etcdPath } from '../etcd-process.ts';
import { type ReferenceServer, skipWithoutReference, startReference } from '../reference-server.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';
import { configurationOf, key } from './configurations.ts';
import { KmsPlugin } from './kms-plugin.ts';
import { sharedProviders, type SharedProvider } from './providers.ts';

const skip = etcdPath === undefined || skipWithoutReference();
const identity = { identity: {} };
/** What values are written with after a rotation. */
const next = { secretbox: { keys: [{ name: 'next', secret: key(9) }] } };
const merge = 'application/merge-patch+json';
const plain = 'the plain value';
const nothing = { body: {}, contentType: merge };
const touch = (by: string) => ({ body: { metadata: { labels: { by } } }, contentType: merge });

/** The rules of a configuration: resources, and the providers of each. */
type Rules = readonly (readonly [resources: readonly string[], providers: readonly object[]])[];

/** An object that a provider encrypts, on either server. */
function objectOf({ kind, apiVersion, more }: SharedProvider, name: string): JsonObject {
  return { kind, apiVersion, metadata: { name, annotations: { plain } }, ...more };
}

describe.skipIf(skip)(
  skip ? 'encryption on one etcd (skipped: no etcd or kube-apiserver)' : 'encryption on one etcd',
  () => {
    let folder: string;
    let etcd: EtcdProcess;
    let plugin: KmsPlugin;
    let referenceServer: ReferenceServer;
    let server: TestServer;
    let file: string;
    let there: ApiClient;
    let here: ApiClient;
    const rules = (providersOf: (shared: SharedProvider) => readonly object[]): Rules =>
      sharedProviders.map((shared) => [[shared.resource], providersOf(shared)]);

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'binnacle-encryption-'));
      file = join(folder, 'encryption.json');
      plugin = await KmsPlugin.start(join(folder, 'kms.sock'));
      etcd = await EtcdProcess.start();
      await write(rules(({ provider }) => [provider(plugin.endpoint), identity]));
      const flags = [`--encryption-provider-config=${file}`, '--feature-gates=KMSv1=true'];
      referenceServer = await startReference(etcd.url, flags);
      server = await startTestServer(
        { featureGates: new Map([['KMSv1', true]]) },
        {
          ...onEtcd(etcd.url, { mediaType: 'application/vnd.kubernetes.protobuf' }),
          encryption: { configFile: file, automaticReload: false },
        },
      );
      there = await ApiClient.connect(referenceServer);
      here = await ApiClient.connect(server);
    });

    afterAll(async () => {
      there?.[Symbol.dispose]();
      here?.[Symbol.dispose]();
      await referenceServer?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
      await etcd?.[Symbol.asyncDispose]();
      await plugin?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    async function write(given: Rules): Promise<void> {
      await writeFile(`${file}.new`, configurationOf(given));
      await rename(`${file}.new`, file);
    }

    /** Restarts both servers with these rules. */
    async function bothWith(given: Rules): Promise<void> {
      there[Symbol.dispose]();
      here[Symbol.dispose]();
      await write(given);
      await referenceServer.stop();
      await Promise.all([
        referenceServer.start([`--encryption-provider-config=${file}`, '--feature-gates=KMSv1=true']),
        server.restart(),
      ]);
      there = await ApiClient.connect(referenceServer);
      here = await ApiClient.connect(server);
    }

    async function stored(storageKey: string): Promise<string> {
      await using storage = await openEtcdStorage({ ...configDefaults.storage.etcd, servers: [etcd.url] });
      const { kv } = await storage.get(storageKey);
      return Buffer.from(kv?.value ?? []).toString('latin1');
    }

    async function same(path: string): Promise<JsonObject> {
      const [one, other] = await Promise.all([here, there].map((client) => client.send('GET', path)));
      expect(one!.code).toBe(200);
      expect(one!.body).toEqual(other!.body);
      return one!.body;
    }

    test.each(sharedProviders)('$name: each reads and changes what the other wrote', async (shared) => {
      for (const [name, writer] of [
        ['there', there],
        ['here', here],
      ] as const) {
        const made = await writer.send('POST', shared.path, { body: objectOf(shared, name) });
        expect(made.code).toBe(201);
        const bytes = await stored(`${shared.place}${name}`);
        expect(bytes.startsWith(shared.prefix)).toBe(true);
        expect(bytes).not.toContain(plain);
        const path = `${shared.path}/${name}`;
        expect(await same(path)).toMatchObject({ metadata: { annotations: { plain } } });
        expect((await here.send('PATCH', path, touch('binnacle'))).code).toBe(200);
        expect((await there.send('PATCH', path, touch('kube-apiserver'))).code).toBe(200);
        expect(await same(path)).toMatchObject({ metadata: { labels: { by: 'kube-apiserver' } } });
      }
    });

    test('after a rotation, an update without changes rewrites what is stale on either server', async () => {
      await bothWith(rules(({ provider }) => [next, provider(plugin.endpoint), identity]));
      for (const shared of sharedProviders) {
        expect((await here.send('PATCH', `${shared.path}/there`, nothing)).code).toBe(200);
        expect((await there.send('PATCH', `${shared.path}/here`, nothing)).code).toBe(200);
        for (const name of ['there', 'here']) {
          expect(await stored(`${shared.place}${name}`)).toMatch(/^k8s:enc:secretbox:v1:next:/);
          const path = `${shared.path}/${name}`;
          const before = await same(path);
          // What is not stale is not written.
          expect((await here.send('PATCH', path, nothing)).body).toEqual(before);
        }
      }
    });
  },
);

test.skipIf(skip)(
  `everything that has an API is encrypted by *.*, on both${skip ? ' (skipped: no etcd or kube-apiserver)' : ''}`,
  { timeout: 180_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-encryption-'));
    const file = join(folder, 'encryption.json');
    await writeFile(file, configurationOf([[['*.*'], [{ aesgcm: { keys: [{ name: 'all', secret: key(5) }] } }]]]));
    await using etcd = await EtcdProcess.start();
    await using reference = await startReference(etcd.url, [`--encryption-provider-config=${file}`]);
    await using server = await startTestServer(
      {},
      {
        ...onEtcd(etcd.url, { mediaType: 'application/vnd.kubernetes.protobuf' }),
        encryption: { configFile: file, automaticReload: false },
      },
    );
    using there = await ApiClient.connect(reference);
    using here = await ApiClient.connect(server);
    await using storage = await openEtcdStorage({ ...configDefaults.storage.etcd, servers: [etcd.url] });
    const { kvs } = await storage.range({ start: '/registry/', end: '/registry0' });
    const open = kvs.filter(({ value }) => !Buffer.from(value).toString('latin1').startsWith('k8s:enc:'));
    const isInternal = (at: string): boolean => /^\/registry\/(masterleases|ranges|peerserverleases)\//.test(at);
    expect(open.map((kv) => kv.key).filter((at) => !isInternal(at))).toEqual([]);
    expect(kvs.length).toBeGreaterThan(100);
    for (const path of ['/api/v1/namespaces', '/apis/rbac.authorization.k8s.io/v1/clusterroles', '/api/v1/services']) {
      const [mine, theirs] = await Promise.all([here, there].map((client) => client.send('GET', path)));
      expect(mine!.code).toBe(200);
      expect(mine!.body['items']).toEqual(theirs!.body['items']);
    }
    await rm(folder, { recursive: true });
  },
);
