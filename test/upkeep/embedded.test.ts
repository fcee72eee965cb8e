import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../api-client.ts';
import { ServerProcess } from '../durability/server-process.ts';
import { freePort } from '../free-port.ts';
import { configMap, configMaps, connectTo, fill, Load, overwrite, run } from './upkeep-server.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-upkeep-'));
const dataDir = join(root, 'data');
const file = join(dataDir, 'storage', 'binnacle.db');
let port: number;
let server: ServerProcess;
let client: ApiClient;

beforeAll(async () => {
  port = await freePort();
  server = await ServerProcess.start(dataDir, port, ['--authorization-mode=RBAC', '--etcd-compaction-interval=0']);
  client = await connectTo(dataDir, port);
});
afterAll(async () => {
  client[Symbol.dispose]();
  await server.kill();
  await rm(root, { recursive: true });
});

test('old revisions and free space go while clients write and watch', { timeout: 120_000 }, async () => {
  const first = await overwrite(client, 'first', 2);
  await fill(client, 'filling', 100);
  const load = await Load.start(client, 'busy');
  const before = await stat(file);
  const compacted = await run(['compact', '--data-dir', dataDir, '--keep=10']);
  const defragmented = await run(['defrag', '--data-dir', dataDir]);
  await load.stop();
  expect(compacted).toMatchObject({ code: 0, stderr: '' });
  const oldest = Number(/^compacted; the oldest readable revision is (\d+)\n$/.exec(compacted.stdout)?.[1]);
  expect(oldest).toBeGreaterThan(first);
  expect(defragmented).toMatchObject({ code: 0, stderr: '' });
  const sizes = /^defragmented; (\d+) bytes before, (\d+) bytes after\n$/.exec(defragmented.stdout);
  expect(Number(sizes?.[2])).toBeLessThan(Number(sizes?.[1]) - 4_000_000);
  expect((await stat(file)).size).toBeLessThan(before.size + 4_000_000);

  const read = await client.send('GET', `${configMaps}?resourceVersion=${first}&resourceVersionMatch=Exact`);
  expect(read).toMatchObject({ code: 410, body: { reason: 'Expired' } });
});

test('writers wait no longer for upkeep than for other clients', { timeout: 120_000 }, async () => {
  const waitsMs = { beside: [] as number[], during: [] as number[] };
  for (const round of [0, 1, 2]) {
    // A slice of upkeep is a mebibyte at most.
    waitsMs.beside.push(await longestWaitMs(`beside-${round}`, () => writeLarge(`large-${round}`)));
    await fill(client, `sparse-${round}`, 30);
    waitsMs.during.push(
      await longestWaitMs(`during-${round}`, async () => {
        await client.exchange('POST', '/binnacle/compact', {});
        await client.exchange('POST', '/binnacle/defrag', {});
      }),
    );
  }
  // Other tests delay some rounds.
  expect(Math.min(...waitsMs.during)).toBeLessThan(3 * Math.max(...waitsMs.beside));
});

/** The longest wait of writers during some work, without the longest of each twenty. */
async function longestWaitMs(name: string, work: () => Promise<unknown>): Promise<number> {
  const load = await Load.start(client, name);
  await work();
  await load.stop();
  return load.waitsMs.toSorted((a, b) => b - a)[Math.floor(load.waitsMs.length / 20)] ?? 0;
}

async function writeLarge(name: string): Promise<void> {
  const elsewhere = configMaps.replace('default', 'kube-system');
  for (let n = 0; n < 10; n += 1) {
    const { code } = await client.send('POST', elsewhere, { body: configMap(`${name}-${n}`, 0, 1_000_000) });
    expect(code).toBe(201);
  }
}

test('revisions that cannot be compacted are refused', async () => {
  const again = await run(['compact', '--data-dir', dataDir, '--revision=2']);
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toMatch(/^binnacle: the server at https:\S+ answered 410: required revision has been compacted/);
  const future = await run(['compact', '--data-dir', dataDir, '--revision=999999999']);
  expect(future.stderr).toMatch(
    /answered 400: required revision 999999999 is a future revision; the current is \d+\n$/,
  );
  expect(await client.send('POST', '/binnacle/compact?keep=x')).toMatchObject({ code: 400 });
  expect(await client.send('POST', '/binnacle/compact?keep=1&revision=2')).toMatchObject({ code: 400 });
  expect((await client.send('GET', '/binnacle/defrag')).code).toBe(405);
  const running = await run(['upgrade-store', '--data-dir', dataDir]);
  expect(running.stderr).toContain('it is in use by another process: stop the server first');
});

test('without rights they are forbidden', async () => {
  const headers = { 'impersonate-user': 'nobody' };
  for (const path of ['/binnacle/compact', '/binnacle/defrag'])
    expect(await client.send('POST', path, { headers })).toMatchObject({ code: 403, body: { reason: 'Forbidden' } });
});

test('kill -9 of the server during compaction and defragmentation loses nothing acknowledged', async () => {
  for (const command of ['compact', 'defrag']) {
    await fill(client, `killed-${command}`, 30);
    const version = await overwrite(client, `last-${command}`, 2);
    const working = run([command, '--data-dir', dataDir]);
    const begun = client.exchange('POST', `/binnacle/${command}`, {}).catch(() => undefined);
    await Promise.race([begun, client.send('GET', '/readyz').catch(() => undefined)]);
    await server.kill();
    client[Symbol.dispose]();
    await Promise.all([working, begun]);
    server = await ServerProcess.start(dataDir, port, ['--authorization-mode=RBAC', '--etcd-compaction-interval=0']);
    client = await connectTo(dataDir, port);
    const { body } = await client.send('GET', `${configMaps}/last-${command}`);
    expect(body).toMatchObject({ metadata: { resourceVersion: String(version) }, data: { turn: '1' } });
    expect(await run([command, '--data-dir', dataDir])).toMatchObject({ code: 0, stderr: '' });
  }
}, 120_000);
