import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, afterEach, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { configuration, key } from './configurations.ts';
import { KmsPlugin } from './kms-plugin.ts';

const folder = await mkdtemp(join(tmpdir(), 'binnacle-reload-'));
afterAll(() => rm(folder, { recursive: true }));
const file = join(folder, 'encryption.json');
const secrets = '/api/v1/namespaces/default/secrets';
const merge = 'application/merge-patch+json';
const secretbox = (name: string, byte: number) => ({ secretbox: { keys: [{ name, secret: key(byte) }] } });
const patience = { timeout: 15_000 };

let server: TestServer;
let client: ApiClient;

async function write(...providers: readonly object[]): Promise<void> {
  await writeFile(`${file}.new`, configuration(['secrets'], providers));
  await rename(`${file}.new`, file);
}

beforeEach(async () => {
  await write(secretbox('a', 1));
  server = await startTestServer({}, { encryption: { configFile: file, automaticReload: true } });
  client = await ApiClient.connect(server);
});
afterEach(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

async function metric(name: string): Promise<readonly string[]> {
  return (await client.text('/metrics')).split('\n').filter((line) => line.startsWith(name));
}

const reloads = async (status: string): Promise<number> => {
  const lines = await metric(`apiserver_encryption_config_controller_automatic_reloads_total`);
  return Number(
    lines
      .find((line) => line.includes(`status="${status}"`))
      ?.split(' ')
      .at(-1) ?? 0,
  );
};
const health = async (path: string): Promise<number> => (await client.exchange('GET', path, {})).code;
const create = (name: string) =>
  client.send('POST', secrets, { body: { apiVersion: 'v1', kind: 'Secret', metadata: { name } } });
const get = async (name: string): Promise<number> => (await client.send('GET', `${secrets}/${name}`)).code;
const version = async (name: string): Promise<string> => {
  const { body } = await client.send('GET', `${secrets}/${name}`);
  return (body['metadata'] as { readonly resourceVersion: string }).resourceVersion;
};

test('a rotation: a new key to read with, to write with, and the end of the old one', async () => {
  expect((await create('old')).code).toBe(201);
  await write(secretbox('a', 1), secretbox('b', 2));
  await expect.poll(() => reloads('success'), patience).toBe(1);
  await write(secretbox('b', 2), secretbox('a', 1));
  await expect.poll(() => reloads('success'), patience).toBe(2);
  const before = await version('old');
  expect((await client.send('PATCH', `${secrets}/old`, { body: {}, contentType: merge })).code).toBe(200);
  expect(await version('old')).not.toBe(before);
  expect((await create('new')).code).toBe(201);
  await write(secretbox('b', 2));
  await expect.poll(() => reloads('success'), patience).toBe(3);
  await expect.poll(() => get('old'), patience).toBe(200);
  expect(await get('new')).toBe(200);
  expect(await metric('apiserver_encryption_config_controller_last_config_info')).toHaveLength(1);
  expect(await metric('apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds')).toHaveLength(
    1,
  );
});

test('what is no longer readable does not live on in memory, and comes back with its key', async () => {
  await create('one');
  await write(secretbox('b', 2));
  await expect.poll(() => get('one'), patience).toBe(500);
  expect((await client.send('GET', '/api/v1/namespaces')).code).toBe(200);
  await create('two');
  await write(secretbox('b', 2), secretbox('a', 1));
  await expect.poll(() => get('one'), patience).toBe(200);
  expect(await get('two')).toBe(200);
});

test('a watch goes on from where it was after a reload', async () => {
  await create('one');
  const list = await client.send('GET', secrets);
  const from = (list.body['metadata'] as { readonly resourceVersion: string }).resourceVersion;
  // Ends when the keys change, with how far it has come, so that the client need not list again.
  const ended = client.text(`${secrets}?watch=true&resourceVersion=${from}&allowWatchBookmarks=true`);
  await expect
    .poll(() => client.text('/metrics'), patience)
    .toMatch(/apiserver_longrunning_requests\{.*"secrets".*\} 1/);
  await write(secretbox('b', 2), secretbox('a', 1));
  expect((await ended).trim().split('\n').at(-1)).toContain('"BOOKMARK"');
  await expect.poll(() => reloads('success'), patience).toBe(1);
  await create('two');
  const watch = `${secrets}?watch=true&timeoutSeconds=1&resourceVersion=${from}`;
  await expect.poll(async () => (await client.text(watch)).includes('"name":"two"'), patience).toBe(true);
});

test('an invalid file changes nothing', async () => {
  await create('one');
  await writeFile(file, configuration(['secrets'], []));
  await expect.poll(() => reloads('failure'), patience).toBe(1);
  expect(await get('one')).toBe(200);
  expect((await create('two')).code).toBe(201);
  expect(await health('/healthz')).toBe(200);
  await write(secretbox('b', 2), secretbox('a', 1));
  await expect.poll(() => reloads('success'), patience).toBe(1);
  expect(await get('two')).toBe(200);
});

test('plugins come and go, and are told by one health check', { timeout: 60_000 }, async () => {
  expect(await client.text('/healthz?verbose')).toContain('[+]kms-providers ok');
  expect(await client.text('/readyz?verbose')).toContain('[+]kms-providers ok');
  expect(await client.text('/livez?verbose')).not.toContain('kms-providers');
  expect(await client.text('/healthz?verbose')).toContain(
    'poststarthook/start-encryption-provider-config-automatic-reload ok',
  );
  await create('one');
  await using plugin = await KmsPlugin.start(join(folder, 'kms.sock'));
  const kms = { kms: { apiVersion: 'v2', name: 'p', endpoint: plugin.endpoint, timeout: '1s' } };
  await write(kms, secretbox('a', 1));
  await expect.poll(() => reloads('success'), patience).toBe(1);
  await create('two');
  expect(await get('two')).toBe(200);
  expect(await get('one')).toBe(200);
  const operations = await metric('apiserver_envelope_encryption_kms_operations_latency_seconds_count');
  expect(operations.some((line) => line.includes('method_name="/v2.KeyManagementService/Status"'))).toBe(true);
  await plugin.end();
  // The health of a plugin is remembered for twenty seconds.
  await expect.poll(() => health('/healthz/kms-providers'), { timeout: 30_000 }).toBe(500);
  expect(await health('/livez')).toBe(200);
  await plugin.begin();
  await expect.poll(() => health('/healthz/kms-providers'), patience).toBe(200);
});
