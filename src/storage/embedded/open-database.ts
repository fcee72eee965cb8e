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

/** Format 1 had no checksums; what it has written goes without. */
const fromFormat1 = `
  ALTER TABLE log ADD COLUMN checksum INTEGER;
  ALTER TABLE meta ADD COLUMN checksum INTEGER;
`;

/** Opens the database of a store, made when missing and brought to this program's format. */
export function openDatabase(path: string): DatabaseSync {
  if (path !== inMemoryPath) {
    makePrivate(path);
    syncWriteAheadLog(path);
  }
  const database = new DatabaseSync(path);
  // One process owns the store: no shared memory file, and a second opener finds it locked.
  database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA busy_timeout=0');
  // Before the first table, or it has no effect.
  database.exec('PRAGMA auto_vacuum=INCREMENTAL');
  database.exec('PRAGMA journal_mode=WAL');
  database.exec('PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=67108864');
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
 * SQLite would make the file readable to all; its other files take the mode of this one. Only a new file is opened here: to close
 * a file that this process has locked would give the lock up (fcntl's rule).
 */
function makePrivate(path: string): void {
  // What SQLite says of a file that can only be read says nothing.
  if (existsSync(path)) accessSync(path, constants.W_OK);
  else closeSync(openSync(path, 'wx', 0o600));
}

/** A killed process may have left a group that is written but not synced. What recovery makes visible must be durable. */
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
