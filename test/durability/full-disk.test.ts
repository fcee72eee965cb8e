import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Storage, StorageError, type StorageEvent } from '../../src/storage/contract.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/engine.ts';
import { mountSmallDisk } from './small-disk.ts';

const small = mountSmallDisk();
const disk = small.path;
const why = small.missing;
afterAll(() => small[Symbol.dispose]());

class Filler {
  readonly storage: Storage;
  readonly acknowledged = new Map<string, number>();
  readonly events: StorageEvent[] = [];

  constructor(storage: Storage) {
    this.storage = storage;
    storage.watch(
      { start: '/', end: '0', afterRevision: 1 },
      { events: (batch) => this.events.push(...batch), progress: () => undefined, failed: () => undefined },
    );
  }

  /** Writes with four writers until each has been refused once; returns the errors. */
  async fill(name: string): Promise<unknown[]> {
    const fillOne = async (writer: number): Promise<unknown> => {
      for (let n = 0; ; n++) {
        const failure = await this.put(`/${name}/${writer}/${n}`).catch((error: unknown) => error);
        if (failure !== undefined) return failure;
      }
    };
    return Promise.all([0, 1, 2, 3].map(fillOne));
  }

  async put(key: string): Promise<void> {
    const result = await this.storage.put({ key, value: Buffer.alloc(50_000, key), expectedModRevision: 0 });
    if (!result.succeeded) throw new Error(`${key} exists`);
    this.acknowledged.set(key, result.revision);
  }
}

/** Exactly the acknowledged writes are present, intact. */
async function checkWhole(filler: Filler): Promise<void> {
  const { kvs, revision } = await filler.storage.range({ start: '/', end: '0' });
  expect(new Map(kvs.map((kv) => [kv.key, kv.modRevision]))).toEqual(new Map([...filler.acknowledged].sort()));
  expect([...filler.acknowledged.values()].sort((a, b) => a - b)).toEqual(
    Array.from({ length: revision - 1 }, (_, n) => n + 2),
  );
  for (const kv of kvs) expect(Buffer.alloc(50_000, kv.key).equals(kv.value)).toBe(true);
}

describe.skipIf(why !== '')(`a full disk${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  test('writes are refused, reads continue, writes resume when there is space', async () => {
    const dataDir = join(disk, 'data');
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(3 << 20));
    const storage = await openEmbeddedStorage({ dataDir });
    const filler = new Filler(storage);

    for (const error of await filler.fill('first')) {
      expect(error).toBeInstanceOf(StorageError);
      expect(error).toMatchObject({ code: 'unavailable', message: 'the write failed: database or disk is full' });
    }
    expect(filler.acknowledged.size).toBeGreaterThan(10);
    await checkWhole(filler);
    await storage.check();

    rmSync(ballast);
    const full = filler.acknowledged.size;
    await filler.put('/again');
    await filler.fill('second');
    expect(filler.acknowledged.size).toBeGreaterThan(full + 10);
    await checkWhole(filler);
    expect(filler.events.map((event) => event.revision)).toEqual(filler.events.map((_, n) => n + 2));
    expect(filler.events).toHaveLength(filler.acknowledged.size);

    await storage[Symbol.asyncDispose]();
    await using reopened = await openEmbeddedStorage({ dataDir });
    const again = new Filler(reopened);
    for (const [key, revision] of filler.acknowledged) again.acknowledged.set(key, revision);
    await checkWhole(again);
  });
});
