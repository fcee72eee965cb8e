import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { define, definitionsPath, group, ship, ships, shipsPath } from './definitions.ts';

let server: TestServer;
let client: ApiClient;
const migrationsPath = '/apis/storagemigration.k8s.io/v1/storageversionmigrations';
const anything = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const [v1, v2] = ['v1', 'v2'].map((name) => ({ name, schema: anything }));

beforeAll(async () => {
  server = await startTestServer({}, {}, { config: { controllers: ['storage-version-migrator-controller'] } });
  client = await ApiClient.connect(server);
  await define(client, ships({ versions: [v1, v2] as never }));
  for (const name of ['a', 'b', 'c']) await client.send('POST', shipsPath(), { body: ship(name, {}) });
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

async function resourceVersions(): Promise<readonly string[]> {
  const { body } = await client.send('GET', shipsPath());
  return (body['items'] as { metadata: { resourceVersion: string } }[]).map(({ metadata }) => metadata.resourceVersion);
}

const waiting = { timeout: 10_000 };

async function migrate(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const body = { metadata: { name }, spec: { resource: { group, resource: 'ships' } } };
    expect((await client.send('POST', migrationsPath, { body })).code).toBe(201);
  }
  for (const name of names) {
    await vi.waitFor(async () => {
      const { body } = await client.send('GET', `${migrationsPath}/${name}`);
      expect(body['status']).toMatchObject({
        conditions: [
          { type: 'Running', status: 'False' },
          { type: 'Succeeded', status: 'True' },
        ],
      });
    }, waiting);
  }
}

test('objects are written when they are stored otherwise, and only then', async () => {
  const first = await resourceVersions();
  await migrate('idle');
  expect(await resourceVersions()).toEqual(first);
  const versions = [
    { ...v1, served: true, storage: false },
    { ...v2, served: true, storage: true },
  ];
  const contentType = 'application/merge-patch+json';
  const path = `${definitionsPath}/ships.${group}`;
  expect((await client.send('PATCH', path, { body: { spec: { versions } }, contentType })).code).toBe(200);
  await migrate('one', 'two');
  const second = await resourceVersions();
  expect(second.filter((version, index) => version !== first[index])).toHaveLength(3);
  expect((await client.send('GET', path)).body['status']).toMatchObject({ storedVersions: ['v2'] });
  await migrate('again');
  expect(await resourceVersions()).toEqual(second);
});
