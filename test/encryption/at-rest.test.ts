import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { ApiConfig } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { configuration, key } from './configurations.ts';

const folder = await mkdtemp(join(tmpdir(), 'binnacle-at-rest-'));
afterAll(() => rm(folder, { recursive: true }));
const file = join(folder, 'encryption.json');

const secrets = '/api/v1/namespaces/default/secrets';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const merge = 'application/merge-patch+json';
const secretbox = (name: string, byte: number) => ({ secretbox: { keys: [{ name, secret: key(byte) }] } });
const aesgcm = (name: string, byte: number) => ({ aesgcm: { keys: [{ name, secret: key(byte) }] } });
const encrypted = { encryption: { configFile: file, automaticReload: false } };

let open: (() => void | PromiseLike<void>)[] = [];
afterEach(async () => {
  for (const close of open.toReversed()) await close();
  open = [];
});

async function start(api: Partial<ApiConfig> = {}): Promise<TestServer> {
  const server = await startTestServer(api, encrypted);
  open.push(() => server[Symbol.asyncDispose]());
  return server;
}

async function clientOf(server: TestServer): Promise<ApiClient> {
  const client = await ApiClient.connect(server);
  open.push(() => client[Symbol.dispose]());
  return client;
}

/** All bytes of all files of a folder. */
async function bytesIn(root: string): Promise<Buffer> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return Buffer.concat(await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name)))));
}

const marked = (name: string, mark: string) => ({
  body: {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, annotations: { mark } },
    stringData: { value: mark },
  },
});

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Widget', plural: 'widgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { mark: { type: 'string' } } } },
      },
    ],
  },
};

async function defined(client: ApiClient): Promise<void> {
  expect(
    (await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition })).code,
  ).toBe(201);
  await expect.poll(async () => (await client.send('GET', widgets)).code).toBe(200);
}

test('nothing plain is in the files of the store and its snapshot, while the server runs and after', async () => {
  await writeFile(file, configuration(['secrets', '*.example.com'], [aesgcm('a', 1)]));
  const server = await start();
  const client = await clientOf(server);
  await defined(client);
  const mark = 'mark-of-what-is-encrypted';
  const plain = 'mark-of-what-is-not';
  for (let n = 0; n < 20; n++) {
    await client.send('POST', secrets, marked(`s${n}`, mark));
    await client.send('POST', widgets, {
      body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: `w${n}` }, mark },
    });
  }
  const changed = { body: { stringData: { more: `${mark}-changed` } }, contentType: merge };
  expect((await client.send('PATCH', `${secrets}/s1`, changed)).code).toBe(200);
  await client.send('DELETE', `${secrets}/s2`);
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'plain' }, data: { plain } };
  await client.send('POST', '/api/v1/namespaces/default/configmaps', { body });
  const encoded = Buffer.from(mark).toString('base64').slice(0, 24);
  const data = join(server.scratchDir, 'data');
  const snapshot = Buffer.from(await client.text('/binnacle/snapshot'));
  for (const bytes of [await bytesIn(data), snapshot]) {
    // What is looked for would be found.
    expect(bytes.includes(plain)).toBe(true);
    expect(bytes.includes('k8s:enc:aesgcm:v1:a:')).toBe(true);
    for (const secret of [mark, encoded, key(1)]) expect(bytes.includes(secret)).toBe(false);
  }
  const list = (await client.send('GET', secrets)).body['items'] as readonly { readonly data?: object }[];
  expect(list.filter((each) => each.data !== undefined)).toHaveLength(19);
  await server.restart();
  const again = await clientOf(server);
  expect((await again.send('GET', `${widgets}/w3`)).body).toMatchObject({ mark });
  const after = await bytesIn(data);
  for (const secret of [mark, encoded]) expect(after.includes(secret)).toBe(false);
});

test('what cannot be decrypted fails alone, and can be removed by force', async () => {
  await writeFile(file, configuration(['secrets'], [secretbox('a', 1)]));
  const server = await start();
  const first = await clientOf(server);
  expect((await first.send('POST', secrets, marked('lost', 'x'))).code).toBe(201);
  await writeFile(file, configuration(['secrets'], [aesgcm('b', 2)]));
  await server.restart();
  const client = await clientOf(server);
  expect((await client.send('POST', secrets, marked('kept', 'y'))).code).toBe(201);
  const lost = await client.send('GET', `${secrets}/lost`);
  expect(lost.code).toBe(500);
  expect(lost.body['message']).toBe(
    'Internal error occurred: StorageError: corrupt object, Code: 7, Key: /secrets/default/lost, ResourceVersion: 0, AdditionalErrorMsg: data from the storage is not transformable revision=0: no matching prefix found',
  );
  expect((await client.send('GET', `${secrets}/kept`)).code).toBe(200);
  expect(await client.send('GET', secrets)).toMatchObject({ code: 500, body: { reason: 'StorageReadError' } });
  expect((await client.send('DELETE', `${secrets}/lost`)).code).toBe(500);
  const force = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', ...force };
  expect((await client.send('DELETE', `${secrets}/kept`, { body })).code).toBe(409);
  expect((await client.send('DELETE', `${secrets}/lost`, { body })).code).toBe(200);
  expect((await client.send('GET', secrets)).code).toBe(200);
});

test('without the gate that lets them be removed, errors are those of the cipher', async () => {
  await writeFile(file, configuration(['secrets'], [secretbox('a', 1)]));
  const server = await start({ featureGates: new Map([['AllowUnsafeMalformedObjectDeletion', false]]) });
  const first = await clientOf(server);
  expect((await first.send('POST', secrets, marked('lost', 'x'))).code).toBe(201);
  await writeFile(file, configuration(['secrets'], [aesgcm('b', 2)]));
  await server.restart();
  const client = await clientOf(server);
  const message = 'Internal error occurred: no matching prefix found';
  const failure = { code: 500, body: { reason: 'InternalError', message } };
  expect(await client.send('GET', `${secrets}/lost`)).toMatchObject(failure);
  expect(await client.send('DELETE', `${secrets}/lost`)).toMatchObject(failure);
  const patch = { body: { data: {} }, contentType: merge };
  expect(await client.send('PATCH', `${secrets}/lost`, patch)).toMatchObject(failure);
  expect((await client.send('GET', secrets)).body).toMatchObject({
    reason: 'InternalError',
    message:
      'Internal error occurred: unable to transform key "/registry/secrets/default/lost": no matching prefix found',
  });
});

test('a server without keys says so, and serves everything else', async () => {
  await writeFile(file, configuration(['secrets', '*.example.com'], [secretbox('a', 1)]));
  const server = await start();
  const first = await clientOf(server);
  await defined(first);
  await first.send('POST', secrets, marked('lost', 'x'));
  await first.send('POST', widgets, {
    body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } },
  });
  await writeFile(file, configuration(['nothing'], [{ identity: {} }]));
  await server.restart();
  const client = await clientOf(server);
  const why = /identity transformer tried to read encrypted data$/;
  for (const path of [`${secrets}/lost`, `${widgets}/w`]) {
    await expect.poll(async () => (await client.send('GET', path)).code).toBe(500);
    expect((await client.send('GET', path)).body['message']).toMatch(why);
  }
  expect((await client.send('GET', '/api/v1/namespaces')).code).toBe(200);
});

test('providers in an order, and plain values among them', async () => {
  const rules = [{ identity: {} }, secretbox('a', 1)];
  await writeFile(file, configuration(['secrets'], [secretbox('a', 1)]));
  const server = await start();
  await (await clientOf(server)).send('POST', secrets, marked('one', 'x'));
  await writeFile(file, configuration(['secrets'], rules));
  await server.restart();
  const client = await clientOf(server);
  await client.send('POST', secrets, marked('two', 'mark-of-two'));
  expect((await client.send('GET', `${secrets}/one`)).code).toBe(200);
  const data = join(server.scratchDir, 'data');
  expect((await bytesIn(data)).includes('mark-of-two')).toBe(true);
  // Written again, without encryption.
  const before = await client.send('GET', `${secrets}/one`);
  const after = await client.send('PATCH', `${secrets}/one`, { body: {}, contentType: merge });
  const version = (answer: typeof after) =>
    (answer.body['metadata'] as { readonly resourceVersion: string }).resourceVersion;
  expect(Number(version(after))).toBeGreaterThan(Number(version(before)));
  expect(version(await client.send('PATCH', `${secrets}/one`, { body: {}, contentType: merge }))).toBe(version(after));
});
