import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { type ApiResponse, ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/default/configmaps';

describeWithEtcd('etcd goes away', () => {
  let etcd: EtcdProcess;
  let server: TestServer;
  let client: ApiClient;

  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    server = await startTestServer({}, onEtcd(etcd.url));
    client = await ApiClient.connect(server);
    expect((await client.send('POST', path, { body: { metadata: { name: 'there' } } })).code).toBe(201);
    await client.send('GET', path);
  });

  afterAll(async () => {
    client?.[Symbol.dispose]();
    await server?.[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
  });

  const plain = (url: string): Promise<string> => client.text(url);

  test('reads that may be stale succeed, all others fail at their deadline like in kube-apiserver', async () => {
    await etcd.kill();
    const stale = await client.send('GET', `${path}/there?resourceVersion=0`);
    expect(stale.body).toMatchObject({ metadata: { name: 'there' } });
    const list = await client.send('GET', `${path}?resourceVersion=0`);
    expect((list.body['items'] as JsonObject[]).length).toBe(1);

    const [read, listed, created, patched, deleted] = await Promise.all([
      client.send('GET', `${path}/there?timeout=1s`),
      client.send('GET', `${path}?timeout=1s`),
      client.send('POST', `${path}?timeout=1s`, { body: { metadata: { name: 'late' } } }),
      client.send('PATCH', `${path}/there?timeout=1s`, {
        body: { data: { late: 'yes' } },
        contentType: 'application/merge-patch+json',
      }),
      client.send('DELETE', `${path}/there?timeout=1s`),
    ]);
    for (const answer of [read, listed]) expectTimeout(answer, 'request did not complete within the allotted timeout');
    for (const answer of [created, patched, deleted]) {
      expectTimeout(answer, 'request did not complete within requested timeout - context deadline exceeded');
    }
  });

  test('health checks report it', async () => {
    await expect.poll(() => plain('/readyz?verbose'), { timeout: 10_000 }).toContain('[-]etcd-readiness failed');
    const text = await plain('/readyz?verbose');
    expect(text).toContain('[-]etcd failed: reason withheld');
    expect(text).toContain('[+]ping ok');
    const statuses = await client.send('GET', '/api/v1/componentstatuses/etcd-0');
    expect(JSON.stringify(statuses.body)).toMatch(/"status":"False","message":"[^"]*ECONNREFUSED/);
  });

  test('an open watch continues without a gap; refused writes were not applied', async () => {
    const { body } = await client.send('GET', `${path}?resourceVersion=0`);
    const { resourceVersion } = body['metadata'] as { resourceVersion: string };
    const watch = client.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`);
    const seen = (async () => {
      const lines: string[] = [];
      for await (const { type, object } of watch) {
        lines.push(`${type} ${(object['metadata'] as { name: string }).name}`);
        if (lines.length === 3) break;
      }
      return lines;
    })();
    // A write waits until etcd is back.
    const waiting = client.send('POST', path, { body: { metadata: { name: 'patient' } } });
    await etcd.run();
    expect((await waiting).code).toBe(201);
    expect((await client.send('POST', path, { body: { metadata: { name: 'after' } } })).code).toBe(201);
    expect((await client.send('DELETE', `${path}/after`)).code).toBe(200);
    expect(await seen).toEqual(['ADDED patient', 'ADDED after', 'DELETED after']);
    const { items } = (await client.send('GET', path)).body as unknown as { items: { metadata: { name: string } }[] };
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['patient', 'there']);
    expect(items[1]).not.toHaveProperty('data');
    await expect.poll(() => plain('/readyz'), { timeout: 10_000 }).toBe('ok');
  });

  test('an etcd that hangs leaves a write in doubt', async () => {
    await etcd.pause();
    const answer = await client.send('POST', `${path}?timeout=1s`, { body: { metadata: { name: 'doubtful' } } });
    expect(answer.code).toBeGreaterThanOrEqual(500);
    expect(['Timeout', 'ServerTimeout']).toContain(answer.body['reason']);
    etcd.resume();
    await expect.poll(async () => (await client.send('GET', path)).code, { timeout: 20_000 }).toBe(200);
  });
});

describeWithEtcd('a server that stops without its etcd', () => {
  test.each(['kill', 'pause'] as const)('ends: %s', async (how) => {
    await using etcd = await EtcdProcess.start();
    const server = await startTestServer({}, onEtcd(etcd.url));
    using client = await ApiClient.connect(server);
    const { body } = await client.send('GET', path);
    const { resourceVersion } = body['metadata'] as { resourceVersion: string };
    const watch = client.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`);
    const first = watch.next();
    await etcd[how]();
    await server[Symbol.asyncDispose]();
    expect(await first).toEqual({ done: true, value: undefined });
  });
});

describeWithEtcd('an etcd without space', () => {
  test('refuses writes that need some with its own message; reads and deletions work', async () => {
    await using etcd = await EtcdProcess.start({ args: ['--quota-backend-bytes=5000000'] });
    await using server = await startTestServer({}, onEtcd(etcd.url));
    using client = await ApiClient.connect(server);
    const post = (name: string): Promise<ApiResponse> =>
      client.send('POST', path, { body: { metadata: { name }, data: { text: 'x'.repeat(900_000) } } });
    let refused: ApiResponse | undefined;
    for (let n = 0; n < 10 && refused === undefined; n++) {
      const answer = await post(`big-${n}`);
      if (answer.code !== 201) refused = answer;
    }
    const message = 'etcdserver: mvcc: database space exceeded';
    expect(refused?.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      code: 500,
    });
    expect((await client.send('GET', `${path}/big-0`)).code).toBe(200);
    expect((await client.send('DELETE', `${path}/big-0`)).code).toBe(200);
    expect((await client.send('GET', `${path}/big-0`)).code).toBe(404);
  });
});

function expectTimeout({ code, body }: ApiResponse, message: string): void {
  expect(body).toMatchObject({ status: 'Failure', reason: 'Timeout', message: `Timeout: ${message}`, code: 504 });
  expect(code).toBe(504);
}
