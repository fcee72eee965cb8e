import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { LogDatabase } from './log-database.ts';
import type { LogRow } from './protocol.ts';
import { everyKey } from './snapshot.ts';
import { markFile, storeFile } from './store-file.ts';

const root = mkdtempSync(join(tmpdir(), 'binnacle-damage-'));
afterAll(() => rmSync(root, { recursive: true }));

let stores = 0;
function folder(): string {
  const path = join(root, String((stores += 1)));
  mkdirSync(path);
  return path;
}

/** `BINNACLE_DAMAGE_FLIPS=10000` tries more positions. */
const flips = Number(process.env['BINNACLE_DAMAGE_FLIPS'] ?? 200);
const keys = 12;
const lastRevision = 80;

/** Keys that are overwritten many times, with values from empty to several pages; some are deleted. */
function fill(log: LogDatabase, from = 2, until = lastRevision): void {
  const latest = new Map<string, LogRow>();
  for (let revision = 2; revision <= until; revision += 1) {
    const key = `/registry/pods/default/${revision % keys}`;
    const before = latest.get(key);
    const deleted = revision % 17 === 0 && before?.value !== undefined;
    const row: LogRow = {
      revision,
      key,
      value: deleted ? undefined : Buffer.alloc((revision % 5) * 700, `${key}@${revision};`),
      createRevision: deleted ? 0 : before?.value === undefined ? revision : before.createRevision,
      previousRevision: before?.value === undefined ? 0 : before.revision,
      expiresAtMs: revision % 7 === 0 ? 1e12 + revision : 0,
    };
    latest.set(key, row);
    if (revision >= from) log.append([row]);
  }
}

/** Everything that can be read from a store, as a server reads it at start-up. */
function contentOf(path: string): string {
  const log = new LogDatabase(join(path, storeFile));
  try {
    log.verifyStructure();
    const live = [...log.live()];
    const { revision, compacted } = log.opened();
    const revisions = { afterRevision: compacted, untilRevision: revision };
    const changes = log.changes({ type: 'changes', ...everyKey, ...revisions, sizeBytes: 1e9 });
    const all = { revision, compacted, live, changes };
    return JSON.stringify(all, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
  } finally {
    log.close();
  }
}

/** A cleanly closed store with half of its history compacted. */
function wholeStore(): { readonly path: string; readonly content: string } {
  const path = folder();
  const log = new LogDatabase(join(path, storeFile));
  fill(log);
  log.compact(40);
  while (log.sweep());
  log.close();
  return { path, content: contentOf(path) };
}

const whole = wholeStore();

function damagedCopy(change: (file: string) => void): string {
  const path = folder();
  for (const file of [storeFile, markFile]) copyFileSync(join(whole.path, file), join(path, file));
  change(join(path, storeFile));
  return path;
}

/** The contents, or the error. */
function outcome(path: string): string {
  try {
    return contentOf(path) === whole.content ? 'whole' : 'WRONG';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(path, { recursive: true });
  }
}

describe('damage to the database', () => {
  test('a flipped bit anywhere: nothing wrong is returned', () => {
    const size = readFileSync(join(whole.path, storeFile)).length;
    const step = Math.floor(size / flips);
    const outcomes = new Map<string, number>();
    const wrong: number[] = [];
    for (let at = 0; at < size; at += at < 110 ? 6 : step) {
      const path = damagedCopy((file) => {
        const bytes = readFileSync(file);
        bytes[at]! ^= 1 << (at % 8);
        writeFileSync(file, bytes);
      });
      const found = outcome(path);
      if (found === 'WRONG') wrong.push(at);
      const kind = found.startsWith('it is damaged') ? 'damaged' : found;
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    }
    expect(wrong).toEqual([]);
    expect(outcomes.get('damaged')).toBeGreaterThan(flips / 4);
  }, 600_000);

  test('truncated anywhere: refused', () => {
    const size = readFileSync(join(whole.path, storeFile)).length;
    for (let length = 0; length < size; length += Math.floor(size / 40)) {
      expect(outcome(damagedCopy((file) => truncateSync(file, length))), String(length)).not.toMatch(/whole|WRONG/);
    }
  }, 60_000);

  test('missing: refused, with instructions', () => {
    const path = damagedCopy((file) => rmSync(file));
    expect(() => contentOf(path)).toThrow(
      `acknowledged writes are lost: it ends at revision 1, but revision ${lastRevision} was acknowledged. ` +
        `Restore a snapshot, or delete ${join(path, markFile)} to continue with the remaining data`,
    );
    // Also on a second attempt.
    expect(() => contentOf(path)).toThrow('writes are lost');
    rmSync(join(path, markFile));
    expect(JSON.parse(contentOf(path))).toMatchObject({ revision: 1, live: [] });
  });
});

describe('damage to the write-ahead log', () => {
  /** A copy of a store during writes: nothing has been checkpointed yet. */
  function copyOfRunning(change: (log: string) => void): string {
    const path = folder();
    const running = folder();
    const log = new LogDatabase(join(running, storeFile));
    fill(log);
    for (const file of [storeFile, `${storeFile}-wal`, markFile]) copyFileSync(join(running, file), join(path, file));
    log.close();
    change(join(path, `${storeFile}-wal`));
    return path;
  }

  test('undamaged it is complete', () => {
    expect(JSON.parse(contentOf(copyOfRunning(() => undefined)))).toMatchObject({ revision: lastRevision });
  });

  test.for([0, 9, 40, 5000, 60_000])('a flipped byte at %i: acknowledged writes are not dropped silently', (at) => {
    const path = copyOfRunning((file) => {
      const bytes = readFileSync(file);
      bytes[at]! ^= 0x55;
      writeFileSync(file, bytes);
    });
    expect(() => contentOf(path)).toThrow('writes are lost');
  });

  test.for([0, 20, 32, 5000, 60_000])('truncated at %i', (length) => {
    expect(() => contentOf(copyOfRunning((file) => truncateSync(file, length)))).toThrow('writes are lost');
  });

  test('missing', () => {
    expect(() => contentOf(copyOfRunning((file) => rmSync(file)))).toThrow('writes are lost');
  });
});

describe('the mark', () => {
  test.for(['', '0000000000', '0000000000000099 00000000\n', 'x'.repeat(26)])('%j is none', (text) => {
    const path = damagedCopy(() => undefined);
    writeFileSync(join(path, markFile), text);
    expect(contentOf(path)).toBe(whole.content);
  });

  test('does not go back', () => {
    const path = damagedCopy(() => undefined);
    const mark = (): string => readFileSync(join(path, markFile), 'latin1').slice(0, 16);
    contentOf(path);
    expect(Number(mark())).toBe(lastRevision);
    const log = new LogDatabase(join(path, storeFile));
    fill(log, lastRevision + 1, lastRevision + 3);
    log.close();
    expect(Number(mark())).toBe(lastRevision + 3);
  });
});

test('damage to an open store is reported to those who read it, and to nobody else', () => {
  const path = damagedCopy(() => undefined);
  const database = new DatabaseSync(join(path, storeFile));
  database.exec("UPDATE log SET value = x'00' WHERE revision = 70");
  database.close();
  const log = new LogDatabase(join(path, storeFile));
  expect(() => log.row(70)).toThrow('it is damaged: the checksum of revision 70 does not match');
  expect(log.row(71)?.revision).toBe(71);
  log.close();
});

test('a store of format 1 is read, and new rows have checksums', () => {
  const path = folder();
  const database = new DatabaseSync(join(path, storeFile));
  database.exec(`
    PRAGMA auto_vacuum=INCREMENTAL;
    CREATE TABLE log (revision INTEGER PRIMARY KEY, key TEXT NOT NULL, create_revision INTEGER NOT NULL,
      previous_revision INTEGER NOT NULL, expires_at_ms INTEGER NOT NULL, value BLOB) STRICT;
    CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO log VALUES (2, '/a', 2, 0, 0, x'31'), (3, '/b', 3, 0, 0, x'32');
    INSERT INTO meta VALUES ('compacted', 2);
    PRAGMA user_version=1;`);
  database.close();
  expect(JSON.parse(contentOf(path))).toMatchObject({
    revision: 3,
    compacted: 2,
    live: [{ key: '/b' }, { key: '/a' }],
  });
  const log = new LogDatabase(join(path, storeFile));
  log.append([
    { revision: 4, key: '/a', value: Buffer.from('3'), createRevision: 2, previousRevision: 2, expiresAtMs: 0 },
  ]);
  log.close();
  // Key, two revisions of one byte each, the value.
  const bytes = readFileSync(join(path, storeFile));
  bytes.write('9', bytes.indexOf('/a\x02\x023') + 4);
  writeFileSync(join(path, storeFile), bytes);
  expect(() => contentOf(path)).toThrow('the checksum of revision 4 does not match');
});
