import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { define, definitionsPath, group, ship, ships, specSchema } from '../definitions/definitions.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

// Namespaces with objects that cannot be converted, as kube-controller-manager tells of them.

let server: TestServer;
let client: ApiClient;

const text = { type: 'string' };
const versions = [
  { name: 'v1', schema: specSchema({ name: text }) },
  { name: 'v2', schema: specSchema({ name: text, other: text }) },
];
const space = '/api/v1/namespaces/stuck';
const stuckShips = `/apis/${group}/v1/namespaces/stuck/ships`;
const merge = 'application/merge-patch+json';

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  await define(client, ships({ versions }));
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

async function convertBy(conversion: JsonObject): Promise<void> {
  const body = { spec: { conversion } };
  const { code } = await client.send('PATCH', `${definitionsPath}/ships.${group}`, { body, contentType: merge });
  expect(code).toBe(200);
}

/** The condition about content that cannot be deleted. */
async function failure(): Promise<JsonObject | undefined> {
  const { body } = await client.send('GET', space);
  const { conditions = [] } = (body['status'] ?? {}) as { conditions?: JsonObject[] };
  return conditions.find(({ type }) => type === 'NamespaceDeletionContentFailure');
}

test('a namespace stays until its objects can be converted, and tells why', async () => {
  await client.send('POST', '/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'stuck' } },
  });
  await client.send('POST', stuckShips, { body: ship('one', { name: 'a' }) });
  const { body } = await client.send('POST', stuckShips, { body: ship('another', { name: 'b' }) });
  const { resourceVersion } = body['metadata'] as { resourceVersion: string };
  const clientConfig = { url: 'https://127.0.0.1:1/' };
  await convertBy({ strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } });
  const failing = async (): Promise<number> => (await client.send('GET', stuckShips.replace('/v1/', '/v2/'))).code;
  await vi.waitFor(async () => expect(await failing()).toBe(500), { timeout: 10_000 });
  expect((await client.send('DELETE', space)).code).toBe(200);
  await vi.waitFor(async () => expect(await failure()).toMatchObject({ status: 'True' }), { timeout: 10_000 });
  const corrupt = `StorageError: corrupt object, Code: 7, Key: /registry/${group}/ships/stuck/another, ResourceVersion: 0`;
  const why = `conversion webhook for ${group}/v1, Kind=Ship failed: Post "https://127.0.0.1:1/?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused`;
  const condition = {
    reason: 'ContentDeletionFailed',
    message: `Failed to delete all resource types, 1 remaining: failed to read one or more ships.${group} from the storage: ${corrupt}, AdditionalErrorMsg: object not decodable revision=${resourceVersion}: ${why} (and 1 more)`,
  };
  expect(await failure()).toMatchObject(condition);
  await convertBy({ strategy: 'None', webhook: null });
  await vi.waitFor(async () => expect((await client.send('GET', space)).code).toBe(404), { timeout: 20_000 });
}, 60_000);
