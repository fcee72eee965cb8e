import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ObjectMeta } from '../../src/api/meta/object.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';
import { configuration, key } from './configurations.ts';

const namespace = '/api/v1/namespaces/default';
const patience = { timeout: 15_000 };
const secretbox = (name: string, byte: number) => ({ secretbox: { keys: [{ name, secret: key(byte) }] } });

test('what an object owns that cannot be read is kept, and collected when it can be read again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-collected-'));
  const file = join(folder, 'encryption.json');
  const write = async (...providers: readonly object[]): Promise<void> => {
    await writeFile(`${file}.new`, configuration(['secrets'], providers));
    await rename(`${file}.new`, file);
  };
  await write(secretbox('a', 1));
  await using server = await startTestServer({}, { encryption: { configFile: file, automaticReload: true } });
  using client = await ApiClient.connect(server);
  const make = async (plural: string, metadata: ObjectMeta): Promise<ObjectMeta> => {
    const { code, body } = await client.send('POST', `${namespace}/${plural}`, { body: { metadata } });
    expect(code).toBe(201);
    return body['metadata'] as ObjectMeta;
  };
  const code = async (path: string): Promise<number> => (await client.send('GET', `${namespace}/${path}`)).code;
  const ownedBy = (kind: string, { name = '', uid = '' }: ObjectMeta) => ({
    ownerReferences: [{ apiVersion: 'v1', kind, name, uid }],
  });
  /** Whatever else there is to collect has been looked at when this is gone. */
  const collectOne = async (name: string): Promise<void> => {
    await make('configmaps', { name, ...ownedBy('ConfigMap', { name: 'absent', uid: 'absent' }) });
    await expect.poll(() => code(`configmaps/${name}`), patience).toBe(404);
  };

  const owner = await make('secrets', { name: 'owner' });
  await make('configmaps', { name: 'early', ...ownedBy('Secret', owner) });
  await make('secrets', { name: 'sealed', ...ownedBy('Secret', owner) });
  await make('configmaps', { name: 'deep', ...ownedBy('Secret', await make('secrets', { name: 'deep-owner' })) });
  await collectOne('before');
  await write(secretbox('b', 2));
  await expect.poll(() => code('secrets/owner'), patience).toBe(500);
  await make('configmaps', { name: 'late', ...ownedBy('Secret', owner) });
  await collectOne('meanwhile');
  for (const name of ['early', 'deep', 'late']) expect(await code(`configmaps/${name}`), name).toBe(200);
  await write(secretbox('b', 2), secretbox('a', 1));
  await expect.poll(() => code('secrets/owner'), patience).toBe(200);
  expect(await code('secrets/sealed')).toBe(200);
  await collectOne('after');
  for (const name of ['early', 'deep', 'late']) expect(await code(`configmaps/${name}`), name).toBe(200);
  await client.send('DELETE', `${namespace}/secrets/owner`);
  for (const path of ['configmaps/early', 'configmaps/late', 'secrets/sealed']) {
    await expect.poll(() => code(path), { ...patience, message: path }).toBe(404);
  }
  expect(await code('configmaps/deep')).toBe(200);
  await rm(folder, { recursive: true });
}, 60_000);
