import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { type ClientHttp2Session, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { mountSmallDisk } from '../durability/small-disk.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { launcher } from '../release-form.ts';
import { ServerProcess, type ServerProcessOptions } from '../robustness/server-process.ts';
import { configMap, namespaced } from './text-bodies.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-faults-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const started: ServerProcess[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.end('SIGKILL');
});

let folders = 0;
const newFolder = (): string => join(root, String((folders += 1)));

async function start(dataDir: string, options: Partial<ServerProcessOptions> = {}): Promise<ServerProcess> {
  const server = new ServerProcess({ name: 'server', launcher, dataDir, port: await freePort(), args: [], ...options });
  started.push(server);
  await server.start();
  return server;
}

/** The error with which a server fails to start. */
async function refusal(dataDir: string): Promise<string> {
  return start(dataDir).then(() => 'it serves', String);
}

const configMaps = namespaced('configmaps');
const written = (name: string, text = name): object => ({ ...configMap({ data: { text } }), metadata: { name } });

async function create(client: ApiClient, name: string, text?: string): Promise<number> {
  return (await client.send('POST', configMaps, { body: written(name, text) })).code;
}

async function names(client: ApiClient): Promise<readonly string[]> {
  const { code, body } = await client.send('GET', configMaps);
  expect(code, JSON.stringify(body)).toBe(200);
  const items = body['items'] as unknown as readonly { readonly metadata: { readonly name: string } }[]; // a list
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('w'));
}

/** The status code, followed by the checks that failed. */
async function health(client: ApiClient, path: string): Promise<string> {
  const { code, bytes } = await client.sendBytes('GET', path, { accept: '*/*' });
  const failed = [...bytes.toString().matchAll(/^\[-\](\S+)/gm)].map(([, name]) => ` ${name}`);
  return `${code}${failed.join('')}`;
}

/** A store with this many acknowledged ConfigMaps, left behind by `kill -9`. */
async function killedStore(count: number): Promise<string> {
  const dataDir = newFolder();
  const server = await start(dataDir);
  using client = await ApiClient.connect(server);
  for (let n = 0; n < count; n += 1) expect(await create(client, `w${n}`, 'x'.repeat(3000))).toBe(201);
  await server.end('SIGKILL');
  return dataDir;
}

async function change(path: string, at: number, bytes: Uint8Array | undefined): Promise<void> {
  const file = await open(path, 'r+');
  await (bytes === undefined ? file.truncate(at) : file.write(bytes, 0, bytes.length, at));
  await file.close();
}

describe('a damaged store', () => {
  test('is refused, or has everything acknowledged', async () => {
    const dataDir = await killedStore(40);
    const store = join('storage', 'binnacle.db');
    const outcomes: string[] = [];
    for (const file of [store, `${store}-wal`]) {
      const { size } = await stat(join(dataDir, file));
      for (const part of [0, 0.4, 0.9]) {
        for (const bytes of [undefined, Buffer.from('damage')]) {
          const copy = newFolder();
          await cp(dataDir, copy, { recursive: true });
          await change(join(copy, file), Math.floor(size * part) + 30, bytes);
          const why = await refusal(copy);
          outcomes.push(why);
          if (why !== 'it serves') {
            expect(why).toMatch(
              /binnacle: cannot open the store in .*: (it is damaged|acknowledged writes are lost|file is not|database|the store has format)/,
            );
            continue;
          }
          const server = started.at(-1);
          if (server === undefined) throw new Error('it serves, and is not there');
          using client = await ApiClient.connect(server);
          expect(await names(client)).toHaveLength(40);
          await server.end('SIGKILL');
        }
      }
    }
    expect(outcomes.filter((why) => why.includes('writes are lost')).length).toBeGreaterThan(2);
  });

  test('a store whose log is missing is refused at every start, and opens when told to', async () => {
    const dataDir = await killedStore(3);
    await rm(join(dataDir, 'storage', 'binnacle.db-wal'));
    for (let time = 0; time < 2; time += 1)
      expect(await refusal(dataDir)).toContain('writes are lost: it ends at revision');
    await rm(join(dataDir, 'storage', 'binnacle.acknowledged'));
    expect(await refusal(dataDir)).toBe('it serves');
  });
});

test('a second server on the same directory is refused, the first one continues', async () => {
  const dataDir = newFolder();
  const server = await start(dataDir);
  expect(await refusal(dataDir)).toMatch(/binnacle: cannot open the store in .*: it is in use by another process/);
  using client = await ApiClient.connect(server);
  expect(await create(client, 'w')).toBe(201);
});

const clockFile = join(import.meta.dirname, 'shifted-clock.ts');
const hourMs = 3_600_000;

async function shift(server: ServerProcess, ms: number): Promise<void> {
  server.child?.send(String(ms));
  if (server.child !== undefined) await once(server.child, 'message');
}

describe('a wrong clock', () => {
  const negativeSum = /\w+_sum(\{[^}]*\})? -\S+/;

  test('durations of requests under way do not depend on it', async () => {
    const server = await start(newFolder(), { nodeArgs: ['--import', clockFile] });
    using client = await ApiClient.connect(server);
    // Hooks of the start may still be running.
    await expect.poll(() => health(client, '/readyz')).toBe('200');
    // It waits for a version that does not come.
    const waiting = client.send('GET', `${configMaps}?resourceVersion=1000000`);
    // The answer to a later request shows that it has begun.
    expect(await health(client, '/livez')).toBe('200');
    await shift(server, -hourMs);
    expect((await waiting).code).toBe(504);
    expect(await client.text('/metrics')).not.toMatch(negativeSum);
  });

  test('jumps back and forth while clients write, watch and wait', async () => {
    const server = await start(newFolder(), { nodeArgs: ['--import', clockFile] });
    using client = await ApiClient.connect(server);
    using watcher = await ApiClient.connect(server);
    // Hooks of the start may still be running.
    await expect.poll(() => health(client, '/readyz')).toBe('200');
    const stop = new AbortController();
    const seen: string[] = [];
    const watching = (async () => {
      const path = `${configMaps}?watch=true&allowWatchBookmarks=true&fieldSelector=metadata.name!=kube-root-ca.crt`;
      for await (const event of watcher.watch(path, stop.signal)) seen.push(event.type);
    })().catch(() => undefined);
    const revisions: number[] = [];
    for (const ms of [0, -hourMs, hourMs, -400 * 24 * hourMs, 24 * hourMs, 0]) {
      await shift(server, ms);
      const { code, body } = await client.send('POST', configMaps, { body: written(`w${revisions.length}`) });
      expect(code).toBe(201);
      const { resourceVersion, creationTimestamp } = body['metadata'] as Readonly<Record<string, string>>;
      revisions.push(Number(resourceVersion));
      // Timestamps follow the clock, versions do not.
      expect(Math.abs(Date.parse(creationTimestamp ?? '') - Date.now() - ms)).toBeLessThan(60_000);
      expect((await client.send('PUT', `${configMaps}/w0`, { body: written('w0', String(ms)) })).code).toBe(200);
      expect(await health(client, '/readyz')).toBe('200');
    }
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    expect(await names(client)).toHaveLength(6);
    expect(await client.text('/metrics')).not.toMatch(negativeSum);
    while (seen.length < 12) await sleep(10);
    expect(seen.filter((type) => type === 'ADDED').length).toBeGreaterThanOrEqual(6);
    stop.abort();
    await watching;
  });

  test('events live as long as the clock says, and are not lost when it jumps back', async () => {
    const server = await start(newFolder(), { nodeArgs: ['--import', clockFile] });
    using client = await ApiClient.connect(server);
    const event = (name: string): object => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: 'default' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' },
    });
    const events = namespaced('events');
    expect((await client.send('POST', events, { body: event('before') })).code).toBe(201);
    await shift(server, -2 * hourMs);
    expect((await client.send('POST', events, { body: event('back') })).code).toBe(201);
    await sleep(1200);
    for (const name of ['before', 'back']) expect((await client.send('GET', `${events}/${name}`)).code).toBe(200);
    await shift(server, -hourMs / 2);
    // One of them has seen an hour pass on its own clock.
    while ((await client.send('GET', `${events}/back`)).code !== 404) await sleep(50);
    expect((await client.send('GET', `${events}/before`)).code).toBe(200);
  });
});

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseTransitions?: number;
  readonly renewTime?: string;
}

describeWithEtcd('servers on one etcd with wrong clocks', () => {
  test('keep their leader, and elect another when it dies', async () => {
    await using etcd = await EtcdProcess.start();
    const options = { nodeArgs: ['--import', clockFile], args: ['--etcd-servers', etcd.url] };
    const leader = await start(newFolder(), options);
    const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/binnacle-controllers';
    const specOf = async (client: ApiClient): Promise<LeaseSpec> => {
      const { body } = await client.send('GET', lease);
      return (body as { readonly spec?: LeaseSpec }).spec ?? {};
    };
    using first = await ApiClient.connect(leader);
    while ((await specOf(first)).holderIdentity === undefined) await sleep(50);
    const follower = await start(newFolder(), options);
    using client = await ApiClient.connect(follower);
    // It believes the time of a Lease that was there before.
    await expect.poll(() => health(client, '/readyz')).toBe('200');
    const { holderIdentity, leaseTransitions } = await specOf(client);
    for (const [ofLeader, ofFollower] of [
      [-hourMs, hourMs],
      [hourMs, -hourMs],
    ] as const) {
      await shift(leader, ofLeader);
      await shift(follower, ofFollower);
      const { renewTime } = await specOf(client);
      await expect.poll(() => specOf(client), { timeout: 10_000 }).not.toMatchObject({ renewTime });
      expect(await specOf(client)).toMatchObject({ holderIdentity, leaseTransitions });
    }
    await leader.end('SIGKILL');
    await expect.poll(() => specOf(client), { timeout: 30_000 }).not.toMatchObject({ holderIdentity });
  });
});

describe('disks', () => {
  const small = mountSmallDisk();
  afterAll(() => small[Symbol.dispose]());

  test.skipIf(small.missing !== '')('a disk that is full, and one that can only be read', async () => {
    const dataDir = join(small.path, 'data');
    const server = await start(dataDir);
    using client = await ApiClient.connect(server);
    const acknowledged: string[] = [];
    let code = 201;
    for (let n = 0; code === 201; n += 1) {
      code = await create(client, `w${n}`, 'x'.repeat(100_000));
      if (code === 201) acknowledged.push(`w${n}`);
    }
    expect(code).toBe(503);
    expect(new Set(await names(client))).toEqual(new Set(acknowledged));
    for (const name of acknowledged.splice(0, 5)) {
      expect([200, 503]).toContain((await client.send('DELETE', `${configMaps}/${name}`)).code);
    }
    execFileSync('mount', ['-o', 'remount,size=32m', small.path]);
    expect(await create(client, 'w-later')).toBe(201);
    await server.end('SIGTERM');

    execFileSync('mount', ['-o', 'remount,ro', small.path]);
    expect(await refusal(dataDir)).toMatch(/binnacle: cannot open the store in .*: EROFS: read-only file system/);
    execFileSync('mount', ['-o', 'remount,rw', small.path]);
    const again = await start(dataDir);
    using reader = await ApiClient.connect(again);
    expect(await names(reader)).toEqual(expect.arrayContaining([...acknowledged, 'w-later']));
  });
});

test('a directory deleted under a server: writes are refused, reads from memory continue', async () => {
  const dataDir = newFolder();
  const server = await start(dataDir);
  using client = await ApiClient.connect(server);
  expect(await create(client, 'w0')).toBe(201);
  expect(await names(client)).toEqual(['w0']);
  await rm(dataDir, { recursive: true, maxRetries: 5 }); // the server may write certificates meanwhile
  // The first write gets 500. A server that has just started makes writes of its own.
  expect([500, 503]).toContain(await create(client, 'w1'));
  expect(await create(client, 'w2')).toBe(503);
  expect(await names(client)).toEqual(['w0']);
  expect(await health(client, '/livez')).toMatch(/^500/);
});

test('out of file descriptors: existing clients are served, others once there is room', async () => {
  const server = await start(newFolder());
  using client = await ApiClient.connect(server);
  execFileSync('prlimit', ['--pid', String(server.child?.pid), '--nofile=80']);
  const sessions: ClientHttp2Session[] = Array.from({ length: 150 }, () =>
    connect(server.url, { rejectUnauthorized: false }),
  );
  for (const session of sessions) session.on('error', () => undefined);
  await sleep(500);
  for (let n = 0; n < 5; n += 1) expect(await create(client, `w${n}`)).toBe(201);
  expect(await names(client)).toHaveLength(5);
  for (const session of sessions) session.destroy();
  await sleep(300);
  using later = await ApiClient.connect(server);
  expect(await names(later)).toHaveLength(5);
  expect(server.deaths).toEqual([]);
});

test('suspended and resumed: running requests complete', async () => {
  const server = await start(newFolder());
  using client = await ApiClient.connect(server);
  expect(await create(client, 'w0')).toBe(201);
  await server.begin('pause');
  const writes = Array.from({ length: 20 }, (_, n) => create(client, `w${n + 1}`));
  await sleep(1500);
  await server.heal('pause');
  expect(await Promise.all(writes)).toEqual(writes.map(() => 201));
  expect(await names(client)).toHaveLength(21);
});
