import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { define, definitionsPath, group, ship, ships, shipsPath, specSchema } from './definitions.ts';

// Responses as those of the reference, except for lists, which it refuses with 429 as long as one object is unreadable.

let server: TestServer;
let client: ApiClient;
const path = `${definitionsPath}/ships.${group}`;
const one = `${shipsPath('v2')}/one`;
let why: string;

const merge = 'application/merge-patch+json';

async function change(of: string, body: object): Promise<void> {
  const { code } = await client.send('PATCH', of, { body, contentType: merge });
  expect(code).toBe(200);
}

function definition(...versions: readonly string[]): object {
  return ships({ versions: versions.map((name) => ({ name, schema: specSchema({ a: { type: 'string' } }) })) });
}

/** An object is stored in a version, and nobody migrates it before the version is removed. */
beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  await define(client, definition('v1', 'v2'));
  const { body } = await client.send('POST', shipsPath('v1'), { body: ship('one', { a: 'x' }) });
  const { resourceVersion } = body['metadata'] as { resourceVersion: string };
  why = `object not decodable revision=${resourceVersion}: request to convert CR from an invalid group/version: ${group}/v1`;
  await change(path, definition('v2', 'v1'));
  await change(`${path}/status`, { status: { storedVersions: ['v2'] } });
  await change(path, definition('v2'));
  await vi.waitFor(async () => expect((await client.send('GET', one)).code).toBe(500), { timeout: 5000 });
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

function corrupt(prefix: string): string {
  const key = `${prefix}/${group}/ships/default/one`;
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
}

test.each(['GET', 'DELETE'])('%s fails', async (method) => {
  const { code, body } = await client.send(method, one);
  expect([code, body]).toMatchObject([
    500,
    {
      reason: 'InternalError',
      message: `Internal error occurred: ${corrupt('')}`,
      details: { causes: [{ message: corrupt('') }] },
    },
  ]);
});

test.each([
  ['PUT', ship('one', { a: 'y' }, 'v2'), undefined],
  ['PATCH', { spec: { a: 'y' } }, merge],
  ['PATCH', ship('one', { a: 'y' }, 'v2'), 'application/apply-patch+yaml'],
] as const)('%s with %j fails', async (method, body, contentType) => {
  const type = contentType === undefined ? {} : { contentType };
  const answer = await client.send(method, `${one}?fieldManager=m`, { body, ...type });
  expect([answer.code, answer.body]).toMatchObject([500, { message: why }]);
});

test('other objects are unaffected, and its name is taken', async () => {
  const create = async (name: string): Promise<number> =>
    (await client.send('POST', shipsPath('v2'), { body: ship(name, {}, 'v2') })).code;
  expect([await create('another'), await create('one')]).toEqual([201, 409]);
  expect((await client.send('GET', `${shipsPath('v2')}/another`)).code).toBe(200);
  expect((await client.send('GET', shipsPath('v2'))).body).toMatchObject({
    code: 500,
    message: `failed to read one or more ships.${group} from the storage: ${corrupt('/registry')}`,
  });
});

test('the definition stays', async () => {
  await client.send('DELETE', path);
  const terminating = async (): Promise<object | undefined> => {
    const { conditions = [] } = (await client.send('GET', path)).body['status'] as { conditions?: { type: string }[] };
    return conditions.find(({ type }) => type === 'Terminating');
  };
  await expect.poll(terminating).toMatchObject({
    status: 'True',
    reason: 'InstanceDeletionFailed',
    message: expect.stringMatching(/^could not list instances: .*: request to convert CR from an invalid group/),
  });
});
