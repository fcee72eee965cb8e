import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/default/configmaps';
const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';
const gzip = { 'accept-encoding': 'gzip' };
const leastBytes = 128 * 1024;

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  await client.send('POST', path, { body: { metadata: { name: 'large' }, data: { a: 'x'.repeat(200_000) } } });
  for (let index = 0; index < 40; index += 1) {
    const body = { metadata: { name: `c${index}`, labels: { app: 'shop' } }, data: { a: 'y'.repeat(20_000) } };
    await client.send('POST', path, { body });
  }
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

test('a response of the minimum size is not compressed, one byte more is', async () => {
  const body = (sizeBytes: number): object => ({ metadata: { name: 'edge' }, data: { a: 'x'.repeat(sizeBytes) } });
  const around = (await client.send('POST', path, { body: body(1) })).code === 201 ? leastBytes - 600 : 0;
  const sizes = new Map<number, unknown>();
  for (let sizeBytes = around; !sizes.has(leastBytes + 1);) {
    await client.send('PUT', `${path}/edge`, { body: body(sizeBytes) });
    const plain = await client.bytes(`${path}/edge`, json);
    const { headers } = await client.bytes(`${path}/edge`, json, gzip);
    sizes.set(plain.bytes.length, headers['content-encoding']);
    sizeBytes += Math.max(1, leastBytes - plain.bytes.length);
  }
  expect([sizes.get(leastBytes), sizes.get(leastBytes + 1)]).toEqual([undefined, 'gzip']);
});

describe.each([json, protobuf, 'application/yaml', `${json};as=Table;g=meta.k8s.io;v=v1`])('as %s', (accept) => {
  const query = accept.includes('Table') ? '?includeObject=Object' : '';

  test('a large object is compressed for clients that accept gzip', async () => {
    const plain = await client.bytes(`${path}/large${query}`, accept);
    const { headers, bytes } = await client.bytes(`${path}/large${query}`, accept, gzip);
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(withoutAges(gunzipSync(bytes)).equals(withoutAges(plain.bytes))).toBe(true);
    expect(plain.headers).not.toHaveProperty('vary');
  });

  test('a list of several chunks is compressed as one stream', async () => {
    const plain = await client.bytes(`${path}${query}`, accept);
    expect(plain.bytes.length).toBeGreaterThan(800_000);
    const { headers, bytes } = await client.bytes(`${path}${query}`, accept, gzip);
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(withoutAges(gunzipSync(bytes)).equals(withoutAges(plain.bytes))).toBe(true);
  });
});

/** The last cell of each row of a table: it grows with the clock. */
function withoutAges(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(/"[\dsmh]+"\]/g, '"age"]'), 'latin1');
}

test('small responses are not compressed, and weights are ignored', async () => {
  expect((await client.bytes(`${path}/c1`, json, gzip)).headers).not.toHaveProperty('content-encoding');
  const weighed = await client.bytes(path, json, { 'accept-encoding': 'gzip;q=1' });
  expect(weighed.headers).not.toHaveProperty('content-encoding');
});

const watchList = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1';

test('a watch with initial events is compressed, event by event', async () => {
  const watch = `${path}?${watchList}&allowWatchBookmarks=true&labelSelector=app=shop`;
  const { headers, bytes } = await client.bytes(watch, json, gzip);
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  const events = gunzipSync(bytes).toString().trimEnd().split('\n');
  expect(events.map((line) => (JSON.parse(line) as JsonObject)['type'])).toEqual([
    ...Array.from({ length: 40 }, () => 'ADDED'),
    'BOOKMARK',
  ]);
});

test('other watches are not', async () => {
  for (const query of [watchList, 'watch=true&timeoutSeconds=1&resourceVersion=1']) {
    expect((await client.bytes(`${path}?${query}`, json, gzip)).headers).not.toHaveProperty('content-encoding');
  }
});

test.each(['/openapi/v2', '/metrics'])('%s is compressed for those who prefer it', async (page) => {
  const plain = await client.bytes(page, '*/*');
  const { headers, bytes } = await client.bytes(page, '*/*', { 'accept-encoding': 'br;q=0.1, gzip;q=0.5' });
  expect([headers['content-encoding'], plain.headers['content-encoding']]).toEqual(['gzip', undefined]);
  expect(Math.abs(gunzipSync(bytes).length - plain.bytes.length)).toBeLessThan(2000);
});

test('gates disable it', async () => {
  const featureGates = new Map([
    ['APIResponseCompression', false],
    ['WatchListCompression', false],
  ]);
  await using plainServer = await startTestServer({ featureGates });
  using plainClient = await ApiClient.connect(plainServer);
  await plainClient.send('POST', path, { body: { metadata: { name: 'large' }, data: { a: 'x'.repeat(200_000) } } });
  for (const page of [`${path}/large`, path, `${path}?${watchList}&allowWatchBookmarks=true`]) {
    expect((await plainClient.bytes(page, json, gzip)).headers).not.toHaveProperty('content-encoding');
  }
});
