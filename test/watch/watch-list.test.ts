import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/default/configmaps';
const parameters = 'watch=true&timeoutSeconds=1&allowWatchBookmarks=true';
const streaming = `${parameters}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;

/** `TYPE name` of each event, and whether the end of the initial events is marked. */
async function events(client: ApiClient, query: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { type, object } of client.watch(`${path}?${query}`)) {
    const { metadata } = object as { metadata?: { name?: string; annotations?: object } };
    found.push(`${type} ${metadata?.annotations === undefined ? (metadata?.name ?? '') : 'end'}`.trim());
  }
  return found;
}

test.each([
  ['off', { featureGates: new Map([['WatchList', false]]) }],
  ['off by default, as in 1.33', { emulatedVersion: '1.33' }],
])('with the gate WatchList %s watches start as before', async (_, api) => {
  await using server = await startTestServer(api);
  using client = await ApiClient.connect(server);
  await client.send('POST', path, { body: { metadata: { name: 'a' } } });
  expect(await events(client, parameters)).toEqual(['ADDED a']);
  const { code, body } = await client.send('GET', `${path}?${streaming}`);
  expect(code).toBe(422);
  expect(body['message']).toBe(
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
  );
});

test('in 1.34 it is on by default', async () => {
  await using server = await startTestServer({ emulatedVersion: '1.34' });
  using client = await ApiClient.connect(server);
  await client.send('POST', path, { body: { metadata: { name: 'a' } } });
  expect(await events(client, parameters)).toEqual(['ADDED a', 'BOOKMARK end']);
  expect(await events(client, streaming)).toEqual(['ADDED a', 'BOOKMARK end']);
});
