import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { Storage } from '../../src/storage/contract.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/engine.ts';
import { storeFile } from '../../src/storage/embedded/store-file.ts';

export const storeIn = (dataDir: string): string => join(dataDir, 'storage');

/** A store whose keys have been overwritten many times, from the `first` revision on. */
export async function makeStore(dataDir: string, turns = 12): Promise<{ readonly first: number }> {
  await using storage = await openEmbeddedStorage({ dataDir: storeIn(dataDir), syncs: false });
  const first = await storage.currentRevision();
  const keys = Array.from({ length: 200 }, (_, n) => `/registry/configmaps/default/c${n}`);
  await Promise.all(keys.map((key) => overwrite(storage, key, turns)));
  return { first };
}

async function overwrite(storage: Storage, key: string, turns: number): Promise<void> {
  let expectedModRevision = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const value = Buffer.alloc(10_000, `${key} ${turn};`);
    ({ revision: expectedModRevision } = await storage.put({ key, value, expectedModRevision }));
  }
}

/** All keys with revisions and checksums. */
export async function contentOf(storage: Storage): Promise<readonly string[]> {
  const { kvs } = await storage.range({ start: '/', end: '0' });
  return kvs.map(({ key, modRevision, createRevision, value }) =>
    [key, modRevision, createRevision, crc32(value)].join(' '),
  );
}

export async function contentIn(dataDir: string): Promise<readonly string[]> {
  await using storage = await openEmbeddedStorage({ dataDir: storeIn(dataDir) });
  return contentOf(storage);
}

export function copyStore(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true });
}

const olderTables = `
  CREATE TABLE log (revision INTEGER PRIMARY KEY, key TEXT NOT NULL, create_revision INTEGER NOT NULL,
    previous_revision INTEGER NOT NULL, expires_at_ms INTEGER NOT NULL, value BLOB, checksum INTEGER) STRICT;
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL, checksum INTEGER) STRICT, WITHOUT ROWID;
  PRAGMA user_version=2;
`;

/** Copies a store as the program of format 2 would have written it: some rows have no checksum yet. */
export function makeOlder(dataDir: string, olderDir: string): void {
  const older = new DatabaseSync(join(storeIn(olderDir), storeFile));
  older.exec(`PRAGMA synchronous=OFF; ${olderTables} ATTACH '${join(storeIn(dataDir), storeFile)}' AS current`);
  older.exec(`BEGIN;
    INSERT INTO log SELECT revision, key, create_revision, previous_revision, expires_at_ms, value,
      iif(revision % 2, checksum, NULL) FROM current.log;
    INSERT INTO meta SELECT name, value, checksum FROM current.meta;
    COMMIT`);
  older.close();
}

export function formatIn(dataDir: string): number {
  const database = new DatabaseSync(join(storeIn(dataDir), storeFile), { readOnly: true });
  try {
    return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  } finally {
    database.close();
  }
}
