import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';
import { openEtcdStorage } from '../../src/storage/etcd/engine.ts';

describeWithEtcd('resources that are kept in another etcd', () => {
  let main: EtcdProcess;
  let other: EtcdProcess;
  let server: TestServer;
  let client: ApiClient;

  beforeAll(async () => {
    [main, other] = await Promise.all([EtcdProcess.start(), EtcdProcess.start()]);
    const servers = [other.url];
    const overrides = [
      { group: '', resource: 'events', servers },
      { group: 'apps', resource: 'deployments', servers },
    ];
    server = await startTestServer({}, onEtcd(main.url, { overrides }));
    client = await ApiClient.connect(server);
  });

  afterAll(async () => {
    client[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    await Promise.all([main[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
  });

  async function keysIn(etcd: EtcdProcess, prefix: string): Promise<string[]> {
    await using storage = await openEtcdStorage({ servers: [etcd.url] });
    return (await storage.range({ start: prefix, end: `${prefix}~` })).kvs.map(({ key }) => key);
  }

  test('are there and nowhere else', async () => {
    const namespace = '/api/v1/namespaces/default';
    const involvedObject = { namespace: 'default' };
    const body = { metadata: { name: 'e' }, involvedObject };
    expect((await client.send('POST', `${namespace}/events`, { body })).code).toBe(201);
    const configMap = { metadata: { name: 'c' } };
    expect((await client.send('POST', `${namespace}/configmaps`, { body: configMap })).code).toBe(201);
    expect(await keysIn(other, '/registry/events/')).toEqual(['/registry/events/default/e']);
    expect(await keysIn(main, '/registry/events/')).toEqual([]);
    expect(await keysIn(other, '/registry/configmaps/')).toEqual([]);
    expect((await client.send('GET', '/apis/events.k8s.io/v1/namespaces/default/events/e')).code).toBe(200);
    expect((await client.send('GET', `${namespace}/events`)).body['items']).toHaveLength(1);
  });

  test('are looked after: by number, and with etcd itself', async () => {
    const ready = await client.text('/readyz?verbose');
    expect(ready).toContain('[+]etcd-override-0 ok\n[+]etcd-override-readiness-0 ok\n');
    expect(ready).not.toContain('etcd-override-1');
    const live = await client.text('/livez?verbose&exclude=etcd');
    expect(live).toContain('[+]etcd excluded: ok\n[+]etcd-override-0 excluded with etcd: ok\n');
    expect(live).not.toContain('etcd-override-readiness');
    expect(live).not.toContain('cannot be excluded');
    expect(await client.text('/healthz/etcd-override-0')).toBe('ok');
    await other.kill();
    await expect
      .poll(async () => client.text('/readyz?verbose'), { timeout: 10_000 })
      .toContain('[-]etcd-override-0 failed');
    expect(await client.text('/readyz?verbose')).toContain('[+]etcd ok');
  });
});
