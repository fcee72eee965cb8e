import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../api-client.ts';
import {
  convertedShips,
  type ConversionWebhook,
  type ConvertingServer,
  reviewOf,
  startConvertingServer,
} from './conversion-webhook.ts';
import {
  define,
  definitionsPath,
  group,
  ship,
  ships,
  type Ships,
  shipsPath,
  specSchema,
  undefine,
} from './definitions.ts';

/* Versions of one kind that differ in more than their name. */

let server: ConvertingServer;
let client: ApiClient;
let webhook: ConversionWebhook;

beforeAll(async () => {
  server = await startConvertingServer();
  ({ client, webhook } = server);
});

afterEach(async () => {
  webhook.answer = undefined;
  await undefine(client);
});

afterAll(() => server[Symbol.asyncDispose]());

const text = { type: 'string' };
const number = { type: 'integer' };

const renamed: Ships['versions'] = [
  { name: 'v1', schema: specSchema({ name: text }), selectableFields: [{ jsonPath: '.spec.name' }] },
  { name: 'v2', schema: specSchema({ title: text }), selectableFields: [{ jsonPath: '.spec.title' }] },
];

async function names(path: string): Promise<unknown> {
  const { code, body } = await client.send('GET', path);
  if (code !== 200) return body['message'];
  return (body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
}

/** Makes another version the stored one. */
async function store(version: string): Promise<void> {
  const { body } = await client.send('GET', `${definitionsPath}/ships.${group}`);
  const { versions, ...spec } = body['spec'] as { versions: { name: string }[] };
  const stored = versions.map((each) => ({ ...each, storage: each.name === version }));
  const changed = { ...body, spec: { ...spec, versions: stored } };
  const answer = await client.send('PUT', `${definitionsPath}/ships.${group}`, { body: changed });
  expect(answer.code, JSON.stringify(answer.body)).toBe(200);
}

test('fields are selectable in the versions that say so', async () => {
  await define(client, convertedShips(webhook, renamed));
  for (const name of ['red', 'blue']) await client.send('POST', shipsPath(), { body: ship(name, { name }) });
  expect(await names(`${shipsPath()}?fieldSelector=spec.name%3Dred`)).toEqual(['red']);
  expect(await names(`${shipsPath('v2')}?fieldSelector=spec.title%3Dred`)).toEqual(['red']);
  expect(await names(`${shipsPath('v2')}?fieldSelector=spec.name%3Dred`)).toBe('field label not supported: spec.name');
  expect(await names(`${shipsPath()}?fieldSelector=spec.other%3Dred`)).toBe('field label not supported: spec.other');
});

test('a watch in another version than the stored one tells of what comes into its selection and leaves it', async () => {
  await define(client, convertedShips(webhook, renamed));
  await client.send('POST', shipsPath(), { body: ship('one', { name: 'red' }) });
  await client.send('POST', shipsPath(), { body: ship('two', { name: 'blue' }) });
  const seen: string[] = [];
  const watching = (async () => {
    const path = `${shipsPath('v2')}?watch=1&timeoutSeconds=2&fieldSelector=spec.title%3Dred`;
    for await (const { type, object } of client.watch(path)) {
      seen.push(`${type} ${(object['metadata'] as { name: string }).name}`);
    }
  })();
  await expect.poll(() => seen).toEqual(['ADDED one']);
  const rename = (name: string, to: string) =>
    client.send('PATCH', `${shipsPath()}/${name}`, {
      body: { spec: { name: to } },
      contentType: 'application/merge-patch+json',
    });
  await rename('two', 'red');
  await rename('one', 'green');
  await rename('one', 'yellow');
  await client.send('DELETE', `${shipsPath('v2')}/two`);
  await watching;
  expect(seen).toEqual(['ADDED one', 'ADDED two', 'DELETED one', 'DELETED two']);
});

test('a collection is deleted as it is selected in the version of the request', async () => {
  await define(client, convertedShips(webhook, renamed));
  for (const name of ['red', 'blue']) await client.send('POST', shipsPath(), { body: ship(name, { name }) });
  await client.send('DELETE', `${shipsPath('v2')}?fieldSelector=spec.title%3Dred`);
  expect(await names(shipsPath())).toEqual(['blue']);
});

test('the scale of a version is where that version has it', async () => {
  const scaled = (specReplicasPath: string) => ({
    schema: specSchema({ crew: number, sailors: number }),
    subresources: { scale: { specReplicasPath, statusReplicasPath: '.status.crew' } },
  });
  const versions = [
    { name: 'v1', ...scaled('.spec.crew') },
    { name: 'v2', ...scaled('.spec.sailors') },
  ];
  await define(client, ships({ versions }));
  await client.send('POST', shipsPath(), { body: ship('one', { crew: 3, sailors: 5 }) });
  const replicas = async (version: string) =>
    (await client.send('GET', `${shipsPath(version)}/one/scale`)).body['spec'];
  expect([await replicas('v1'), await replicas('v2')]).toEqual([{ replicas: 3 }, { replicas: 5 }]);
  await client.send('PATCH', `${shipsPath('v2')}/one/scale?fieldManager=scaler`, {
    body: { spec: { replicas: 8 } },
    contentType: 'application/merge-patch+json',
  });
  const { body } = await client.send('GET', `${shipsPath()}/one`);
  expect(body['spec']).toEqual({ crew: 3, sailors: 8 });
  const { managedFields } = body['metadata'] as { managedFields: object[] };
  expect(managedFields).toContainEqual(
    expect.objectContaining({
      manager: 'scaler',
      apiVersion: `${group}/v2`,
      subresource: 'scale',
      fieldsV1: { 'f:spec': { 'f:sailors': {} } },
    }),
  );
});

test('defaults of the stored version are there when an object is read, and are not stored', async () => {
  const versions = [
    { name: 'v1', schema: specSchema({ flag: { ...text, default: 'white' }, hull: text }) },
    { name: 'v2', schema: specSchema({ flag: text, hull: { ...text, default: 'wood' } }) },
  ];
  await define(client, ships({ versions }));
  const made = await client.send('POST', shipsPath('v2'), { body: ship('one', {}, 'v2') });
  expect(made.body['spec']).toEqual({ flag: 'white', hull: 'wood' });
  const path = `${definitionsPath}/ships.${group}`;
  const patch = [
    {
      op: 'replace',
      path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/flag/default',
      value: 'black',
    },
  ];
  await client.send('PATCH', path, { body: patch, contentType: 'application/json-patch+json' });
  await expect
    .poll(async () => (await client.send('GET', `${shipsPath('v2')}/one`)).body['spec'])
    .toEqual({ flag: 'black', hull: 'wood' });
});

test('what is stored in another version is converted when it is read, and is stored anew when it is written', async () => {
  await define(client, convertedShips(webhook, renamed));
  await client.send('POST', shipsPath(), { body: ship('old', { name: 'first' }) });
  await store('v2');
  await client.send('POST', shipsPath(), { body: ship('new', { name: 'second' }) });
  const specs = async (version: string) =>
    ((await client.send('GET', shipsPath(version))).body['items'] as { spec: object }[]).map(({ spec }) => spec);
  expect(await specs('v1')).toEqual([{ name: 'second' }, { name: 'first' }]);
  expect(await specs('v2')).toEqual([{ title: 'second' }, { title: 'first' }]);
  webhook.answer = ({ request: { uid } }) => ({
    body: reviewOf({ uid, result: { status: 'Failure', message: 'not now' } }),
  });
  const refused = expect.stringMatching(/^Internal error occurred: StorageError: .*Kind=Ship failed: not now$/);
  const old = `${shipsPath('v2')}/old`;
  expect((await client.send('GET', old)).body['message']).toEqual(refused);
  expect((await client.send('DELETE', old)).body['message']).toEqual(refused);
  expect((await client.send('GET', `${shipsPath('v2')}/new`)).body['spec']).toEqual({ title: 'second' });
  webhook.answer = undefined;
  const touched = { body: { metadata: { labels: { a: 'b' } } }, contentType: 'application/merge-patch+json' };
  expect((await client.send('PATCH', old, touched)).code).toBe(200);
  webhook.calls.length = 0;
  expect((await client.send('GET', old)).body['spec']).toEqual({ title: 'first' });
  expect(webhook.calls).toEqual([]);
});

test('another storage version ends watches, and clients continue where they were', async () => {
  await define(client, convertedShips(webhook, renamed));
  const { body } = await client.send('POST', shipsPath(), { body: ship('one', { name: 'first' }) });
  const { resourceVersion } = body['metadata'] as { resourceVersion: string };
  const since = (version: string): string => `${shipsPath(version)}?watch=1&resourceVersion=${resourceVersion}`;
  const watches = ['v1', 'v2'].map((version) => client.watch(since(version)).next());
  await store('v2');
  expect(await Promise.all(watches)).toEqual(Array(2).fill({ done: true, value: undefined }));
  const change = { body: { spec: { title: 'second' } }, contentType: 'application/merge-patch+json' };
  expect((await client.send('PATCH', `${shipsPath('v2')}/one`, change)).code).toBe(200);
  const next = async (version: string): Promise<unknown> => {
    for await (const event of client.watch(since(version))) return event;
    return undefined;
  };
  const seen = (spec: object): object => ({ type: 'MODIFIED', object: { metadata: { name: 'one' }, spec } });
  expect(await next('v1')).toMatchObject(seen({ name: 'second' }));
  expect(await next('v2')).toMatchObject(seen({ title: 'second' }));
});

test('a null that is applied where none may be is refused', async () => {
  const hold = { type: 'object', properties: { cargo: text } };
  await define(client, ships({ versions: [{ name: 'v1', schema: specSchema({ hold }) }] }));
  const applied = (spec: object) =>
    client.send('PATCH', `${shipsPath()}/one?fieldManager=m`, {
      body: ship('one', spec),
      contentType: 'application/apply-patch+yaml',
    });
  expect((await applied({ hold: { cargo: 'tea' } })).code).toBe(201);
  const { code, body } = await applied({ hold: null });
  expect(code).toBe(422);
  expect(body['message']).toContain('must be of type object: "null"');
});

test('defaults of objects within objects are those of their metadata too', async () => {
  const properties = {
    apiVersion: { ...text, default: 'v1' },
    kind: { ...text, default: 'Crate' },
    metadata: { type: 'object', properties: { name: { ...text, default: 'tea' } } },
  };
  const crate = { type: 'object', 'x-kubernetes-embedded-resource': true, properties };
  await define(client, ships({ versions: [{ name: 'v1', schema: specSchema({ crate }) }] }));
  const { body } = await client.send('POST', shipsPath(), { body: ship('one', { crate: { metadata: {} } }) });
  expect(body['spec']).toEqual({ crate: { apiVersion: 'v1', kind: 'Crate', metadata: { name: 'tea' } } });
});

test('objects of a namespace are made, and deleted together, in one', async () => {
  await define(client, ships({ versions: [{ name: 'v1', schema: specSchema({}) }] }));
  const across = `/apis/${group}/v1/ships`;
  expect((await client.sendBytes('POST', across, {})).code).toBe(404);
  expect((await client.sendBytes('DELETE', across, {})).code).toBe(404);
  expect((await client.send('GET', across)).code).toBe(200);
});
