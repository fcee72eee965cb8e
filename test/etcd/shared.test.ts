import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { ServerProcess } from '../durability/server-process.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/default/configmaps';

const configMap = (name: string, text: string): JsonObject => ({ metadata: { name }, data: { text } });

/** `name=text` of a list's or an event's object. */
function lineOf(object: JsonObject): string {
  const { metadata, data } = object as { metadata: { name: string }; data?: { text?: string } };
  return `${metadata.name}=${data?.text ?? ''}`;
}

async function linesOf(client: ApiClient): Promise<string[]> {
  const { body } = await client.send('GET', path);
  return (body['items'] as JsonObject[]).map(lineOf);
}

describeWithEtcd('servers on one etcd', () => {
  let etcd: EtcdProcess;
  let survivor: TestServer;
  let client: ApiClient;
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'binnacle-shared-'));
    etcd = await EtcdProcess.start();
    survivor = await startTestServer({}, onEtcd(etcd.url));
    client = await ApiClient.connect(survivor);
  });

  afterAll(async () => {
    client?.[Symbol.dispose]();
    await survivor?.[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
    await rm(root, { recursive: true });
  });

  async function startOther(name: string): Promise<{ readonly process: ServerProcess; readonly client: ApiClient }> {
    const [dataDir, port] = [join(root, name), await freePort()];
    const process = await ServerProcess.start(dataDir, port, ['--etcd-servers', etcd.url]);
    const kubeconfigPath = join(dataDir, 'admin.kubeconfig');
    return { process, client: await ApiClient.connect({ url: `https://127.0.0.1:${port}`, kubeconfigPath }) };
  }

  test('see each other’s writes at once, also in watches', async () => {
    const other = await startOther('seen');
    const { body } = await client.send('GET', path);
    const { resourceVersion } = body['metadata'] as { resourceVersion: string };
    const watchPath = `${path}?watch=true&resourceVersion=${resourceVersion}`;
    const watches = [client.watch(watchPath), other.client.watch(watchPath)];
    const expected: string[] = [];
    for (let turn = 0; turn < 10; turn++) {
      const [writer, reader] = turn % 2 === 0 ? [client, other.client] : [other.client, client];
      const name = `turn-${turn}`;
      expect((await writer.send('POST', path, { body: configMap(name, 'a') })).code).toBe(201);
      expect(await linesOf(reader)).toContain(`${name}=a`);
      expect((await reader.send('PUT', `${path}/${name}`, { body: configMap(name, 'b') })).code).toBe(200);
      expect((await writer.send('GET', `${path}/${name}`)).body['data']).toEqual({ text: 'b' });
      expect((await writer.send('DELETE', `${path}/${name}`)).code).toBe(200);
      expect((await reader.send('GET', `${path}/${name}`)).code).toBe(404);
      expected.push(`ADDED ${name}=a`, `MODIFIED ${name}=b`, `DELETED ${name}=b`);
    }
    for (const watch of watches) {
      const seen: string[] = [];
      for await (const { type, object } of watch) {
        seen.push(`${type} ${lineOf(object)}`);
        if (seen.length === expected.length) break;
      }
      expect(seen).toEqual(expected);
    }
    other.client[Symbol.dispose]();
    await other.process.kill();
  });

  test('writes acknowledged by a killed server are kept', async () => {
    const other = await startOther('killed');
    const acknowledged: string[] = [];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let turn = 0; ; turn++) {
        const name = `killed-${writer}-${turn}`;
        const { code } = await other.client.send('POST', path, { body: configMap(name, 'x') });
        if (code !== 201) throw new Error(`${code}`);
        acknowledged.push(`${name}=x`);
      }
    });
    // Their last requests get no response.
    void Promise.allSettled(writers);
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(200);
    await other.process.kill();
    other.client[Symbol.dispose]();
    const stored = new Set(await linesOf(client));
    expect(acknowledged.filter((line) => !stored.has(line))).toEqual([]);
    expect(stored.size).toBeLessThanOrEqual(acknowledged.length + 8 + 1);
  });

  test('of writers on all servers with the same expected version one wins', async () => {
    const other = await startOther('racing');
    await client.send('POST', path, { body: configMap('contested', '0') });
    for (let round = 0; round < 10; round++) {
      const { body } = await client.send('GET', `${path}/contested`);
      const { resourceVersion } = body['metadata'] as { resourceVersion: string };
      const answers = await Promise.all(
        [client, other.client, client, other.client].map((writer, index) =>
          writer.send('PUT', `${path}/contested`, {
            body: { metadata: { name: 'contested', resourceVersion }, data: { text: `${round}/${index}` } },
          }),
        ),
      );
      expect(answers.map(({ code }) => code).sort()).toEqual([200, 409, 409, 409]);
    }
    other.client[Symbol.dispose]();
    await other.process.kill();
  });

  test('events expire', async () => {
    await using server = await startTestServer({}, { ...onEtcd(etcd.url), eventTtlSeconds: 1 });
    using other = await ApiClient.connect(server);
    const events = '/api/v1/namespaces/default/events';
    const body = { metadata: { name: 'short' }, involvedObject: { namespace: 'default' } };
    expect((await other.send('POST', events, { body })).code).toBe(201);
    expect((await client.send('GET', `${events}/short`)).code).toBe(200);
    await expect.poll(async () => (await client.send('GET', `${events}/short`)).code, { timeout: 10_000 }).toBe(404);
  });
});
