import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { runProgram } from '../../src/cli/program.ts';
import { ApiClient } from '../api-client.ts';
import { ServerProcess, spawnBinnacle } from '../durability/server-process.ts';
import { mountSmallDisk } from '../durability/small-disk.ts';
import { freePort } from '../free-port.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-snapshots-'));
const small = mountSmallDisk();
const dataDir = join(root, 'data');
const configMaps = '/api/v1/namespaces/default/configmaps';
let port: number;
let server: ServerProcess;
let client: ApiClient;

beforeAll(async () => {
  port = await freePort();
  server = await ServerProcess.start(dataDir, port);
  client = await connectTo(dataDir, port);
});
afterAll(async () => {
  client[Symbol.dispose]();
  await server.kill();
  small[Symbol.dispose]();
  await rm(root, { recursive: true });
});

function connectTo(folder: string, at: number): Promise<ApiClient> {
  return ApiClient.connect({ url: `https://127.0.0.1:${at}`, kubeconfigPath: join(folder, 'admin.kubeconfig') });
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in this process. */
async function snapshot(...args: readonly string[]): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const code = await runProgram(['snapshot', ...args], {
    startServer: () => Promise.reject(new Error('a snapshot needs no server')),
    stdout: (printed) => (stdout += printed),
    stderr: (printed) => (stderr += printed),
    stopRequested: () => Promise.reject(new Error('a snapshot is not stopped')),
  });
  return { code, stdout, stderr };
}

/** Runs the command in its own process. */
async function snapshotProcess(...args: readonly string[]): Promise<Ended> {
  const child = spawnBinnacle(['snapshot', ...args]);
  const [stdout, stderr, exited] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: Number(exited[0]), stdout, stderr };
}

function configMap(name: string, turn: number): JsonObject {
  const data = { turn: String(turn), filling: 'x'.repeat(20_000) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

function metaOf(object: JsonObject): { readonly name: string; readonly resourceVersion: string } {
  return object['metadata'] as { name: string; resourceVersion: string }; // all of these have both
}

/** Fifty at a time: a node connection is limited. */
async function createMany(name: string, count: number): Promise<void> {
  for (let first = 0; first < count; first += 50) {
    const bodies = Array.from({ length: 50 }, (_, n) => configMap(`${name}-${first + n}`, n));
    const answers = await Promise.all(bodies.map((body) => client.send('POST', configMaps, { body })));
    expect(answers.filter(({ code }) => code !== 201)).toEqual([]);
  }
}

/** Writes until told to stop; every other write of a name deletes it. */
async function write(name: string, stopped: () => boolean): Promise<void> {
  for (let turn = 0; !stopped(); turn++) {
    const exists = turn % 5 !== 0;
    const last = turn % 5 === 4;
    const path = `${configMaps}/${name}`;
    const { code } = last
      ? await client.send('DELETE', path)
      : await client.send(exists ? 'PUT' : 'POST', exists ? path : configMaps, { body: configMap(name, turn) });
    expect(code).toBeLessThan(300);
  }
}

test('a running server is saved during writes, and restored to that revision', async () => {
  const start = metaOf((await client.send('GET', configMaps)).body).resourceVersion;
  const seen: { readonly type: string; readonly object: JsonObject }[] = [];
  const watching = (async () => {
    for await (const event of client.watch(`${configMaps}?watch=1&resourceVersion=${start}`)) {
      seen.push(event);
      if (metaOf(event.object).name === 'last') return;
    }
  })();
  await createMany('still', 200);
  let stopped = false;
  const writers = Array.from({ length: 8 }, (_, n) => write(`busy-${n}`, () => stopped));
  const file = join(root, 'saved');
  const saved = await snapshotProcess('save', file, '--data-dir', dataDir);
  expect(saved).toMatchObject({ code: 0, stderr: '' });
  expect(saved.stdout).toBe(`saved ${file}\n${(await snapshot('status', file)).stdout}`);
  stopped = true;
  await Promise.all(writers);
  const last = await client.send('POST', configMaps, { body: configMap('last', 0) });
  await watching;

  const revision = Number(/revision +(\d+)/.exec(saved.stdout)?.[1]);
  const lastRevision = metaOf(last.body).resourceVersion;
  expect(revision).toBeGreaterThan(Number(start) + 200);
  expect(revision).toBeLessThan(Number(lastRevision));
  const expected = new Map<string, JsonObject>();
  for (const { type, object } of seen) {
    if (Number(metaOf(object).resourceVersion) > revision) continue;
    if (type === 'DELETED') expected.delete(metaOf(object).name);
    else expected.set(metaOf(object).name, object);
  }
  expect(expected.size).toBeGreaterThan(200);

  const restoredDir = join(root, 'restored');
  const restored = await snapshot('restore', file, '--data-dir', restoredDir);
  const startRevision = revision + 1_000_000_000;
  expect(restored.stdout).toContain(`restored to ${restoredDir}; it goes on from revision ${startRevision}\n`);
  const restoredPort = await freePort();
  const other = await ServerProcess.start(restoredDir, restoredPort);
  const reader = await connectTo(restoredDir, restoredPort);
  const { body } = await reader.send('GET', configMaps);
  const items = body['items'] as JsonObject[]; // lists have items
  const found = items.map((item) => [metaOf(item).name, { kind: 'ConfigMap', apiVersion: 'v1', ...item }] as const);
  expect(new Map(found)).toEqual(expected);
  expect(Number(metaOf(body).resourceVersion)).toBeGreaterThanOrEqual(startRevision);
  // A client ahead of the snapshot relists, as after a compaction.
  for await (const event of reader.watch(`${configMaps}?watch=1&resourceVersion=${lastRevision}`)) {
    const expired = event.type === undefined ? event : event.object;
    expect(expired).toMatchObject({ code: 410, reason: 'Expired' });
    break;
  }
  const written = await reader.send('POST', configMaps, { body: configMap('after', 0) });
  expect(Number(metaOf(written.body).resourceVersion)).toBeGreaterThan(startRevision);
  reader[Symbol.dispose]();
  await other.kill();
});

test('without a server the store itself is read, with the same result', async () => {
  await server.kill();
  client[Symbol.dispose]();
  const [first, second] = [join(root, 'first'), join(root, 'second')];
  expect((await snapshot('save', first, '--data-dir', dataDir)).code).toBe(0);
  const { stdout } = await snapshot('save', second, '--data-dir', dataDir);
  expect(stdout.split('\n').slice(1)).toEqual((await snapshot('status', first)).stdout.split('\n'));
  server = await ServerProcess.start(dataDir, port);
  client = await connectTo(dataDir, port);
});

describe('refused', () => {
  test('a data directory without a store', async () => {
    const { code, stderr } = await snapshot('save', join(root, 'none'), '--data-dir', join(root, 'nowhere'));
    expect({ code, stderr }).toEqual({ code: 1, stderr: `binnacle: ${join(root, 'nowhere')} contains no store\n` });
  });

  test('an unreachable server, with a message', async () => {
    const kubeconfig = join(dataDir, 'admin.kubeconfig');
    await rename(kubeconfig, `${kubeconfig}.moved`);
    const { code, stderr } = await snapshot('save', join(root, 'none'), '--data-dir', dataDir);
    await rename(`${kubeconfig}.moved`, kubeconfig);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `binnacle: the store in ${dataDir} is in use, and ${kubeconfig} does not contain the address of the server\n`,
    );
    expect(await readdir(root)).not.toContain('none');
  });

  test('unauthenticated clients', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const call = request(`https://127.0.0.1:${port}/binnacle/snapshot`, { rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.once('error', reject);
    call.end();
    expect(await promise).toBe(401);
  });

  test('an existing store, an invalid file, an invalid number', async () => {
    const file = join(root, 'first');
    const used = join(root, 'used');
    await mkdir(join(used, 'storage', 'something'), { recursive: true });
    const there = await snapshot('restore', file, '--data-dir', used);
    expect(there.stderr).toBe(`binnacle: ${join(used, 'storage')} is not empty: move it away, or restore elsewhere\n`);
    const running = await snapshot('restore', file, '--data-dir', dataDir);
    expect(running.stderr).toBe(
      `binnacle: the server at https://127.0.0.1:${port}/ runs on ${dataDir}: stop it first, or restore to another data directory\n`,
    );
    const foreign = join(root, 'foreign');
    await writeFile(foreign, '{"kind":"List"}');
    const wrong = await snapshot('restore', foreign, '--data-dir', join(root, 'new'));
    expect(wrong.stderr).toBe(`binnacle: ${foreign} cannot be used: it is not a snapshot of Binnacle\n`);
    const missing = await snapshot('status', join(root, 'missing'));
    expect(missing.stderr).toContain('no such file or directory');
    const number = await snapshot('restore', file, '--data-dir', join(root, 'new'), '--bump-revision=-1');
    expect(number.stderr).toBe('binnacle: --bump-revision: -1 is not a non-negative integer\n');
    expect([there, running, wrong, missing, number].map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
    expect(await readdir(join(root, 'new'))).toEqual([]);
  });
});

describe.skipIf(small.missing !== '')(
  `a full disk${small.missing === '' ? '' : ` (skipped: ${small.missing})`}`,
  () => {
    test('failures leave neither a file nor a store', async () => {
      await createMany('filling', 500);
      const folder = join(small.path, 'snapshots');
      await mkdir(folder);
      const { code, stderr } = await snapshot('save', join(folder, 'saved'), '--data-dir', dataDir);
      expect({ code, stderr }).toEqual({ code: 1, stderr: 'binnacle: ENOSPC: no space left on device, write\n' });
      expect(await readdir(folder)).toEqual([]);

      const file = join(root, 'large');
      expect((await snapshot('save', file, '--data-dir', dataDir)).code).toBe(0);
      const restored = await snapshot('restore', file, '--data-dir', folder);
      expect(restored.code).toBe(1);
      expect(restored.stderr).toMatch(/^binnacle: the store cannot be written: database or disk is full\n$/);
      expect(await readdir(folder)).toEqual([]);
    });
  },
);
