import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEtcdStorage } from '../../src/storage/etcd/engine.ts';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { EtcdProcess, etcdPath } from '../etcd-process.ts';
import { type ReferenceServer, skipWithoutReference, startReference } from '../reference-server.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';
import { configuration } from './configurations.ts';
import { KmsPlugin } from './kms-plugin.ts';
import { sharedProviders } from './providers.ts';

const skip = etcdPath === undefined || skipWithoutReference();
const identity = { identity: {} };
const secrets = '/api/v1/namespaces/default/secrets';
const merge = 'application/merge-patch+json';
const plain = Buffer.from('the plain value').toString('base64');

describe.skipIf(skip)(
  skip ? 'encryption on one etcd (skipped: no etcd or kube-apiserver)' : 'encryption on one etcd',
  () => {
    let folder: string;
    let etcd: EtcdProcess;
    let plugin: KmsPlugin;
    let referenceServer: ReferenceServer;
    let server: TestServer;
    let file: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'binnacle-encryption-'));
      file = join(folder, 'encryption.json');
      plugin = await KmsPlugin.start(join(folder, 'kms.sock'));
      etcd = await EtcdProcess.start({ args: ['--unsafe-no-fsync'] });
      await writeFile(file, configuration(['secrets'], [identity]));
      const flags = [`--encryption-provider-config=${file}`, '--feature-gates=KMSv1=true'];
      referenceServer = await startReference(etcd.url, flags);
      server = await startTestServer(
        { featureGates: new Map([['KMSv1', true]]) },
        {
          ...onEtcd(etcd.url, { mediaType: 'application/vnd.kubernetes.protobuf' }),
          encryption: { configFile: file, automaticReload: false },
        },
      );
    });

    afterAll(async () => {
      await referenceServer?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
      await etcd?.[Symbol.asyncDispose]();
      await plugin?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    /** Both servers, with these providers. */
    async function bothWith(providers: readonly object[], resources = ['secrets']): Promise<[ApiClient, ApiClient]> {
      await writeFile(`${file}.new`, configuration(resources, providers));
      await rename(`${file}.new`, file);
      await referenceServer.stop();
      await Promise.all([
        referenceServer.start([`--encryption-provider-config=${file}`, '--feature-gates=KMSv1=true']),
        server.restart(),
      ]);
      return [await ApiClient.connect(referenceServer), await ApiClient.connect(server)];
    }

    async function stored(key: string): Promise<string> {
      await using storage = await openEtcdStorage({ ...configDefaults.storage.etcd, servers: [etcd.url] });
      const { kv } = await storage.get(key);
      return Buffer.from(kv?.value ?? []).toString('latin1');
    }

    const secret = (name: string) => ({
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { plain } },
    });
    const touch = (by: string) => ({ body: { metadata: { labels: { by } } }, contentType: merge });
    const nothing = { body: {}, contentType: merge };

    test.each(sharedProviders)('$name: each reads, changes and rewrites what the other wrote', async (shared) => {
      const provider = shared.provider(plugin.endpoint);
      const [there, here] = await bothWith([provider, identity]);
      const names = [`${shared.name} there`, `${shared.name} here`].map((name) => name.replaceAll(' ', '-'));
      const [ofThere = '', ofHere = ''] = names;
      expect((await there.send('POST', secrets, secret(ofThere))).code).toBe(201);
      expect((await here.send('POST', secrets, secret(ofHere))).code).toBe(201);
      for (const name of names) {
        const bytes = await stored(`/registry/secrets/default/${name}`);
        expect(bytes.startsWith(shared.prefix)).toBe(true);
        expect(bytes).not.toContain('the plain value');
        const path = `${secrets}/${name}`;
        const read = await here.send('GET', path);
        expect(read.body['data']).toEqual({ plain });
        expect(read.body).toEqual((await there.send('GET', path)).body);
        expect((await here.send('PATCH', path, touch('binnacle'))).code).toBe(200);
        expect((await there.send('PATCH', path, touch('kube-apiserver'))).code).toBe(200);
        const both = await Promise.all([here, there].map(async (each) => (await each.send('GET', path)).body));
        expect(both[0]).toEqual(both[1]);
      }
      here[Symbol.dispose]();
      there[Symbol.dispose]();
      // Rotation: what is stale is written again by an update that changes nothing, on either server.
      const rotated = { secretbox: { keys: [{ name: 'next', secret: Buffer.alloc(32, 9).toString('base64') }] } };
      const [nowThere, nowHere] = await bothWith([rotated, provider, identity]);
      expect((await nowHere.send('PATCH', `${secrets}/${ofThere}`, nothing)).code).toBe(200);
      expect((await nowThere.send('PATCH', `${secrets}/${ofHere}`, nothing)).code).toBe(200);
      for (const name of names) {
        const bytes = await stored(`/registry/secrets/default/${name}`);
        expect(bytes.startsWith('k8s:enc:secretbox:v1:next:')).toBe(true);
        const before = await nowHere.send('GET', `${secrets}/${name}`);
        expect(before.body).toEqual((await nowThere.send('GET', `${secrets}/${name}`)).body);
        // What is not stale is not written.
        expect((await nowHere.send('PATCH', `${secrets}/${name}`, nothing)).body).toEqual(before.body);
        expect((await nowThere.send('DELETE', `${secrets}/${name}`)).code).toBe(200);
      }
      nowHere[Symbol.dispose]();
      nowThere[Symbol.dispose]();
    });

    test('everything that has an API is encrypted by *.*, on both', { timeout: 60_000 }, async () => {
      const aes = { aesgcm: { keys: [{ name: 'all', secret: Buffer.alloc(32, 5).toString('base64') }] } };
      const [there, here] = await bothWith([aes, identity], ['*.*']);
      await using storage = await openEtcdStorage({ ...configDefaults.storage.etcd, servers: [etcd.url] });
      const isEncrypted = (value: Uint8Array): boolean => Buffer.from(value).subarray(0, 8).toString() === 'k8s:enc:';
      const { kvs } = await storage.range({ start: '/registry/', end: '/registry0' });
      for (const { key, modRevision } of kvs) await storage.delete({ key, expectedModRevision: modRevision });
      const [again, anew] = await bothWith([aes], ['*.*']);
      const { kvs: now } = await storage.range({ start: '/registry/', end: '/registry0' });
      const open = now.filter(({ value }) => !isEncrypted(value)).map(({ key }) => key);
      expect(open.filter((key) => !/^\/registry\/(masterleases|ranges|peerserverleases)\//.test(key))).toEqual([]);
      expect(now.length).toBeGreaterThan(100);
      for (const path of [
        '/api/v1/namespaces',
        '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        '/api/v1/services',
      ]) {
        const [one, other] = await Promise.all([again, anew].map((each) => each.send('GET', path)));
        expect(one!.code).toBe(200);
        expect(one!.body['items']).toEqual(other!.body['items']);
      }
      for (const client of [there, here, again, anew]) client[Symbol.dispose]();
    });
  },
);
