import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { type AggregatedServer, startAggregatedServer } from './aggregated-server.ts';
import { group } from './extension-server.ts';

let aggregated: AggregatedServer;

beforeAll(async () => {
  aggregated = await startAggregatedServer();
}, 30_000);

afterAll(() => aggregated?.[Symbol.asyncDispose]());

const tides = `/apis/${group}/v1/namespaces/doomed/tides`;

test('a namespace is emptied of objects of other servers', async () => {
  const { client, extension } = aggregated;
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'doomed' } } });
  await client.send('DELETE', '/api/v1/namespaces/doomed');
  await expect.poll(async () => (await client.send('GET', '/api/v1/namespaces/doomed')).code).toBe(404);
  expect(extension.received).toContain(`DELETE ${tides}/flood`);
});

test('and stays while it is not known what they have', async () => {
  const { client } = aggregated;
  const version = { group: 'ebb.example', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 };
  const body = {
    metadata: { name: 'v1.ebb.example' },
    spec: { ...version, service: { namespace: 'harbor', name: 'ebb' } },
  };
  expect((await client.send('POST', '/apis/apiregistration.k8s.io/v1/apiservices', { body })).code).toBe(201);
  await expect.poll(() => client.text('/apis')).toContain('ebb.example');
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'kept' } } });
  await client.send('DELETE', '/api/v1/namespaces/kept');
  const condition = async (): Promise<JsonValue> => {
    const { body: namespace } = await client.send('GET', '/api/v1/namespaces/kept');
    const { conditions = [] } = isJsonObject(namespace['status']) ? namespace['status'] : {};
    const found = Array.isArray(conditions) ? conditions[0] : undefined;
    return isJsonObject(found) ? [found['reason'] ?? null, found['message'] ?? null] : null;
  };
  await expect
    .poll(condition)
    .toEqual([
      'DiscoveryFailed',
      'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: ebb.example/v1: stale GroupVersion discovery: ebb.example/v1',
    ]);
  await client.send('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.ebb.example');
  await expect
    .poll(async () => (await client.send('GET', '/api/v1/namespaces/kept')).code, { timeout: 10_000 })
    .toBe(404);
});
