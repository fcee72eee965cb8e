import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { Progress } from '../upkeep.ts';
import { currentFormat, formatSteps } from './format-steps.ts';
import { LogDatabase } from './log-database.ts';
import { everyKey } from './snapshot.ts';
import { storeFile } from './store-file.ts';
import { type UpgradedStore, upgradeStore } from './upgrade.ts';

const root = mkdtempSync(join(tmpdir(), 'binnacle-upgrade-'));
afterAll(() => rmSync(root, { recursive: true }));

let stores = 0;

/** The tables of older formats, as the programs of their time created them. */
const olderTables: Readonly<Record<number, string>> = {
  1: `CREATE TABLE log (revision INTEGER PRIMARY KEY, key TEXT NOT NULL, create_revision INTEGER NOT NULL,
        previous_revision INTEGER NOT NULL, expires_at_ms INTEGER NOT NULL, value BLOB) STRICT;
      CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
  2: `CREATE TABLE log (revision INTEGER PRIMARY KEY, key TEXT NOT NULL, create_revision INTEGER NOT NULL,
        previous_revision INTEGER NOT NULL, expires_at_ms INTEGER NOT NULL, value BLOB, checksum INTEGER) STRICT;
      CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL, checksum INTEGER) STRICT, WITHOUT ROWID;`,
};

const rows = 3000;

/** A store of an older format, without incremental vacuum: values of several sizes, deletions, a compaction. */
function oldStore(format: number): string {
  const path = join(root, String((stores += 1)));
  mkdirSync(path);
  const database = new DatabaseSync(join(path, storeFile));
  const columns = 'revision, key, create_revision, previous_revision, expires_at_ms, value';
  database.exec(`${olderTables[format]}
    WITH RECURSIVE n(r) AS (SELECT 2 UNION ALL SELECT r + 1 FROM n WHERE r <= ${rows})
    INSERT INTO log (${columns}) SELECT r, '/k/' || (r % 50), CASE WHEN r % 17 = 0 THEN 0 ELSE r END,
      max(0, r - 50), r % 7, CASE WHEN r % 17 = 0 THEN NULL ELSE zeroblob(r % 9000) END FROM n;
    INSERT INTO meta (name, value) VALUES ('compacted', 40), ('swept', 20), ('last', ${rows + 1});
    PRAGMA user_version=${format}`);
  database.close();
  return path;
}

function contentOf(path: string): string {
  const log = new LogDatabase(join(path, storeFile));
  try {
    log.verifyStructure();
    const opened = log.opened();
    const all = { type: 'changes', ...everyKey, afterRevision: 0, sizeBytes: 1e9, untilRevision: 4000 } as const;
    return JSON.stringify({ opened, swept: log.swept, changes: log.changes(all).rows }, (_key, value: unknown) =>
      value instanceof Uint8Array ? `${value.length} bytes, ${crc32(value)}` : value,
    );
  } finally {
    log.close();
  }
}

async function upgrade(path: string): Promise<{ readonly result: UpgradedStore; readonly steps: Progress[] }> {
  const work = upgradeStore(path);
  const steps: Progress[] = [];
  for (;;) {
    const step = await work.next();
    if (step.done === true) return { result: step.value, steps };
    steps.push(step.value);
  }
}

function numberIn(file: string, sql: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  } finally {
    database.close();
  }
}

test('the steps lead from the oldest format to the current one', () => {
  expect(formatSteps.map(({ from }) => from)).toEqual(formatSteps.map((_, n) => n + 1));
  expect(formatSteps.map(({ to }) => to)).toEqual(formatSteps.map((_, n) => n + 2));
  expect(formatSteps.at(-1)?.to).toBe(currentFormat);
});

describe.for([1, 2])('a store of format %i', (format) => {
  test('has the same content afterwards, and the original as a backup', async () => {
    const path = oldStore(format);
    // Opening would change format 1.
    const copied = join(root, String((stores += 1)));
    mkdirSync(copied);
    copyFileSync(join(path, storeFile), join(copied, storeFile));
    const before = contentOf(copied);

    const { result, steps } = await upgrade(path);
    const backup = join(path, `${storeFile}.format-${format}`);
    expect(result).toEqual({ from: format, to: currentFormat, backup });
    expect(steps.at(-1)).toEqual({ done: rows, total: rows, unit: 'rows' });
    expect(steps.length).toBeGreaterThan(3);
    expect(readdirSync(path).sort()).toEqual([storeFile, `${storeFile}.format-${format}`]);
    expect(statSync(join(path, storeFile)).mode & 0o777).toBe(0o600);
    expect(numberIn(backup, 'PRAGMA user_version')).toBe(format);
    expect(numberIn(join(path, storeFile), 'PRAGMA user_version')).toBe(currentFormat);
    expect(numberIn(join(path, storeFile), 'PRAGMA auto_vacuum')).toBe(2);
    expect(numberIn(join(path, storeFile), 'SELECT count(*) FROM log WHERE checksum IS NULL')).toBe(0);
    expect(contentOf(path)).toBe(before);

    const again = await upgrade(path);
    expect(again).toEqual({ result: { from: currentFormat, to: currentFormat, backup: undefined }, steps: [] });
  });

  test('is not changed by an upgrade that ends in between, and the next one succeeds', async () => {
    const path = oldStore(format);
    const work = upgradeStore(path);
    await work.next();
    writeFileSync(join(path, `${storeFile}.upgrading-journal`), 'left over');
    await work.return({ from: 0, to: 0, backup: undefined });
    expect(numberIn(join(path, storeFile), 'PRAGMA user_version')).toBe(format);
    // As if it had been killed: a half-written copy, and the second name already given.
    writeFileSync(join(path, `${storeFile}.upgrading`), 'half of a copy');
    expect((await upgrade(path)).result.from).toBe(format);
    expect(contentOf(path)).toContain(`"revision":${rows + 1}`);
  });

  test('cannot give space back before, and can afterwards', async () => {
    const path = oldStore(format);
    const old = new LogDatabase(join(path, storeFile));
    expect(() => old.releaseFreePages()).toThrow('run `binnacle upgrade-store`');
    old.close();
    await upgrade(path);
    const log = new LogDatabase(join(path, storeFile));
    log.compact(rows + 1);
    while (log.sweep());
    log.releaseFreePages();
    const free = log.surplusBytes;
    expect(free).toBeGreaterThan(1e6);
    const before = statSync(join(path, storeFile)).size;
    while (log.giveBack());
    log.truncateWriteAheadLog();
    expect(statSync(join(path, storeFile)).size).toBeLessThanOrEqual(before - free);
    expect(statSync(join(path, `${storeFile}-wal`)).size).toBe(0);
    log.close();
  });
});

test('while it is upgraded, nobody else opens it', async () => {
  const path = oldStore(2);
  const work = upgradeStore(path);
  await work.next();
  await expect(upgradeStore(path).next()).rejects.toThrow('it is in use by another process: stop the server first');
  expect(() => new LogDatabase(join(path, storeFile))).toThrow('database is locked');
  for (;;) if ((await work.next()).done === true) break;
  new LogDatabase(join(path, storeFile)).close();
});

describe('refused', () => {
  test('a newer format, by everything that opens it', async () => {
    const path = oldStore(2);
    const database = new DatabaseSync(join(path, storeFile));
    database.exec('PRAGMA user_version=99');
    database.close();
    const why = 'the store has format 99, written by a newer version of Binnacle; this one reads formats up to 3';
    await expect(upgrade(path)).rejects.toThrow(why);
    expect(() => new LogDatabase(join(path, storeFile))).toThrow(why);
    expect(numberIn(join(path, storeFile), 'PRAGMA user_version')).toBe(99);
  });

  test('a backup of another store', async () => {
    const path = oldStore(2);
    const backup = join(path, `${storeFile}.format-2`);
    writeFileSync(backup, 'something else');
    await expect(upgrade(path)).rejects.toThrow(`${backup} is a backup of another store: move it away`);
    expect(numberIn(join(path, storeFile), 'PRAGMA user_version')).toBe(2);
  });

  test('a damaged row: the original stays', async () => {
    const path = oldStore(2);
    const database = new DatabaseSync(join(path, storeFile));
    database.exec('UPDATE log SET checksum = 1 WHERE revision = 2000');
    database.close();
    await expect(upgrade(path)).rejects.toThrow('it is damaged: the checksum of revision 2000 does not match');
    expect(readdirSync(path)).toEqual([storeFile]);
  });
});
