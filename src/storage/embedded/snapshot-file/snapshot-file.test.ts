import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, Recorder, revisionOf } from '../../conformance/fixture.ts';
import { openEmbeddedStorage } from '../engine.ts';
import type { LogRow } from '../protocol.ts';
import { decodeSnapshot, encodeSnapshot } from './format.ts';
import { restoreSnapshot } from './restore.ts';
import { inspectSnapshot, saveSnapshot } from './save.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-snapshot-'));
afterAll(() => rm(root, { recursive: true }));

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(root, 'test-'));
  path = join(directory, 'saved');
});

function openFresh(name = 'data') {
  return openEmbeddedStorage({ dataDir: join(directory, name) });
}

async function* chunksOf(chunks: Iterable<Uint8Array>, pauseMs = 0): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    if (pauseMs > 0) await sleep(pauseMs);
    yield chunk;
  }
}

async function readRows(chunks: AsyncIterable<Uint8Array>): Promise<LogRow[]> {
  const read: LogRow[] = [];
  await decodeSnapshot(chunks, (rows) => read.push(...rows));
  return read;
}

describe('the format', () => {
  const row = fc.record({
    key: fc.string({ unit: 'grapheme', minLength: 1 }),
    value: fc.uint8Array({ maxLength: 50 }),
    revision: fc.integer({ min: 2 }),
    createRevision: fc.integer({ min: 2 }),
    previousRevision: fc.constant(0),
    expiresAtMs: fc.oneof(fc.constant(0), fc.maxSafeNat()),
  });

  test('returns every row, in chunks of any size', async () => {
    const property = fc.asyncProperty(fc.array(row), fc.integer({ min: 1, max: 300 }), async (rows, chunkBytes) => {
      const bytes = Buffer.concat([...encodeSnapshot(7, rows)]);
      const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
        bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
      );
      const read = await readRows(chunksOf(chunks));
      expect(read.map((each) => ({ ...each, value: Uint8Array.from(each.value ?? []) }))).toEqual(rows);
    });
    await fc.assert(property);
  });

  test('refuses a file with any byte missing, altered or added', async () => {
    const value = Buffer.from('some value');
    const row = { key: '/a', value, revision: 3, createRevision: 2, previousRevision: 0, expiresAtMs: 0 };
    const bytes = Buffer.concat([...encodeSnapshot(4, [row])]);
    const refusal = (content: Uint8Array) => codeOfDecoding(chunksOf([content]));
    expect(await refusal(bytes)).toBe('none');
    for (let at = 0; at < bytes.length; at++) {
      expect(await refusal(bytes.subarray(0, at))).toBe(at < 24 ? 'foreign' : 'damaged');
      const altered = Buffer.from(bytes);
      altered[at]! ^= 0x10;
      expect(await refusal(altered)).toBe(at < 16 ? 'foreign' : 'damaged');
    }
    expect(await refusal(Buffer.concat([bytes, Buffer.from('x')]))).toBe('damaged');
  });
});

async function codeOfDecoding(chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
  try {
    await decodeSnapshot(chunks, () => undefined);
    return 'none';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

test('under concurrent writers a snapshot is the state at its revision, and nothing later', async () => {
  await using storage = await openFresh();
  const recorder = new Recorder('');
  storage.watch({ start: '/', end: '0', afterRevision: 1 }, recorder);
  let stopped = false;
  const writers = Array.from({ length: 20 }, async (_, writer) => {
    for (let turn = 0; !stopped; turn++) {
      const key = `/w/${writer}/${turn % 50}`;
      const { kv } = await storage.get(key);
      const expectedModRevision = kv?.modRevision ?? 0;
      if (kv !== undefined && turn % 7 === 6) await storage.delete({ key, expectedModRevision });
      else await storage.put({ key, value: Buffer.alloc(5_000, `${turn}`), expectedModRevision });
    }
  });
  await recorder.until(({ all }) => all.length > 2_000);
  const { revision, keys } = await saveSnapshot(path, chunksOf(storage.takeSnapshot().chunks, 30));
  expect(await storage.currentRevision()).toBeGreaterThan(revision + 100);
  stopped = true;
  await Promise.all(writers);

  const expected = new Map<string, string>();
  for (const event of recorder.all.filter((each) => each.revision <= revision)) {
    if (event.value === undefined) expected.delete(event.key);
    else expected.set(event.key, `${event.revision} ${Buffer.from(event.value).toString('base64')}`);
  }
  await restoreSnapshot({ path, dataDir: join(directory, 'restored'), bumpRevision: 0 });
  await using restored = await openFresh('restored');
  const { kvs } = await restored.range({ start: '/', end: '0' });
  const found = kvs.map((kv) => [kv.key, `${kv.modRevision} ${Buffer.from(kv.value).toString('base64')}`] as const);
  expect(new Map(found)).toEqual(expected);
  expect(keys).toBe(expected.size);
  expect(await restored.currentRevision()).toBe(revision);
});

describe('a restored store', () => {
  test('continues past every revision that the lost one may have had', async () => {
    await using storage = await openFresh();
    await storage.put({ key: '/a', value: Buffer.from('1'), expectedModRevision: 0 });
    await storage.put({ key: '/a', value: Buffer.from('2'), expectedModRevision: 2 });
    await storage.put({ key: '/b', value: Buffer.from('3'), expectedModRevision: 0 });
    await saveSnapshot(path, chunksOf(storage.takeSnapshot().chunks));
    const lost = revisionOf(await storage.put({ key: '/c', value: Buffer.from('lost'), expectedModRevision: 0 }));

    await restoreSnapshot({ path, dataDir: join(directory, 'restored'), bumpRevision: 1_000 });
    await using restored = await openFresh('restored');
    expect(await restored.currentRevision()).toBe(1_004);
    expect((await restored.get('/a')).kv).toMatchObject({ createRevision: 2, modRevision: 3 });
    expect((await restored.get('/c')).kv).toBeUndefined();
    expect(await codeOf(restored.get('/a', { revision: lost }))).toBe('compacted');
    const behind = new Recorder('');
    restored.watch({ start: '/', end: '0', afterRevision: lost }, behind);
    await behind.until(({ error }) => error !== undefined);
    expect(behind.error?.code).toBe('compacted');

    const watch = new Recorder('');
    restored.watch({ start: '/', end: '0', afterRevision: 1_004 }, watch);
    expect(revisionOf(await restored.put({ key: '/a', value: Buffer.from('4'), expectedModRevision: 3 }))).toBe(1_005);
    await restored.delete({ key: '/b', expectedModRevision: 4 });
    expect(watch.lines).toEqual(['1005+/a=4 (3=2)', '1006-/b (4=3)']);
    await restored.compact(1_006);
  });

  test('survives another restart, compacted or not', async () => {
    await using storage = await openFresh();
    for (const key of ['/a', '/b']) await storage.put({ key, value: Buffer.from('1'), expectedModRevision: 0 });
    await saveSnapshot(path, chunksOf(storage.takeSnapshot().chunks));
    await restoreSnapshot({ path, dataDir: join(directory, 'restored'), bumpRevision: 10 });
    {
      await using restored = await openFresh('restored');
      await restored.put({ key: '/a', value: Buffer.from('2'), expectedModRevision: 2 });
      await restored.compact(14);
      await sleep(50);
    }
    await using again = await openFresh('restored');
    const { kvs, revision } = await again.range({ start: '/', end: '0' });
    expect(revision).toBe(14);
    expect(kvs.map((kv) => [kv.key, kv.modRevision, kv.createRevision])).toEqual([
      ['/a', 14, 2],
      ['/b', 3, 3],
    ]);
  });

  test('drops what has expired, and keeps the rest', async () => {
    await using storage = await openFresh();
    await storage.put({ key: '/short', value: Buffer.from('1'), expectedModRevision: 0, ttlSeconds: 1 });
    await storage.put({ key: '/long', value: Buffer.from('1'), expectedModRevision: 0, ttlSeconds: 1_000 });
    await saveSnapshot(path, chunksOf(storage.takeSnapshot().chunks));
    await restoreSnapshot({ path, dataDir: join(directory, 'restored'), bumpRevision: 0 });
    await using restored = await openFresh('restored');
    const watch = new Recorder('');
    restored.watch({ start: '/', end: '0', afterRevision: 3 }, watch);
    await watch.until(({ all }) => all.length === 1);
    expect(watch.lines).toEqual(['4-/short (2=1)']);
    expect((await restored.get('/long')).kv?.modRevision).toBe(3);
  });

  test('of an empty one is empty', async () => {
    await using storage = await openFresh();
    expect(await saveSnapshot(path, chunksOf(storage.takeSnapshot().chunks))).toMatchObject({ revision: 1, keys: 0 });
    await restoreSnapshot({ path, dataDir: join(directory, 'restored'), bumpRevision: 5 });
    await using restored = await openFresh('restored');
    expect(await restored.range({ start: '/', end: '0' })).toMatchObject({ kvs: [], revision: 6 });
  });
});

describe('failures leave nothing behind', () => {
  test.each([
    ['a foreign file', () => Buffer.from('SQLite format 3\0 and so on'), /saved cannot be used: it is not a snapshot/],
    ['an empty file', () => Buffer.alloc(0), /it is not a snapshot of Binnacle/],
    ['a torn file', (whole: Buffer) => whole.subarray(0, -40), /it is truncated after \d+ bytes/],
    ['a newer format', (whole: Buffer) => Buffer.concat([Buffer.from('binnacle-snap 02'), whole]), /it has format 02/],
  ])('%s is refused', async (_, change, message) => {
    await using storage = await openFresh();
    const value = Buffer.alloc(100_000);
    for (let n = 0; n < 30; n++) await storage.put({ key: `/${n}`, value, expectedModRevision: 0 });
    await writeFile(path, change(Buffer.concat([...storage.takeSnapshot().chunks])));
    const dataDir = join(directory, 'restored');
    await expect(restoreSnapshot({ path, dataDir, bumpRevision: 0 })).rejects.toThrow(message);
    await expect(inspectSnapshot(path)).rejects.toThrow(message);
    expect((await readdir(directory)).sort()).toEqual(['data', 'saved']);
  });

  test('an existing store is not touched', async () => {
    await using storage = await openFresh();
    await saveSnapshot(path, chunksOf(storage.takeSnapshot().chunks));
    const before = await stat(join(directory, 'data', 'binnacle.db'));
    const restoring = restoreSnapshot({ path, dataDir: join(directory, 'data'), bumpRevision: 0 });
    await expect(restoring).rejects.toThrow(/data is not empty: move it away, or restore elsewhere/);
    expect((await stat(join(directory, 'data', 'binnacle.db'))).mtimeMs).toBe(before.mtimeMs);
    expect((await readdir(directory)).sort()).toEqual(['data', 'saved']);
  });

  test('an incomplete snapshot does not replace the previous one', async () => {
    await using storage = await openFresh();
    await saveSnapshot(path, chunksOf(storage.takeSnapshot().chunks));
    const before = await readFile(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const [head = Buffer.alloc(0)] = storage.takeSnapshot().chunks;
    await expect(saveSnapshot(path, chunksOf([head]))).rejects.toThrow(
      'the snapshot is incomplete: it is truncated after 24 bytes',
    );
    const failing = (async function* () {
      yield head;
      throw new Error('the connection broke');
    })();
    await expect(saveSnapshot(path, failing)).rejects.toThrow('the connection broke');
    expect(await readFile(path)).toEqual(before);
    expect((await readdir(directory)).sort()).toEqual(['data', 'saved']);
  });
});
