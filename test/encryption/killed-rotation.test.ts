import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openEmbeddedStorage } from '../../src/storage/embedded/engine.ts';
import { storageFolder } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { ServerProcess } from '../durability/server-process.ts';
import { freePort } from '../free-port.ts';
import { configuration, key } from './configurations.ts';

const folder = await mkdtemp(join(tmpdir(), 'binnacle-rotation-'));
afterAll(() => rm(folder, { recursive: true }));

const file = join(folder, 'encryption.json');
const dataDir = join(folder, 'data');
const secrets = '/api/v1/namespaces/default/secrets';
const nothing = { body: {}, contentType: 'application/merge-patch+json' };
const aesgcm = (byte: number) => ({ aesgcm: { keys: [{ name: `key${byte}`, secret: key(byte) }] } });

/** The newest key first: it writes. */
async function write(newest: number): Promise<void> {
  const keys = Array.from({ length: newest }, (_, index) => aesgcm(newest - index));
  await writeFile(`${file}.new`, configuration(['secrets'], keys));
  await rename(`${file}.new`, file);
}

/** Creates secrets and migrates all there are until the server is gone; notes what has been acknowledged. */
async function work(client: ApiClient, round: number, made: Set<string>): Promise<void> {
  for (let n = 0; client.usable; n++) {
    const name = `s${round}-${n}`;
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { name } };
    const created = await client.send('POST', secrets, { body }).catch(() => undefined);
    if (created?.code === 201) made.add(name);
    const [some = name] = [...made].slice(n % Math.max(1, made.size));
    await client.send('PATCH', `${secrets}/${some}`, nothing).catch(() => undefined);
  }
}

test('kill -9 during rotations and migrations loses nothing', { timeout: 120_000 }, async () => {
  const made = new Set<string>();
  const rounds = 4;
  const flags = [`--encryption-provider-config=${file}`, '--encryption-provider-config-automatic-reload'];
  await write(1);
  for (let round = 1; round <= rounds; round++) {
    const port = await freePort();
    const server = await ServerProcess.start(dataDir, port, flags);
    const access = { url: `https://127.0.0.1:${port}`, kubeconfigPath: join(dataDir, 'admin.kubeconfig') };
    using client = await ApiClient.connect(access);
    const { body } = await client.send('GET', secrets);
    const names = (body['items'] as unknown as readonly { readonly metadata: { readonly name: string } }[]).map(
      ({ metadata }) => metadata.name,
    );
    const found = new Set(names);
    expect([...made].filter((name) => !found.has(name))).toEqual([]);
    const before = made.size;
    const working = work(client, round, made);
    await expect.poll(() => made.size).toBeGreaterThan(before + 5);
    await write(round + 1);
    // The file is read some 100 ms after it has changed: the kill comes before, during or after.
    await sleep(60 * round);
    await server.kill();
    await working;
  }
  await using storage = await openEmbeddedStorage({ dataDir: join(dataDir, storageFolder) });
  const { kvs } = await storage.range({ start: '/registry/secrets/', end: '/registry/secrets0' });
  expect(kvs.length).toBeGreaterThanOrEqual(made.size);
  for (const { value } of kvs) expect(Buffer.from(value).toString('latin1')).toMatch(/^k8s:enc:aesgcm:v1:key\d:/);
});
