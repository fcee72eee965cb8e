import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedStorage } from '../../src/storage/embedded/engine.ts';
import { runHere } from './upkeep-server.ts';
import { killAfter, moments } from './killed-command.ts';
import { contentIn, contentOf, copyStore, formatIn, makeOlder, makeStore, storeIn } from './stores.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-killed-'));
const original = join(root, 'original');
const kills = 5;
let content: readonly string[];
let first: number;

beforeAll(async () => {
  ({ first } = await makeStore(original));
  content = await contentIn(original);
});
afterAll(() => rm(root, { recursive: true }));

interface Trial {
  /** Makes the data directory that the command works on. */
  readonly prepare: (dataDir: string) => Promise<void>;
  readonly command: (dataDir: string) => readonly string[];
  /** Checks what a killed command has left. */
  readonly check: (dataDir: string) => Promise<void>;
}

/**
 * Kills the command at several moments of the time that it takes undisturbed; each time, it does its work when it is
 * run again.
 */
async function killOften(name: string, { prepare, command, check }: Trial): Promise<void> {
  const prepared = async (turn: number): Promise<string> => {
    const dataDir = join(root, `${name}-${turn}`);
    await mkdir(dataDir);
    await prepare(dataDir);
    return dataDir;
  };
  const undisturbed = await prepared(-1);
  const whole = await killAfter(command(undisturbed), undisturbed, Infinity);
  expect(whole.ended).toBe(true);
  const found: boolean[] = [];
  for (const [turn, moment] of moments(kills).entries()) {
    const dataDir = await prepared(turn);
    const { ended } = await killAfter(command(dataDir), dataDir, moment * whole.workedMs);
    found.push(ended);
    await check(dataDir);
    expect(await runHere(...command(dataDir))).toMatchObject({ code: 0 });
    expect(await contentIn(dataDir)).toEqual(content);
    await rm(dataDir, { recursive: true });
  }
  // On a busy machine, a few are done earlier than the undisturbed one was.
  expect(found.filter((ended) => !ended).length).toBeGreaterThan(kills / 4);
}

/** The store opens with every key at its latest revision, and takes writes. */
async function checkWhole(dataDir: string): Promise<void> {
  await using storage = await openEmbeddedStorage({ dataDir: storeIn(dataDir) });
  expect(await contentOf(storage)).toEqual(content);
  expect(await storage.currentRevision()).toBe(first + 200 * 12);
}

test('upgrade-store: the store is the old one or the new one', { timeout: 240_000 }, async () => {
  const older = join(root, 'older');
  await mkdir(storeIn(older), { recursive: true });
  makeOlder(original, older);
  const left = new Set<string>();
  await killOften('upgrade', {
    prepare: (dataDir) => copyStore(older, dataDir),
    command: (dataDir) => ['upgrade-store', '--data-dir', dataDir],
    async check(dataDir) {
      const files = await readdir(storeIn(dataDir));
      for (const file of files) left.add(file);
      expect([2, 3]).toContain(formatIn(dataDir));
      if (formatIn(dataDir) === 3) expect(files).toContain('binnacle.db.format-2');
      await checkWhole(dataDir);
    },
  });
  expect([...left]).toContain('binnacle.db.upgrading');
});

test('restore: the store is complete or does not exist', { timeout: 240_000 }, async () => {
  const file = join(root, 'saved');
  expect(await runHere('snapshot', 'save', file, '--data-dir', original)).toMatchObject({ code: 0 });
  let partial = 0;
  await killOften('restore', {
    prepare: async () => undefined,
    command: (dataDir) => ['snapshot', 'restore', file, '--data-dir', dataDir, '--bump-revision=0'],
    async check(dataDir) {
      const files = await readdir(dataDir);
      partial += files.filter((name) => name.startsWith('storage.restoring-')).length;
      if (!files.includes('storage')) return;
      await checkWhole(dataDir);
      // Otherwise the next one refuses to restore over it.
      await rm(storeIn(dataDir), { recursive: true });
    },
  });
  expect(partial).toBeGreaterThan(0);
});

test('compact: what is readable remains', { timeout: 240_000 }, async () => {
  await killOften('compact', {
    prepare: (dataDir) => copyStore(original, dataDir),
    command: (dataDir) => ['compact', '--data-dir', dataDir, '--keep=100'],
    check: checkWhole,
  });
});

test('defrag: everything remains', { timeout: 240_000 }, async () => {
  const sparse = join(root, 'sparse');
  await copyStore(original, sparse);
  expect(await runHere('compact', '--data-dir', sparse)).toMatchObject({ code: 0 });
  await killOften('defrag', {
    prepare: (dataDir) => copyStore(sparse, dataDir),
    command: (dataDir) => ['defrag', '--data-dir', dataDir],
    check: checkWhole,
  });
});

test('the way back from an upgrade, as documented', async () => {
  const dataDir = join(root, 'way-back');
  await mkdir(storeIn(dataDir), { recursive: true });
  makeOlder(original, dataDir);
  expect(await runHere('upgrade-store', '--data-dir', dataDir)).toMatchObject({ code: 0 });
  {
    await using storage = await openEmbeddedStorage({ dataDir: storeIn(dataDir) });
    await storage.put({ key: '/registry/later', value: Buffer.from('x'), expectedModRevision: 0 });
  }
  await rename(join(storeIn(dataDir), 'binnacle.db.format-2'), join(storeIn(dataDir), 'binnacle.db'));
  await rm(join(storeIn(dataDir), 'binnacle.acknowledged'));
  await checkWhole(dataDir);
  expect(formatIn(dataDir)).toBe(2);
});
