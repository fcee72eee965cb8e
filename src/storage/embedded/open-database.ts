import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { inMemoryPath } from './store-file.ts';

const formatVersion = 2;

const tables = `
  CREATE TABLE log (
    revision INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    create_revision INTEGER NOT NULL,
    previous_revision INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    value BLOB,
    checksum INTEGER
  ) STRICT;
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL, checksum INTEGER) STRICT, WITHOUT ROWID;
`;

/** Format 1 had no checksums; its rows stay without. */
const fromFormat1 = `
  ALTER TABLE log ADD COLUMN checksum INTEGER;
  ALTER TABLE meta ADD COLUMN checksum INTEGER;
`;

/** Opens the database of a store, creating it if missing and migrating it to the current format. */
export function openDatabase(path: string, syncs: boolean): DatabaseSync {
  if (path !== inMemoryPath) {
    makePrivate(path);
    syncWriteAheadLog(path);
  }
  const database = new DatabaseSync(path);
  // One process owns the store: no shared memory file, and the database is locked for others.
  database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA busy_timeout=0');
  // Without effect once there is a table.
  database.exec('PRAGMA auto_vacuum=INCREMENTAL');
  database.exec('PRAGMA journal_mode=WAL');
  database.exec(`PRAGMA synchronous=${syncs ? 'FULL' : 'OFF'}`);
  database.exec('PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=67108864');
  database.exec('BEGIN IMMEDIATE');
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > formatVersion)
    throw new Error(`the store has format ${version}; this program reads format ${formatVersion}`);
  if (version < formatVersion)
    database.exec(`${version === 0 ? tables : fromFormat1}; PRAGMA user_version=${formatVersion}`);
  database.exec('COMMIT');
  return database;
}

/**
 * SQLite would create the file readable for all; its other files inherit the mode. Only a new file is opened here:
 * closing a file that this process has locked would release the lock (fcntl semantics).
 */
function makePrivate(path: string): void {
  // SQLite's error for a read-only file is not helpful.
  if (existsSync(path)) accessSync(path, constants.W_OK);
  else closeSync(openSync(path, 'wx', 0o600));
}

/**
 * A killed process may have left a group that is written but not synced. Recovery makes it visible, so it must be
 * durable.
 */
function syncWriteAheadLog(path: string): void {
  const log = `${path}-wal`;
  if (!existsSync(log)) return;
  const file = openSync(log, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
