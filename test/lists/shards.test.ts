import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { isInShard, parseShardSelector } from '../../src/api/selectors/shard-selector.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { playShardMetrics } from './shard-metrics.ts';

// Each client lists and watches one shard of a resource.

const path = '/api/v1/namespaces/default/configmaps';
const shards = [
  "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')",
  "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')",
];
const count = 20;

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer({ featureGates: new Map([['ShardedListAndWatch', true]]) });
  client = await ApiClient.connect(server);
  for (let index = 0; index < count; index += 1) await create(`c${index}`);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

async function create(name: string): Promise<JsonObject> {
  return (await client.send('POST', path, { body: { metadata: { name } } })).body;
}

function query(shard: string): string {
  return `shardSelector=${encodeURIComponent(shard)}`;
}

function uidOf(object: JsonObject): string {
  return (object['metadata'] as { readonly uid: string }).uid;
}

test('every object is in the list of one shard', async () => {
  const found: string[] = [];
  for (const shard of shards) {
    const { body } = await client.send('GET', `${path}?${query(shard)}`);
    expect(body['metadata']).toEqual({ resourceVersion: expect.any(String), shardInfo: { selector: shard } });
    for (const item of body['items'] as JsonObject[]) {
      expect(isInShard(parseShardSelector(shard), uidOf(item))).toBe(true);
      found.push(uidOf(item));
    }
  }
  expect(new Set(found).size).toBe(count);
});

test('Tables do not report shards', async () => {
  const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const { bytes } = await client.bytes(`${path}?${query(shards[0] ?? '')}`, accept);
  const table = JSON.parse(bytes.toString()) as JsonObject;
  expect(table['metadata']).toEqual({ resourceVersion: expect.any(String) });
  expect((table['rows'] as unknown[]).length).toBeLessThan(count);
});

test('a watch only reports its shard', async () => {
  const { body } = await client.send('GET', `${path}?limit=1`);
  const { resourceVersion } = body['metadata'] as { readonly resourceVersion: string };
  const [shard = ''] = shards;
  const created: JsonObject[] = [];
  for (let index = 0; index < count; index += 1) created.push(await create(`w${index}`));
  const wanted = created.map(uidOf).filter((uid) => isInShard(parseShardSelector(shard), uid));
  const received: string[] = [];
  const watched = `${path}?watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=1&${query(shard)}`;
  for await (const { type, object } of client.watch(watched)) {
    expect(type).toBe('ADDED');
    received.push(uidOf(object));
  }
  expect(received).toEqual(wanted);
});

test.each(['', '&watch=1', '&fieldSelector=metadata.name=c1'])(
  'a selector that says nothing is refused%s',
  async (more) => {
    const { code, body } = await client.send('GET', `${path}?shardSelector=1${more}`);
    expect({ code, body }).toEqual({
      code: 500,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'invalid shard selector: unexpected expression kind 5; expected shardRange() call or || operator',
        code: 500,
      },
    });
  },
);

// kube-apiserver counts the same, but has -1 running watches when the only one has ended.
test('watches of shards, and what they leave out, are counted', async () => {
  const { during, after, expected } = await playShardMetrics(client);
  expect({ during, after }).toEqual(expected);
});

test('without the gate the selector is ignored', async () => {
  await using plain = await startTestServer();
  using user = await ApiClient.connect(plain);
  const { code, body } = await user.send('GET', `${path}?shardSelector=1`);
  expect(code).toBe(200);
  expect(body['metadata']).toEqual({ resourceVersion: expect.any(String) });
  expect(await user.text('/metrics')).not.toMatch(/apiserver_watch_(?:shards|filtered_events)_total/);
});
