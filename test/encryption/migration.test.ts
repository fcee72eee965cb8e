import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { configDefaults, storageFolder } from '../../src/server/config.ts';
import type { Storage } from '../../src/storage/contract.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/engine.ts';
import { openEtcdStorage } from '../../src/storage/etcd/engine.ts';
import { ApiClient } from '../api-client.ts';
import { ServerProcess } from '../durability/server-process.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { configuration, key } from './configurations.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const migration = '/apis/storagemigration.k8s.io/v1/storageversionmigrations/rotation';
const patience = { timeout: 60_000 };
const total = 300;
const names = Array.from({ length: total }, (_, index) => `s${index}`);
const [oldest, newest] = [1, 2].map((byte) => ({ aesgcm: { keys: [{ name: `key${byte}`, secret: key(byte) }] } }));
const [withOldest, withNewest] = [1, 2].map((byte) => `k8s:enc:aesgcm:v1:key${byte}:`) as [string, string];

interface Engine {
  readonly flags: readonly string[];
  readonly open: (dataDir: string) => Promise<Storage>;
}

/** How many of the secrets are stored with each of the keys. */
async function storedWith(storage: Storage): Promise<{ readonly oldest: number; readonly newest: number }> {
  const { kvs } = await storage.range({ start: '/registry/secrets/', end: '/registry/secrets0' });
  const count = (prefix: string): number =>
    kvs.filter(({ value }) => Buffer.from(value).toString('latin1').startsWith(prefix)).length;
  return { oldest: count(withOldest), newest: count(withNewest) };
}

/** A server with a file of keys, which is killed and started again. */
class SealedServer implements AsyncDisposable {
  readonly #folder: string;
  readonly #engine: Engine;
  #process: ServerProcess | undefined;
  #client: ApiClient | undefined;

  private constructor(folder: string, engine: Engine) {
    this.#folder = folder;
    this.#engine = engine;
  }

  static async make(engine: Engine): Promise<SealedServer> {
    return new SealedServer(await mkdtemp(join(tmpdir(), 'binnacle-migration-')), engine);
  }

  get client(): ApiClient {
    if (this.#client === undefined) throw new Error('the server does not run');
    return this.#client;
  }

  /** Writes a configuration with these keys, of which the first one encrypts. */
  async write(...keys: readonly unknown[]): Promise<void> {
    await writeFile(`${this.#file}.new`, configuration(['secrets'], keys as object[]));
    await rename(`${this.#file}.new`, this.#file);
  }

  async start(): Promise<void> {
    const port = await freePort();
    const reload = [`--encryption-provider-config=${this.#file}`, '--encryption-provider-config-automatic-reload'];
    const flags = [...reload, '--disable-admission-plugins=ServiceAccount', ...this.#engine.flags];
    this.#process = await ServerProcess.start(this.#dataDir, port, flags);
    const kubeconfigPath = join(this.#dataDir, 'admin.kubeconfig');
    this.#client = await ApiClient.connect({ url: `https://127.0.0.1:${port}`, kubeconfigPath });
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
    this.#process = undefined;
    this.#client?.[Symbol.dispose]();
    this.#client = undefined;
  }

  /** While it does not run. */
  async stored(): ReturnType<typeof storedWith> {
    await using storage = await this.#engine.open(this.#dataDir);
    return await storedWith(storage);
  }

  async reloads(): Promise<boolean> {
    const succeeded = /^apiserver_encryption_config_controller_automatic_reloads_total\{.*status="success".*\} [1-9]/m;
    return succeeded.test(await this.client.text('/metrics'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true });
  }

  get #file(): string {
    return join(this.#folder, 'encryption.json');
  }

  get #dataDir(): string {
    return join(this.#folder, 'data');
  }
}

async function ended(client: ApiClient): Promise<readonly string[]> {
  const { body } = await client.send('GET', migration);
  const { conditions = [] } = (body['status'] ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions.filter(({ status }) => status === 'True').map(({ type }) => type);
}

async function readableNames(client: ApiClient): Promise<readonly string[]> {
  const { code, body } = await client.send('GET', secrets);
  expect(code).toBe(200);
  return (body['items'] as { metadata: { name: string }; data: JsonObject }[])
    .filter(({ metadata, data }) => data['name'] === Buffer.from(metadata.name).toString('base64'))
    .map(({ metadata }) => metadata.name);
}

/** From the oldest key to the newest, killed while the migration rewrites. */
async function rotate(server: SealedServer): Promise<void> {
  await server.write(oldest);
  await server.start();
  await Promise.all(
    names.map(async (name) => {
      const { code } = await server.client.send('POST', secrets, {
        body: { metadata: { name }, stringData: { name } },
      });
      expect(code).toBe(201);
    }),
  );
  await server.write(newest, oldest);
  await expect.poll(() => server.reloads(), patience).toBe(true);
  const collection = migration.slice(0, migration.lastIndexOf('/'));
  const { body: list } = await server.client.send('GET', secrets);
  const { resourceVersion } = list['metadata'] as { resourceVersion: string };
  const events = server.client.watch(`${secrets}?watch=1&resourceVersion=${resourceVersion}`);
  const spec = { resource: { group: '', resource: 'secrets' } };
  const made = await server.client.send('POST', collection, { body: { metadata: { name: 'rotation' }, spec } });
  expect(made.code).toBe(201);
  let rewritten = 0;
  for await (const { type } of events) {
    if (type === 'MODIFIED') rewritten += 1;
    if (rewritten === 20) break;
  }
  await server.kill();
}

function rotates(engine: () => Engine): void {
  test('a rotation whose migration is killed is completed, and the old key is not needed any more', async () => {
    await using server = await SealedServer.make(engine());
    await rotate(server);
    const between = await server.stored();
    expect(between.oldest + between.newest).toBe(total);
    expect(between.oldest).toBeGreaterThan(0);
    expect(between.newest).toBeGreaterThanOrEqual(20);
    await server.start();
    expect(await readableNames(server.client)).toHaveLength(total);
    await expect.poll(() => ended(server.client), patience).toEqual(['Succeeded']);
    await server.kill();
    expect(await server.stored()).toEqual({ oldest: 0, newest: total });
    await server.write(newest);
    await server.start();
    expect(await readableNames(server.client)).toEqual(names.toSorted());
  }, 180_000);
}

describe('on the embedded engine', () => {
  rotates(() => ({ flags: [], open: (dataDir) => openEmbeddedStorage({ dataDir: join(dataDir, storageFolder) }) }));
});

describeWithEtcd('on etcd', () => {
  let etcd: EtcdProcess | undefined;
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
  });
  afterAll(() => etcd?.[Symbol.asyncDispose]());
  rotates(() => {
    if (etcd === undefined) throw new Error('etcd does not run');
    const { url } = etcd;
    return {
      flags: [`--etcd-servers=${url}`],
      open: () => openEtcdStorage({ ...configDefaults.storage.etcd, servers: [url] }),
    };
  });
});
