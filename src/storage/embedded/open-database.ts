import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { currentFormat, refuseNewer, stepsFrom, tables } from './format-steps.ts';

/** Opens the database of a store, creating it if missing. An older format is changed as far as that takes no time. */
export function openDatabase(path: string, syncs: boolean): DatabaseSync {
  makePrivate(path);
  syncWriteAheadLog(path);
  const database = new DatabaseSync(path);
  try {
    prepare(database, syncs);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: DatabaseSync, syncs: boolean): void {
  // One process owns the store: no shared memory file, and the database is locked for others.
  database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA busy_timeout=0');
  // It would write to existing ones, too, and then they could not be opened on a full disk.
  if (formatOf(database) === 0) database.exec('PRAGMA auto_vacuum=INCREMENTAL');
  database.exec('PRAGMA journal_mode=WAL');
  database.exec(`PRAGMA synchronous=${syncs ? 'FULL' : 'OFF'}`);
  database.exec('PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=67108864');
  database.exec('BEGIN IMMEDIATE');
  const format = formatOf(database);
  refuseNewer(format);
  if (format === 0) database.exec(`${tables}; PRAGMA user_version=${currentFormat}`);
  for (const { to, whenOpened } of format === 0 ? [] : stepsFrom(format)) {
    if (whenOpened === undefined) break;
    database.exec(`${whenOpened}; PRAGMA user_version=${to}`);
  }
  database.exec('COMMIT');
}

/** 0: it is empty. */
export function formatOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

/**
 * SQLite would create the file readable for all; its other files inherit the mode. Only a new file is opened here:
 * closing a file that this process has locked would release the lock (fcntl semantics).
 */
export function makePrivate(path: string): void {
  // SQLite's error for a read-only file is not helpful.
  if (existsSync(path)) accessSync(path, constants.W_OK);
  else closeSync(openSync(path, 'wx', 0o600));
}

/**
 * A killed process may have left a group that is written but not synced. Recovery makes it visible, so it must be
 * durable.
 */
export function syncWriteAheadLog(path: string): void {
  const log = `${path}-wal`;
  if (!existsSync(log)) return;
  const file = openSync(log, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
