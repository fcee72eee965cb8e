import { DatabaseSync } from 'node:sqlite';
import { StoreInUseError } from './log-client.ts';
import { makePrivate, syncWriteAheadLog } from './open-database.ts';

/**
 * Opens a database as its only user, also after a server was killed, and keeps others from opening it until it is
 * closed. Throws a StoreInUseError.
 */
export function openExclusively(path: string): DatabaseSync {
  makePrivate(path);
  syncWriteAheadLog(path);
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA busy_timeout=0; BEGIN EXCLUSIVE; COMMIT');
    return database;
  } catch (error) {
    database.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)) throw error;
    throw new StoreInUseError('it is in use by another process: stop the server first');
  }
}

/** https://sqlite.org/rescode.html */
const sqliteBusy = 5;
