import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { openEtcdStorage } from '../../src/storage/etcd/engine.ts';
import type { Storage } from '../../src/storage/contract.ts';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';

// Objects written to an etcd by others: in other versions, without defaults, and damaged.

const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential=true';

describeWithEtcd('objects written by others', () => {
  let etcd: EtcdProcess;
  let storage: Storage;
  let server: TestServer;
  let client: ApiClient;

  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    storage = await openEtcdStorage({
      servers: [etcd.url],
      caFile: undefined,
      certFile: undefined,
      keyFile: undefined,
    });
    server = await startTestServer({}, onEtcd(etcd.url, {}));
    client = await ApiClient.connect(server);
  });

  afterAll(async () => {
    client?.[Symbol.dispose]();
    await server?.[Symbol.asyncDispose]();
    await storage?.[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
  });

  async function write(key: string, value: string): Promise<void> {
    const { kv } = await storage.get(`/registry/${key}`);
    await storage.put({
      key: `/registry/${key}`,
      value: Buffer.from(value),
      expectedModRevision: kv?.modRevision ?? 0,
    });
  }

  function text(object: JsonObject): string {
    return `${JSON.stringify(object)}\n`;
  }

  async function stored(key: string): Promise<string> {
    const { kv } = await storage.get(`/registry/${key}`);
    return Buffer.from(kv?.value ?? []).toString();
  }

  test('an event of either group is served in both, also in watches', async () => {
    const names = { core: '/api/v1', named: '/apis/events.k8s.io/v1' };
    const metadata = { name: 'e', namespace: 'default', uid: 'u' };
    const forms = [
      { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata, note: 'one', regarding: { name: 'p' } },
      { apiVersion: 'v1', kind: 'Event', metadata, message: 'two', involvedObject: { name: 'p' } },
    ];
    const { body: list } = await client.send('GET', `${names.core}/events`);
    for (const form of forms) await write('events/default/e', JSON.stringify(form));
    const { body: core } = await client.send('GET', `${names.core}/namespaces/default/events/e`);
    const { body: named } = await client.send('GET', `${names.named}/namespaces/default/events/e`);
    expect(core).toMatchObject({ apiVersion: 'v1', message: 'two', involvedObject: { name: 'p' } });
    expect(named).toMatchObject({ apiVersion: 'events.k8s.io/v1', note: 'two', regarding: { name: 'p' } });
    const { resourceVersion } = list['metadata'] as { readonly resourceVersion: string };
    for (const [apiVersion, root, field] of [
      ['v1', names.core, 'message'],
      ['events.k8s.io/v1', names.named, 'note'],
    ] as const) {
      const shown: unknown[] = [];
      const path = `${root}/events?watch=1&timeoutSeconds=1&resourceVersion=${resourceVersion}`;
      for await (const { object } of client.watch(path)) shown.push([object['apiVersion'], object[field]]);
      expect(shown).toEqual([
        [apiVersion, 'one'],
        [apiVersion, 'two'],
      ]);
    }
  });

  test('unserved versions are read, and converted by the next write', async () => {
    const key = 'poddisruptionbudgets/default/old';
    const metadata = { name: 'old', namespace: 'default', uid: 'u' };
    const budget = { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1beta1', metadata };
    await write(key, text({ ...budget, spec: { minAvailable: 1, selector: {} } }));
    const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets/old';
    const { code, body } = await client.send('GET', path);
    expect([code, body['apiVersion']]).toEqual([200, 'policy/v1']);
    const { selector } = body['spec'] as { readonly selector: JsonObject };
    expect(selector).toMatchObject({ matchExpressions: [{ operator: 'Exists' }] });
    expect((await client.send('PUT', path, { body })).code).toBe(200);
    expect(await stored(key)).toMatch(/^\{"kind":"PodDisruptionBudget","apiVersion":"policy\/v1",.*\}$/);
  });

  test('fields omitted by older servers are completed', async () => {
    const metadata = { name: 'old', namespace: 'default', uid: 'u' };
    const claim = {
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      metadata,
      spec: { accessModes: ['ReadWriteOnce'] },
    };
    await write('persistentvolumeclaims/default/old', text(claim));
    const { body } = await client.send('GET', '/api/v1/namespaces/default/persistentvolumeclaims/old');
    expect(body).toMatchObject({ spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } });
    const service = {
      kind: 'Service',
      apiVersion: 'v1',
      metadata,
      spec: { clusterIP: '10.0.0.9', ports: [{ port: 1 }] },
    };
    await write('services/specs/default/old', text(service));
    const path = '/api/v1/namespaces/default/services/old';
    const { body: shown } = await client.send('GET', path);
    expect(shown['spec']).toMatchObject({
      clusterIPs: ['10.0.0.9'],
      ipFamilies: ['IPv4'],
      ports: [{ protocol: 'TCP' }],
    });
    const { code, body: updated } = await client.send('PUT', path, { body: service });
    expect([code, updated['spec']]).toEqual([200, shown['spec']]);
  });

  test('an unreadable one affects nothing else, and can be deleted', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    for (const name of ['a', 'b']) await client.send('POST', path, { body: { metadata: { name } } });
    await write('configmaps/default/b', 'k8s\0garbage');
    expect((await client.send('GET', `${path}/a`)).code).toBe(200);
    expect((await client.send('GET', '/api/v1/namespaces/kube-system/configmaps')).code).toBe(200);
    const { kv } = await storage.get('/registry/configmaps/default/b');
    const why = `object not decodable revision=${kv?.modRevision}: proto: illegal wireType 7`;
    const corrupt = (key: string): string =>
      `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
    const relative = corrupt('/configmaps/default/b');
    const absolute = corrupt('/registry/configmaps/default/b');
    const internal = {
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${relative}`,
      details: { causes: [{ message: relative }] },
    };
    const listed = {
      code: 500,
      reason: 'StorageReadError',
      message: `failed to read one or more configmaps from the storage: ${absolute}`,
      details: {
        name: 'list',
        kind: 'configmaps',
        causes: [{ reason: 'UnexpectedServerResponse', message: absolute, field: '/registry/configmaps/default/b' }],
      },
    };
    const patch = { body: { data: {} }, contentType: 'application/merge-patch+json' };
    expect((await client.send('GET', `${path}/b`)).body).toMatchObject(internal);
    expect((await client.send('GET', path)).body).toMatchObject(listed);
    expect((await client.send('DELETE', path)).body).toMatchObject(listed);
    const initial = 'watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
    for (const query of [initial, 'watch=1', 'watch=1&resourceVersion=0', 'watch=1&fieldSelector=metadata.name=b']) {
      expect((await client.send('GET', `${path}?${query}&timeoutSeconds=1`)).body).toMatchObject(listed);
    }
    const others = ['/api/v1/namespaces/kube-system/configmaps?', `${path}?fieldSelector=metadata.name=a&`];
    for (const place of others) expect(await client.text(`${place}watch=1&timeoutSeconds=1`)).toContain('ADDED');
    expect((await client.send('GET', `${path}?limit=1`)).code).toBe(200);
    expect((await client.send('PATCH', `${path}/b`, patch)).body).toMatchObject({ code: 500, message: why });
    expect((await client.send('POST', path, { body: { metadata: { name: 'b' } } })).code).toBe(409);
    expect((await client.send('DELETE', `${path}/b`)).body).toMatchObject(internal);
    expect((await client.send('DELETE', `${path}/a?${unsafe}`)).body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await client.send('DELETE', `${path}?${unsafe}`)).body).toMatchObject({ code: 422 });
    expect((await client.send('DELETE', `${path}/b?${unsafe}&gracePeriodSeconds=0`)).body).toMatchObject({ code: 422 });
    const dry = await client.send('DELETE', `${path}/b?${unsafe}&dryRun=All`);
    expect(dry.body).toMatchObject({ status: 'Success', details: { name: 'b', kind: 'ConfigMap' } });
    expect((await client.send('DELETE', `${path}/b?${unsafe}`)).code).toBe(200);
    expect((await client.send('GET', `${path}/b`)).code).toBe(404);
    expect((await client.send('GET', path)).code).toBe(200);
  });
});
