import { spawn } from 'node:child_process';
import { cp, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openEmbeddedStorage } from '../../src/storage/embedded/engine.ts';
import { markFile } from '../../src/storage/embedded/store-file.ts';
import { checkWhole, readHistory } from './history.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-durability-'));
afterAll(() => rm(root, { recursive: true }));

interface Run {
  readonly dataDir: string;
  readonly writers: number;
  /** Killed this long after the first acknowledgements. */
  readonly forMs: number;
  /** So many of them; default one. */
  readonly acknowledged?: number;
}

/**
 * Starts the writers, kills them with SIGKILL in mid-write and returns all acknowledgements, of this run and earlier
 * ones.
 */
async function writeAndKill(run: Run): Promise<string[]> {
  const notes = `${run.dataDir}.acknowledged`;
  const before = (await readNotes(notes)).length;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'writers.ts'), run.dataDir, String(run.writers)], {
    stdio: 'inherit',
  });
  const exited = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  const enough = before + (run.acknowledged ?? 1);
  while ((await readNotes(notes)).length < enough && child.exitCode === null) await sleep(5);
  await sleep(run.forMs);
  child.kill('SIGKILL');
  expect(await exited).toBe('SIGKILL');
  const acknowledged = await readNotes(notes);
  expect(acknowledged.length).toBeGreaterThan(before);
  return acknowledged;
}

async function readNotes(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').slice(0, -1);
}

test('kill -9 under concurrent writers loses nothing acknowledged and leaves nothing partial', async () => {
  const dataDir = join(root, 'killed');
  for (const [writers, forMs] of [
    [1, 150],
    [16, 300],
    [64, 200],
    [64, 700],
    [8, 50],
    [200, 400],
  ] as const) {
    const acknowledged = await writeAndKill({ dataDir, writers, forMs });
    await using storage = await openEmbeddedStorage({ dataDir });
    const events = await checkWhole(storage);
    const found = new Set(events.map((event) => `${event.type === 'delete' ? '-' : ''}${event.key} ${event.revision}`));
    expect(acknowledged.filter((line) => !found.has(line))).toEqual([]);
  }
});

/** Possible ends of the write-ahead log after a power failure within a page. */
const tears: Readonly<Record<string, (path: string, at: number) => Promise<void>>> = {
  'cut off': (path, at) => withFile(path, (file) => file.truncate(at)),
  'followed by zeros': (path, at) =>
    withFile(path, async (file) => void (await file.write(Buffer.alloc(6000), 0, 6000, at))),
  'followed by garbage': (path, at) =>
    withFile(path, async (file) => void (await file.write(Buffer.alloc(6000, 'x7'), 0, 6000, at))),
};

async function withFile(path: string, work: (file: Awaited<ReturnType<typeof open>>) => Promise<void>): Promise<void> {
  const file = await open(path, 'r+');
  await work(file).finally(() => file.close());
}

test('a torn end of the log: the store opens with everything intact, and continues', async () => {
  const dataDir = join(root, 'torn');
  await writeAndKill({ dataDir, writers: 2, forMs: 50, acknowledged: 40 });
  // As after a power failure in the first group: otherwise the acknowledged writes would be on disk.
  await rm(join(dataDir, markFile));
  const { size } = await stat(join(dataDir, 'binnacle.db-wal'));
  const revisions: number[] = [];
  for (const [name, tear] of Object.entries(tears)) {
    for (const back of [1, 4000, 9000, size >> 1]) {
      const copy = join(root, `${name} ${back}`);
      await cp(dataDir, copy, { recursive: true });
      await tear(join(copy, 'binnacle.db-wal'), size - back);
      await using storage = await openEmbeddedStorage({ dataDir: copy });
      const events = await checkWhole(storage);
      revisions.push(events.length + 1);
      const next = await storage.put({ key: '/after', value: Buffer.from('x'), expectedModRevision: 0 });
      expect(next).toEqual({ succeeded: true, revision: events.length + 2 });
    }
  }
  await using whole = await openEmbeddedStorage({ dataDir });
  const total = (await readHistory(whole)).length + 1;
  // The torn part is gone, and the rest is there.
  expect(Math.min(...revisions)).toBeGreaterThan(1);
  expect(Math.min(...revisions)).toBeLessThan(total);
  expect(Math.max(...revisions)).toBeLessThanOrEqual(total);
});

test('while a process has the store open another one is refused; after kill -9 it is not', async () => {
  const dataDir = join(root, 'owned');
  const run = writeAndKill({ dataDir, writers: 2, forMs: 1000 });
  let refused = '';
  for (let tries = 0; tries < 100 && refused === ''; tries++) {
    await sleep(30);
    if ((await stat(join(dataDir, 'binnacle.db-wal')).catch(() => undefined)) === undefined) continue;
    refused = await openEmbeddedStorage({ dataDir }).then(() => 'opened', String);
  }
  expect(refused).toMatch(/cannot open the store in .*owned: it is in use by another process/);
  await run;
  await using storage = await openEmbeddedStorage({ dataDir });
  await checkWhole(storage);
});
