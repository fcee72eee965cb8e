import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { protobuf, read, readEvents } from './messages.ts';

const path = '/api/v1/namespaces/default/configmaps';
const count = 400;
let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  const data = { text: 'x'.repeat(3000) };
  for (let index = 0; index < count; index += 1) {
    await client.send('POST', path, { body: { metadata: { name: `c${index}`, labels: { app: 'a' } }, data } });
  }
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

function namesOf({ items }: JsonObject): readonly unknown[] {
  return (items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
}

test('an object', async () => {
  const { contentType, bytes } = await client.bytes(`${path}/c1`, `${protobuf},application/json`);
  expect(contentType).toBe(protobuf);
  const { body } = await client.send('GET', `${path}/c1`);
  expect(read(bytes)).toMatchObject({ ...body });
});

test('a list of several chunks, and the pages of a list', async () => {
  const { bytes } = await client.bytes(path, protobuf);
  const { body } = await client.send('GET', path);
  expect(bytes.length).toBeGreaterThan(1024 * 1024);
  expect(namesOf(read(bytes))).toEqual(namesOf(body));
  const page = read((await client.bytes(`${path}?limit=7`, protobuf)).bytes);
  expect(namesOf(page)).toEqual(namesOf(body).slice(0, 7));
  expect(page['metadata']).toMatchObject({ remainingItemCount: count - 7 });
});

test('only metadata; a Table is not available', async () => {
  const as = 'g=meta.k8s.io;v=v1';
  const { bytes } = await client.bytes(`${path}/c1`, `${protobuf};as=PartialObjectMetadata;${as}`);
  expect(read(bytes)).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'c1', labels: { app: 'a' } } });
  const refused = await client.bytes(`${path}/c1`, `${protobuf};as=Table;${as}`);
  expect(refused.bytes.toString()).toContain('only the following media types are accepted');
});

test('a Status, and discovery documents', async () => {
  const { bytes } = await client.bytes(`${path}/none`, protobuf);
  expect(read(bytes)).toMatchObject({ kind: 'Status', reason: 'NotFound', code: 404 });
  expect(read((await client.bytes('/apis', protobuf)).bytes)['groups']).not.toHaveLength(0);
  const aggregated = `${protobuf};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`;
  const found = await client.bytes('/apis', aggregated);
  expect(found.contentType).toBe(aggregated);
  expect(read(found.bytes)['kind']).toBe('APIGroupDiscoveryList');
});

test('a watch is length-delimited messages', async () => {
  const watch = `${path}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dc1`;
  const { contentType, bytes } = await client.bytes(watch, `${protobuf};stream=watch`);
  expect(contentType).toBe(`${protobuf};stream=watch`);
  expect(readEvents(bytes)).toMatchObject([{ type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name: 'c1' } } }]);
});

test('a watch with initial events ends them with a bookmark', async () => {
  const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const watch = `${path}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dc1&${query}`;
  const { bytes } = await client.bytes(watch, `${protobuf};stream=watch`);
  expect(readEvents(bytes)).toMatchObject([
    { type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name: 'c1' } } },
    {
      type: 'BOOKMARK',
      object: { kind: 'ConfigMap', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    },
  ]);
});
