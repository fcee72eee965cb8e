import { mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openEmbeddedStorage } from '../../src/storage/embedded/engine.ts';
import { ServerProcess } from '../durability/server-process.ts';
import { mountSmallDisk, type SmallDisk } from '../durability/small-disk.ts';
import { freePort } from '../free-port.ts';
import { contentIn, formatIn, makeOlder, makeStore, storeIn } from './stores.ts';
import { configMaps, connectTo, fill, overwrite, run, runHere } from './upkeep-server.ts';

const { missing, ...probe } = mountSmallDisk();
probe[Symbol.dispose]();

/** Takes all free space of the disk, except for what the file system rounds away. */
async function fillUp(disk: SmallDisk): Promise<string> {
  const ballast = join(disk.path, 'ballast');
  for (let chunk = 1 << 20; chunk >= 4096; chunk /= 2)
    while (
      await append(ballast, chunk).then(
        () => true,
        () => false,
      )
    );
  return ballast;
}

async function append(path: string, bytes: number): Promise<void> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  try {
    await writeFile(path, Buffer.alloc(bytes), { flag: 'a' });
  } catch (error) {
    await truncate(path, size);
    throw error;
  }
}

describe.skipIf(missing !== '')(`on a full disk${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  let disk: SmallDisk;
  let dataDir: string;
  beforeEach(async () => {
    disk = mountSmallDisk(64);
    dataDir = join(disk.path, 'data');
    await mkdir(dataDir);
  });
  afterEach(() => disk[Symbol.dispose]());

  test('an upgrade leaves the store as it was', async () => {
    const current = join(disk.path, 'current');
    await makeStore(current, 10);
    await mkdir(storeIn(dataDir));
    makeOlder(current, dataDir);
    await rm(current, { recursive: true });
    const content = await contentIn(dataDir);
    const ballast = await fillUp(disk);
    const { code, stderr } = await runHere('upgrade-store', '--data-dir', dataDir);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `binnacle: the store in ${storeIn(dataDir)} cannot be upgraded: database or disk is full\n`,
    });
    expect((await readdir(storeIn(dataDir))).filter((file) => file.startsWith('binnacle.db'))).toEqual(['binnacle.db']);
    await rm(ballast);
    expect(formatIn(dataDir)).toBe(2);
    expect(await contentIn(dataDir)).toEqual(content);
    expect(await runHere('upgrade-store', '--data-dir', dataDir)).toMatchObject({ code: 0 });
    expect(await contentIn(dataDir)).toEqual(content);
  });

  test.each(['compact', 'defrag'])('%s fails, and nothing is lost', async (command) => {
    await makeStore(dataDir, 10);
    const content = await contentIn(dataDir);
    if (command === 'defrag') expect(await runHere('compact', '--data-dir', dataDir)).toMatchObject({ code: 0 });
    const ballast = await fillUp(disk);
    const failed = await runHere(command, '--data-dir', dataDir);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/^binnacle: .*(database or disk is full|no space left on device).*\n$/);
    await rm(ballast);
    expect(await contentIn(dataDir)).toEqual(content);
    expect(await runHere(command, '--data-dir', dataDir)).toMatchObject({ code: 0, stderr: '' });
    expect(await contentIn(dataDir)).toEqual(content);
  });

  test('a backup of a store there can be written elsewhere', async () => {
    await makeStore(dataDir, 10);
    const content = await contentIn(dataDir);
    await fillUp(disk);
    const file = join(dirname(disk.path), 'saved');
    expect(await runHere('snapshot', 'save', file, '--data-dir', dataDir)).toMatchObject({ code: 0, stderr: '' });
    const restored = join(dirname(disk.path), 'restored');
    expect(await runHere('snapshot', 'restore', file, '--data-dir', restored, '--bump-revision=0')).toMatchObject({
      code: 0,
    });
    expect(await contentIn(restored)).toEqual(content);
  });

  test('a server says so, and goes on', async () => {
    const port = await freePort();
    const server = await ServerProcess.start(dataDir, port, ['--etcd-compaction-interval=0']);
    onTestFinished(() => server.kill());
    using client = await connectTo(dataDir, port);
    await fill(client, 'filling', 60);
    const version = await overwrite(client, 'last', 2);
    // Afterwards nothing can be written without more space.
    expect(await run(['defrag', '--data-dir', dataDir])).toMatchObject({ code: 0 });
    const ballast = await fillUp(disk);
    const failed = await run(['compact', '--data-dir', dataDir]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/^binnacle: the server at \S+ answered 503: .*database or disk is full\n$/);
    expect((await client.send('GET', `${configMaps}/last`)).body).toMatchObject({
      metadata: { resourceVersion: String(version) },
    });
    await rm(ballast);
    expect((await client.send('DELETE', `${configMaps}/last`)).code).toBe(200);
    for (const command of ['compact', 'defrag'])
      expect(await run([command, '--data-dir', dataDir])).toMatchObject({ code: 0, stderr: '' });
    await server.kill();
    await using storage = await openEmbeddedStorage({ dataDir: storeIn(dataDir) });
    expect((await storage.get('/registry/configmaps/default/filling-0')).kv).toBeDefined();
    expect((await storage.get('/registry/configmaps/default/last')).kv).toBeUndefined();
  });
});
