import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './open-database.ts';
import { storeFile } from './store-file.ts';

/** https://sqlite.org/pragma.html#pragma_synchronous */
test.each([
  { syncs: true, synchronous: 2 },
  { syncs: false, synchronous: 0 },
])('with syncs=$syncs, SQLite has synchronous=$synchronous', ({ syncs, synchronous }) => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-database-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = openDatabase(join(folder, storeFile), syncs);
  onTestFinished(() => database.close());
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous });
});
