import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../api-client.ts';
import {
  convertedShips,
  type ConversionWebhook,
  type ConvertingServer,
  reviewOf,
  startConvertingServer,
} from './conversion-webhook.ts';
import { define, definitionsPath, group, ship, shipsPath, specSchema, undefine } from './definitions.ts';

/* Conversion between versions by webhook, over HTTPS. */

let server: ConvertingServer;
let client: ApiClient;
let webhook: ConversionWebhook;
const failing = `conversion webhook for ${group}/v1, Kind=Ship`;

beforeAll(async () => {
  server = await startConvertingServer();
  ({ client, webhook } = server);
  await define(client, definition(webhook));
  await client.send('POST', shipsPath(), { body: ship('one', { name: 'first' }) });
});

afterEach(() => {
  webhook.answer = undefined;
  webhook.calls.length = 0;
});

afterAll(async () => {
  await undefine(client);
  await server[Symbol.asyncDispose]();
});

function definition(at: Pick<ConversionWebhook, 'url' | 'caBundle'>): object {
  const versions = [
    { name: 'v1', schema: specSchema({ name: { type: 'string' } }) },
    { name: 'v2', schema: specSchema({ title: { type: 'string', maxLength: 20 } }) },
  ];
  return convertedShips(at, versions, ['v9', 'v1']);
}

const two = shipsPath('v2');

test('objects are written and read in both versions', async () => {
  expect((await client.send('GET', `${two}/one`)).body).toMatchObject({
    apiVersion: `${group}/v2`,
    spec: { title: 'first' },
  });
  const made = await client.send('POST', two, { body: ship('second', { title: 'other' }, 'v2') });
  expect(made).toMatchObject({ code: 201, body: { apiVersion: `${group}/v2`, spec: { title: 'other' } } });
  expect((await client.send('GET', `${shipsPath()}/second`)).body['spec']).toEqual({ name: 'other' });
  const body = { spec: { title: 'changed' } };
  const contentType = 'application/merge-patch+json';
  expect((await client.send('PATCH', `${two}/second`, { body, contentType })).body['spec']).toEqual(body.spec);
  const applied = { body: ship('second', { title: 'applied' }, 'v2'), contentType: 'application/apply-patch+yaml' };
  const answer = await client.send('PATCH', `${two}/second?fieldManager=m&force=true`, applied);
  expect(answer).toMatchObject({ code: 200, body: { spec: { title: 'applied' } } });
});

test('errors in the version of the request are reported in its terms', async () => {
  const long = 'a title of more than twenty';
  expect(await client.send('POST', two, { body: ship('long', { title: long }, 'v2') })).toMatchObject({
    code: 422,
    body: { details: { causes: [{ field: 'spec.title', reason: 'FieldValueTooLong' }] } },
  });
  expect((await client.send('POST', `${shipsPath()}?dryRun=All`, { body: ship('long', { name: long }) })).code).toBe(
    201,
  );
});

test('a list is converted in one call', async () => {
  for (const name of ['a', 'b', 'c']) await client.send('POST', shipsPath(), { body: ship(`batch-${name}`, { name }) });
  webhook.calls.length = 0;
  const { body } = await client.send('GET', two);
  expect((body['items'] as object[]).length).toBeGreaterThan(3);
  expect(webhook.calls).toEqual([(body['items'] as object[]).length]);
});

test('watches deliver objects in the requested version', async () => {
  const { body } = await client.send('GET', shipsPath());
  const { resourceVersion } = body['metadata'] as { resourceVersion: string };
  await client.send('POST', shipsPath(), { body: ship('watched', { name: 'seen' }) });
  const specs: unknown[] = [];
  const path = `${two}?watch=1&timeoutSeconds=1&resourceVersion=${resourceVersion}`;
  for await (const { object } of client.watch(path)) specs.push(object['spec']);
  expect(specs).toEqual([{ title: 'seen' }]);
});

test.each<readonly [string, NonNullable<ConversionWebhook['answer']>, string]>([
  [
    'an error of its own',
    () => ({ code: 500, body: 'broken' }),
    'failed: an error on the server ("broken") has prevented the request from succeeding',
  ],
  [
    'no response',
    () => ({ body: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' } }),
    'failed: no response provided',
  ],
  [
    'the answer to another',
    () => ({ body: reviewOf({ uid: 'x', result: { status: 'Success' } }) }),
    'failed: expected response.uid=',
  ],
  [
    'a refusal',
    ({ request: { uid } }) => ({ body: reviewOf({ uid, result: { status: 'Failure', message: 'no such ship' } }) }),
    'failed: no such ship',
  ],
  [
    'a refusal without words',
    ({ request: { uid } }) => ({ body: reviewOf({ uid, result: {} }) }),
    "failed: response.result.status was '', not 'Success'",
  ],
  [
    'too few objects',
    ({ request: { uid } }) => ({ body: reviewOf({ uid, result: { status: 'Success' }, convertedObjects: [] }) }),
    'returned 0 objects, expected 1',
  ],
  [
    'another version',
    ({ request: { uid, objects } }) => ({
      body: reviewOf({ uid, result: { status: 'Success' }, convertedObjects: objects }),
    }),
    `returned invalid object at index 0: invalid groupVersion (expected ${group}/v2, received ${group}/v1)`,
  ],
  [
    'another name',
    ({ request: { uid, objects, desiredAPIVersion: apiVersion } }) => ({
      body: reviewOf({
        uid,
        result: { status: 'Success' },
        convertedObjects: objects.map((object) => ({
          ...object,
          apiVersion,
          metadata: { ...object.metadata, name: 'other' },
        })),
      }),
    }),
    'returned invalid object: must have the same name: one != other',
  ],
])('a webhook that answers with %s fails the request', async (_, answer, message) => {
  webhook.answer = answer;
  const { code, body } = await client.send('GET', `${two}/one`);
  expect(code).toBe(500);
  expect(body['message']).toContain(`${failing} ${message}`);
});

test('labels may be converted, other metadata is kept', async () => {
  webhook.answer = ({ request: { uid, objects, desiredAPIVersion: apiVersion } }) => ({
    body: reviewOf({
      uid,
      result: { status: 'Success' },
      convertedObjects: objects.map(({ kind, metadata }) => ({
        apiVersion,
        kind,
        metadata: { ...metadata, labels: { a: 'b' }, generation: 9 },
      })),
    }),
  });
  expect((await client.send('GET', `${two}/one`)).body['metadata']).toMatchObject({
    labels: { a: 'b' },
    generation: 1,
  });
});

test('an unreachable or untrusted webhook is reported', async () => {
  const contentType = 'application/merge-patch+json';
  const path = `${definitionsPath}/ships.${group}`;
  const message = async () => (await client.send('GET', `${two}/one`)).body['message'];
  const unreachable = definition({ ...webhook, url: 'https://127.0.0.1:1/convert' });
  await client.send('PATCH', path, { body: unreachable, contentType });
  await expect
    .poll(message)
    .toContain(
      `${failing} failed: Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused`,
    );
  await client.send('PATCH', path, { body: definition({ ...webhook, caBundle: '' }), contentType });
  await expect.poll(message).toContain('x509: certificate signed by unknown authority');
  await client.send('PATCH', path, { body: definition(webhook), contentType });
  await expect.poll(message).toBeUndefined();
});

test('calls are counted by how they ended', async () => {
  const tells = async (name: string, labels: readonly string[]): Promise<boolean> => {
    const lines = (await client.text('/metrics')).split('\n').filter((line) => line.startsWith(`${name}{`));
    return lines.some((line) => labels.every((label) => line.includes(label)));
  };
  webhook.answer = ({ request: { uid } }) => ({
    body: reviewOf({ uid, result: { status: 'Success' }, convertedObjects: [] }),
  });
  await client.send('GET', `${two}/one`);
  webhook.answer = undefined;
  await client.send('GET', `${two}/one`);
  const requests = 'apiserver_conversion_webhook_request_total';
  expect(await tells(requests, ['result="success"', 'failure_type=""'])).toBe(true);
  expect(await tells(requests, ['failure_type="conversion_webhook_partial_response_failure"'])).toBe(true);
  const versions = [`crd_name="ships.${group}"`, 'from_version="v1"', 'to_version="v2"', 'succeeded="true"'];
  expect(await tells('apiserver_crd_conversion_webhook_duration_seconds_count', versions)).toBe(true);
});
