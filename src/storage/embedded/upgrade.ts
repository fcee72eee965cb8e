import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../contract.ts';
import type { Upkeep } from '../upkeep.ts';
import { verifyNumber, verifyRow } from './checksums.ts';
import { DamagedStoreError } from './damage.ts';
import { openExclusively } from './exclusive-database.ts';
import {
  currentFormat,
  type FormatStep,
  refuseNewer,
  type StoredCounter,
  type StoredRow,
  stepsFrom,
  tables,
} from './format-steps.ts';
import { formatOf, makePrivate } from './open-database.ts';
import { syncDirectory } from './snapshot-file/sync-directory.ts';
import { storeFile } from './store-file.ts';

export interface UpgradedStore {
  readonly from: number;
  readonly to: number;
  /** The store as it was; undefined: it had the current format. */
  readonly backup: string | undefined;
}

/**
 * Rewrites a store in the current format. The original is not altered: a copy takes its place once it is complete,
 * verified and on disk, so that a killed upgrade can be repeated.
 *
 *     binnacle.db                                                  the original, locked
 *     binnacle.db   binnacle.db.upgrading                          a killed upgrade leaves this; the next one deletes it
 *     binnacle.db = binnacle.db.format-2   binnacle.db.upgrading   two names of the original
 *     binnacle.db   binnacle.db.format-2                           the copy, and the original as a backup
 *
 * Rejects with a StorageError.
 */
export async function* upgradeStore(dataDir: string): Upkeep<UpgradedStore> {
  try {
    return yield* replaceByCopy(join(dataDir, storeFile));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StorageError('unavailable', `the store in ${dataDir} cannot be upgraded: ${why}`, { cause: error });
  }
}

async function* replaceByCopy(path: string): Upkeep<UpgradedStore> {
  const original = openExclusively(path);
  try {
    const from = formatOf(original);
    refuseNewer(from);
    if (from === currentFormat) return { from, to: currentFormat, backup: undefined };
    // No file beside the database may be left for its closing to delete: by then, a server may have opened the copy.
    original.exec('PRAGMA journal_mode=DELETE; PRAGMA journal_mode=OFF');
    const backup = `${path}.format-${from}`;
    const copy = `${path}.upgrading`;
    yield* writeCopy(original, copy, stepsFrom(from));
    keepOriginal(path, backup);
    renameSync(copy, path);
    await syncDirectory(dirname(path));
    return { from, to: currentFormat, backup };
  } finally {
    original.close();
  }
}

async function* writeCopy(original: DatabaseSync, path: string, steps: readonly FormatStep[]): Upkeep<void> {
  removeDatabase(path);
  try {
    makePrivate(path);
    // Nothing refers to the copy before it is complete: it needs no journal.
    const copy = new DatabaseSync(path);
    try {
      copy.exec('PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF');
      yield* fill(copy, original, steps);
    } finally {
      copy.close();
    }
    syncFile(path);
  } catch (error) {
    removeDatabase(path);
    throw error;
  }
}

async function* fill(copy: DatabaseSync, original: DatabaseSync, steps: readonly FormatStep[]): Upkeep<void> {
  copy.exec(`BEGIN; ${tables}; PRAGMA user_version=${currentFormat}`);
  const insertCounter = copy.prepare('INSERT INTO meta (name, value, checksum) VALUES (?, ?, ?)');
  for (const counter of countersOf(original)) {
    const { name, value, checksum } = steps.reduce((before, step) => step.counter(before), counter);
    insertCounter.run(name, value, checksum);
  }
  const insertRow = copy.prepare(
    'INSERT INTO log (revision, key, create_revision, previous_revision, expires_at_ms, value, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const total = countOf(original);
  let done = 0;
  let sizeBytes = 0;
  for (const stored of rowsOf(original)) {
    const row = steps.reduce((before, step) => step.row(before), stored);
    const { revision, key, createRevision, previousRevision, expiresAtMs, value, checksum } = row;
    insertRow.run(revision, key, createRevision, previousRevision, expiresAtMs, value ?? null, checksum);
    done += 1;
    sizeBytes += value?.length ?? 0;
    if (done % rowsPerSlice !== 0 && sizeBytes < bytesPerSlice) continue;
    sizeBytes = 0;
    yield { done, total, unit: 'rows' };
  }
  copy.exec('COMMIT');
  verify(copy, total);
  yield { done, total, unit: 'rows' };
  // As a server leaves it.
  copy.exec('PRAGMA journal_mode=WAL');
}

const rowsPerSlice = 1000;
const bytesPerSlice = 4 << 20;

function verify(copy: DatabaseSync, rows: number): void {
  const { quick_check: found } = copy.prepare('PRAGMA quick_check(1)').get() ?? {};
  if (found !== 'ok' || countOf(copy) !== rows) throw new DamagedStoreError('its copy is not what was written');
}

function countOf(database: DatabaseSync): number {
  return Number(database.prepare('SELECT count(*) AS rows FROM log').get()?.['rows']);
}

/** Without a checksum in formats that have none. */
function* countersOf(database: DatabaseSync): Generator<StoredCounter> {
  for (const columns of database.prepare('SELECT * FROM meta').iterate()) {
    const { name, value, checksum = null } = columns as unknown as CounterColumns; // types of a STRICT table
    verifyNumber(name, value, checksum);
    yield { name, value, checksum };
  }
}

function* rowsOf(database: DatabaseSync): Generator<StoredRow> {
  for (const columns of database.prepare('SELECT * FROM log ORDER BY revision').iterate()) {
    const { checksum = null, ...stored } = columns as unknown as RowColumns; // types of a STRICT table
    const row = {
      revision: stored.revision,
      key: stored.key,
      value: stored.value ?? undefined,
      createRevision: stored.create_revision,
      previousRevision: stored.previous_revision,
      expiresAtMs: stored.expires_at_ms,
    };
    verifyRow(row, checksum);
    yield { ...row, checksum };
  }
}

interface CounterColumns extends Pick<StoredCounter, 'name' | 'value'> {
  readonly checksum?: number | null;
}

interface RowColumns {
  readonly revision: number;
  readonly key: string;
  readonly create_revision: number;
  readonly previous_revision: number;
  readonly expires_at_ms: number;
  readonly value: Uint8Array | null;
  readonly checksum?: number | null;
}

/** Gives the original a second name, unless an upgrade that was killed has done so. */
function keepOriginal(path: string, backup: string): void {
  try {
    linkSync(path, backup);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    if (statSync(backup).ino !== statSync(path).ino)
      throw new Error(`${backup} is a backup of another store: move it away`, { cause: error });
  }
}

function removeDatabase(path: string): void {
  for (const file of [path, `${path}-journal`, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
