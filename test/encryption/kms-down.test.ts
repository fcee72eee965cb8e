import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { freePort } from '../free-port.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { configuration, configurationOf } from './configurations.ts';
import { KmsPlugin } from './kms-plugin.ts';

const core = '/api/v1/namespaces/default';
const patience = { timeout: 30_000 };
const folder = await mkdtemp(join(tmpdir(), 'binnacle-kms-down-'));
afterAll(() => rm(folder, { recursive: true }));

const provider = (name: string, { endpoint }: KmsPlugin): object => ({
  kms: { apiVersion: 'v2', name, endpoint, timeout: '1s' },
});

/** What the server says of its readiness. */
async function readiness(server: Pick<TestServer, 'url' | 'kubeconfigPath'>): Promise<string> {
  using client = await ApiClient.connect(server);
  return await client.text('/readyz?verbose');
}

test('everything is encrypted, and the plugin is down when the server starts: it serves, and is ready when it is back', async () => {
  await using plugin = await KmsPlugin.start(join(folder, 'a.sock'));
  const configFile = join(folder, 'all.json');
  await writeFile(configFile, configuration(['*.*'], [provider('a', plugin)]));
  // It is asked while it starts, which takes until the plugin is back.
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: await freePort() };
  const storage = { encryption: { configFile, automaticReload: false } };
  await using server = await startTestServer({}, storage, { config: { serving } });
  {
    using client = await ApiClient.connect(server);
    const made = await client.send('POST', `${core}/secrets`, { body: { metadata: { name: 'one' } } });
    expect(made.code).toBe(201);
    await plugin.end();
    // What is in memory is plain, and writes go on with the last key.
    expect((await client.send('GET', `${core}/secrets/one`)).code).toBe(200);
    expect((await client.send('POST', `${core}/secrets`, { body: { metadata: { name: 'two' } } })).code).toBe(201);
  }
  const restarted = server.restart();
  const isDown = '[-]kms-providers failed';
  await expect.poll(() => readiness(server).catch(() => ''), patience).toContain(isDown);
  using client = await ApiClient.connect(server);
  for (const path of [`${core}/secrets/one`, `${core}/secrets`, '/api/v1/namespaces']) {
    const { code, body } = await client.send('GET', path);
    expect([code, body['message']]).toEqual([500, expect.stringContaining('got unexpected nil transformer')]);
  }
  expect((await client.send('POST', `${core}/secrets`, { body: { metadata: { name: 'three' } } })).code).toBe(500);
  await plugin.begin();
  await restarted;
  await expect.poll(() => readiness(server), patience).toContain('readyz check passed');
  const { body } = await client.send('GET', `${core}/secrets`);
  const names = (body['items'] as { metadata: { name: string } }[]).map(({ metadata: { name } }) => name);
  expect(names).toEqual(['one', 'two']);
}, 90_000);

test('of several plugins one is down: only what it has encrypted cannot be read', async () => {
  await using gone = await KmsPlugin.start(join(folder, 'b.sock'));
  await using there = await KmsPlugin.start(join(folder, 'c.sock'));
  const configFile = join(folder, 'several.json');
  const lists = [
    [['secrets'], [provider('b', gone)]],
    [['configmaps'], [provider('c', there), provider('d', gone)]],
  ] as const;
  await writeFile(configFile, configurationOf(lists));
  await using server = await startTestServer({}, { encryption: { configFile, automaticReload: false } });
  {
    using client = await ApiClient.connect(server);
    for (const plural of ['secrets', 'configmaps']) {
      expect((await client.send('POST', `${core}/${plural}`, { body: { metadata: { name: 'one' } } })).code).toBe(201);
    }
  }
  await gone.end();
  await server.restart();
  using client = await ApiClient.connect(server);
  expect(await client.text('/readyz?verbose')).toContain('[-]kms-providers failed');
  const codes = async (): Promise<readonly number[]> => {
    const answers = [];
    for (const path of ['secrets', 'secrets/one', 'configmaps', 'configmaps/one']) {
      answers.push((await client.send('GET', `${core}/${path}`)).code);
    }
    for (const plural of ['secrets', 'configmaps']) {
      const body = { metadata: { generateName: 'more-' } };
      answers.push((await client.send('POST', `${core}/${plural}`, { body })).code);
    }
    return answers;
  };
  expect(await codes()).toEqual([500, 500, 200, 200, 500, 201]);
  await gone.begin();
  await expect.poll(codes, patience).toEqual([200, 200, 200, 200, 201, 201]);
}, 90_000);
