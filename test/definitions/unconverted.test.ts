import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { type ConversionWebhook, reviewOf, startConversionWebhook } from './conversion-webhook.ts';
import { define, definitionsPath, group, ship, ships, shipsPath, specSchema, undefine } from './definitions.ts';

// Stored objects that a webhook does not convert are unreadable, in the reference's words.

let server: TestServer;
let client: ApiClient;
let webhook: ConversionWebhook;
let why: string;
const one = `${shipsPath('v2')}/one`;
const merge = 'application/merge-patch+json';

function definition(storage: 'v1' | 'v2'): object {
  const text = { type: 'string' };
  const { url, caBundle } = webhook;
  return ships({
    versions: [
      { name: 'v1', storage: storage === 'v1', schema: specSchema({ name: text }) },
      { name: 'v2', storage: storage === 'v2', schema: specSchema({ title: text }) },
    ],
    conversion: {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url, caBundle } },
    },
  });
}

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  webhook = await startConversionWebhook(server.scratchDir);
});

afterAll(async () => {
  webhook.answer = undefined;
  await undefine(client);
  client[Symbol.dispose]();
  await webhook[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

function corrupt(prefix: string): string {
  const key = `${prefix}/${group}/ships/default/one`;
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
}

const another = { body: { metadata: { labels: { a: 'b' } } }, contentType: merge };

describe.each([
  ['in the storage version', 'v1'],
  ['in a former storage version', 'v2'],
] as const)('an object %s', (_, storage) => {
  beforeAll(async () => {
    webhook.answer = undefined;
    await undefine(client);
    await define(client, definition('v1'));
    const { body } = await client.send('POST', shipsPath(), { body: ship('one', { name: 'a' }) });
    const { resourceVersion } = body['metadata'] as { resourceVersion: string };
    const failure = `conversion webhook for ${group}/v1, Kind=Ship failed: not now`;
    why = `object not decodable revision=${resourceVersion}: ${failure}`;
    if (storage === 'v1') return;
    const path = `${definitionsPath}/ships.${group}`;
    await client.send('PATCH', path, { body: definition(storage), contentType: merge });
    await vi.waitFor(async () => expect((await client.send('GET', one)).body['spec']).toEqual({ title: 'a' }));
  });

  beforeEach(() => {
    webhook.answer = ({ request: { uid } }) => ({
      body: reviewOf({ uid, result: { status: 'Failure', message: 'not now' } }),
    });
  });

  test.each(['GET', 'DELETE'])('%s', async (method) => {
    expect((await client.send(method, one)).body).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${corrupt('')}`,
    });
  });

  test.each([
    ['GET', shipsPath('v2')],
    ['GET', `${shipsPath('v2')}?limit=1`],
  ])('%s %s', async (method, path) => {
    const message = corrupt('/registry');
    expect((await client.send(method, path)).body).toMatchObject({
      code: 500,
      reason: 'StorageReadError',
      message: `failed to read one or more ships.${group} from the storage: ${message}`,
      details: { name: 'list', kind: 'ships', causes: [{ reason: 'UnexpectedServerResponse', message }] },
    });
  });

  test('a patch, and an apply', async () => {
    expect((await client.send('PATCH', one, another)).body).toMatchObject({ code: 500, message: why });
    const apply = { body: ship('one', {}, 'v2'), contentType: 'application/apply-patch+yaml' };
    expect((await client.send('PATCH', `${one}?fieldManager=m`, apply)).body).toMatchObject({
      code: 500,
      message: why,
    });
  });
});
