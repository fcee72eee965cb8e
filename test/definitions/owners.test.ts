import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { define, definitionsPath, group, ship, ships, shipsPath, specSchema } from './definitions.ts';

// Owners of versions that do not exist, and owners that requests send, as in the reference.

let server: TestServer;
let client: ApiClient;

const merge = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';
const text = { type: 'string' };

function definition(...versions: readonly string[]): { readonly spec: { readonly versions: object } } {
  const schema = specSchema({ a: text, b: text });
  return ships({ versions: versions.map((name) => ({ name, schema })) }) as { spec: { versions: object } };
}

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  await define(client, definition('v1', 'v1alpha1'));
  for (const name of ['removed', 'sent']) {
    await client.send('POST', `${shipsPath()}?fieldManager=maker`, { body: ship(name, { a: 'x' }) });
  }
  const body = { spec: { b: 'y' } };
  await client.send('PATCH', `${shipsPath('v1alpha1')}/removed?fieldManager=old`, { body, contentType: merge });
  const { spec } = definition('v1');
  await client.send('PATCH', `${definitionsPath}/ships.${group}/status`, {
    body: { status: { storedVersions: ['v1'] } },
    contentType: merge,
  });
  await client.send('PATCH', `${definitionsPath}/ships.${group}`, { body: { spec }, contentType: merge });
  const removedPath = shipsPath('v1alpha1');
  await vi.waitFor(async () => expect((await client.exchange('GET', removedPath, {})).code).toBe(404));
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

type Sent = readonly [method: string, body: object, contentType?: string];

/** The managers, or the code and the message of a failure. */
async function ownersAfter(path: string, [method, body, contentType]: Sent): Promise<unknown> {
  const type = contentType === undefined ? {} : { contentType };
  const query = `dryRun=All&fieldManager=m${contentType === apply ? '&force=true' : ''}`;
  const answer = await client.send(method, `${path}?${query}`, { body, ...type });
  if (answer.code > 201) return [answer.code, answer.body['message']];
  const { managedFields = [] } = answer.body['metadata'] as { managedFields?: { manager: string }[] };
  return managedFields.map(({ manager }) => manager).toSorted();
}

const removed = `${shipsPath()}/removed`;
const gone = `request to convert CR to an invalid group/version: ${group}/v1alpha1`;

test.each<readonly [string, Sent, unknown]>([
  ['an apply', ['PATCH', ship('removed', { a: 'z' }), apply], [500, gone]],
  ['a merge patch', ['PATCH', { spec: { a: 'z' } }, merge], ['maker', 'old']],
  ['a merge patch of what it owned', ['PATCH', { spec: { b: 'z' } }, merge], ['maker', 'old']],
  ['a JSON patch', ['PATCH', [{ op: 'remove', path: '/spec/a' }], jsonPatch], ['maker', 'old']],
])('%s of an object with an owner at a version that is gone', async (_, sent, expected) => {
  expect(await ownersAfter(removed, sent)).toEqual(expected);
});

function entry(apiVersion: string): object {
  const fieldsV1 = { 'f:spec': { 'f:a': {} } };
  return { manager: 'k', operation: 'Update', apiVersion, fieldsType: 'FieldsV1', fieldsV1 };
}

const lists: readonly (readonly [managedFields: unknown, ofCustom: readonly string[], ofMap: readonly string[]])[] = [
  [[], ['maker'], []],
  [[{}], [], []],
  [null, ['maker'], ['maker']],
  [[entry('v1')], ['maker'], ['k']],
  [[entry('apps/v1')], ['maker'], []],
  [[entry(`${group}/v9`)], ['maker'], []],
];

test.each(lists)('managedFields %j in a patch, and in an update', async (managedFields, ofCustom, ofMap) => {
  const maps = '/api/v1/namespaces/default/configmaps';
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'sent' }, data: { a: 'x' } };
  await client.send('POST', `${maps}?fieldManager=maker`, { body: map });
  for (const [path, expected] of [
    [`${shipsPath()}/sent`, ofCustom],
    [`${maps}/sent`, ofMap],
  ] as const) {
    const { body } = await client.send('GET', path);
    const metadata = body['metadata'] as object;
    const expectedOwners = [
      await ownersAfter(path, ['PATCH', { metadata: { managedFields } }, merge]),
      await ownersAfter(path, [
        'PATCH',
        [{ op: 'replace', path: '/metadata/managedFields', value: managedFields }],
        jsonPatch,
      ]),
      await ownersAfter(path, ['PUT', { ...body, metadata: { ...metadata, managedFields } }]),
    ];
    expect(expectedOwners, path).toEqual([expected, expected, expected]);
  }
});

test.each(['v1', 'apps/v1', `${group}/v9`])('a new object with an owner at %s has no owners', async (apiVersion) => {
  const body = ship('new', { a: 'x' }) as { metadata: object };
  const metadata = { ...body.metadata, managedFields: [entry(apiVersion)] };
  expect(await ownersAfter(shipsPath(), ['POST', { ...body, metadata }])).toEqual([]);
});
