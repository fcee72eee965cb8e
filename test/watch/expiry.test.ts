import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import type { StorageConfig } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/default/configmaps';
/** More than a restarted cache remembers of earlier history. */
const changes = 120;
const compactionIntervalMs = 100;
let server: TestServer;
let client: ApiClient;
/** A list at the first version, its first page, and a watch from there: all too old by now. */
let oldVersion: string;
let oldToken: string;

async function makeOld(storage: Partial<StorageConfig>): Promise<void> {
  server = await startTestServer({}, { ...storage, compactionIntervalMs });
  const before = await ApiClient.connect(server);
  for (const name of ['a', 'b', 'c']) await before.send('POST', path, { body: { metadata: { name } } });
  const page = await before.send('GET', `${path}?limit=1`);
  ({ resourceVersion: oldVersion, continue: oldToken } = metadataOf(page.body));
  await before.send('POST', path, { body: { metadata: { name: 'd' } } });
  for (let index = 0; index < changes; index += 1) {
    const body = { data: { index: String(index) } };
    await before.send('PATCH', `${path}/b`, { body, contentType: 'application/merge-patch+json' });
  }
  before[Symbol.dispose]();
  // A cache with complete history would serve the past for longer than the store.
  await server.restart();
  client = await ApiClient.connect(server);
  const exact = `${path}?resourceVersion=${oldVersion}&resourceVersionMatch=Exact`;
  do {
    await client.send('POST', path, { body: { metadata: { generateName: 'later-' } } });
    await sleep(100);
  } while ((await client.send('GET', exact)).code !== 410);
}

async function stop(): Promise<void> {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
}

function metadataOf(body: JsonObject): { resourceVersion: string; continue: string } {
  return body['metadata'] as { resourceVersion: string; continue: string };
}

function expiryTests(): void {
  test('an exact list is expired', async () => {
    for (const query of ['resourceVersionMatch=Exact', 'limit=1']) {
      const { code, body } = await client.send('GET', `${path}?resourceVersion=${oldVersion}&${query}`);
      expect({ code, body }).toEqual({
        code: 410,
        body: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'The resourceVersion for the provided list is too old.',
          reason: 'Expired',
          code: 410,
        },
      });
    }
  });

  test('a list that is not older than an old version is not', async () => {
    const { code } = await client.send(
      'GET',
      `${path}?resourceVersion=${oldVersion}&resourceVersionMatch=NotOlderThan`,
    );
    expect(code).toBe(200);
  });

  test('an expired token comes with one that continues in the latest state', async () => {
    const expired = await client.send('GET', `${path}?limit=1&continue=${oldToken}`);
    expect(expired.code).toBe(410);
    expect(expired.body).toMatchObject({ reason: 'Expired' });
    expect(expired.body['message']).toBe(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    );
    const { continue: token } = metadataOf(expired.body);
    const { code, body } = await client.send('GET', `${path}?limit=3&continue=${token}`);
    expect(code).toBe(200);
    expect((body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)).toEqual([
      'b',
      'c',
      'd',
    ]);
    expect(Number(metadataOf(body).resourceVersion)).toBeGreaterThan(Number(oldVersion) + changes);
  });

  test('a watch from an old version ends with an ERROR event', async () => {
    const events = [];
    for await (const event of client.watch(`${path}?watch=true&resourceVersion=${oldVersion}`)) events.push(event);
    expect(events).toHaveLength(1);
    const [{ type, object } = { type: '', object: {} }] = events;
    expect(type).toBe('ERROR');
    expect(object).toMatchObject({ kind: 'Status', code: 410, reason: 'Expired' });
    expect(object['message']).toMatch(new RegExp(`^too old resource version: ${oldVersion} \\(\\d+\\)$`));
  });
}

describe('on the embedded store', () => {
  beforeAll(() => makeOld({}));
  afterAll(stop);
  expiryTests();
});

describeWithEtcd('on etcd', () => {
  let etcd: EtcdProcess;
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    await makeOld(onEtcd(etcd.url));
  });
  afterAll(async () => {
    await stop();
    await etcd[Symbol.asyncDispose]();
  });
  expiryTests();
});
