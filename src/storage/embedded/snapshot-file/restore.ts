import { mkdir, mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StorageError } from '../../contract.ts';
import type { Progress } from '../../upkeep.ts';
import { LogDatabase } from '../log-database.ts';
import type { LogRow } from '../protocol.ts';
import { storeFile } from '../store-file.ts';
import { decodeSnapshot, type SnapshotSummary } from './format.ts';
import { named, readFollowed } from './save.ts';
import { SnapshotError } from './snapshot-error.ts';
import { syncDirectory } from './sync-directory.ts';

export interface RestoreOptions {
  /** The snapshot file. */
  readonly path: string;
  /** The directory of the new store: missing or empty. */
  readonly dataDir: string;
  /** Added to the snapshot's revision; not negative. */
  readonly bumpRevision: number;
  readonly onProgress?: (progress: Progress) => void;
}

export interface RestoredStore extends SnapshotSummary {
  /** The first revision of the restored store. */
  readonly startRevision: number;
}

/**
 * Creates a store from a snapshot. Its revision is the snapshot's plus `bumpRevision`, and everything before counts as
 * compacted: a client with a revision from after the snapshot gets an expired error, and never sees that revision
 * reused. The store gets its final name only once complete. Rejects with a SnapshotError or a file system error.
 */
export async function restoreSnapshot(options: RestoreOptions): Promise<RestoredStore> {
  const { path, dataDir } = options;
  await refuseStore(dataDir);
  await mkdir(dirname(dataDir), { recursive: true, mode: 0o700 });
  const temporary = await mkdtemp(`${dataDir}.restoring-`);
  try {
    const restored = await named(path, () => fillStore(temporary, options));
    await syncDirectory(temporary);
    await rmdir(dataDir).catch(unlessMissing);
    await rename(temporary, dataDir);
    await syncDirectory(dirname(dataDir));
    return restored;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

async function refuseStore(dataDir: string): Promise<void> {
  const files = await readdir(dataDir).catch(unlessMissing);
  if (files === undefined || files.length === 0) return;
  throw new SnapshotError('exists', `${dataDir} is not empty: move it away, or restore elsewhere`);
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

/** Adds the new store to error messages. */
async function fillStore(directory: string, options: RestoreOptions): Promise<RestoredStore> {
  try {
    return await copyRows(directory, options);
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    throw new StorageError('unavailable', `the store cannot be written: ${error.message}`, { cause: error });
  }
}

async function copyRows(directory: string, { path, bumpRevision, onProgress }: RestoreOptions): Promise<RestoredStore> {
  const log = new LogDatabase(join(directory, storeFile));
  try {
    const summary = await decodeSnapshot(await readFollowed(path, onProgress), (rows, revision) => {
      log.append(rows.map((row) => restoredRow(row, revision)));
      log.checkpointWhenDue();
    });
    const startRevision = summary.revision + bumpRevision;
    if (!Number.isSafeInteger(startRevision)) throw new SnapshotError('damaged', 'its revision is too large');
    log.startAt(startRevision);
    return { ...summary, startRevision };
  } finally {
    log.close();
  }
}

/** The superseded rows are not in the snapshot. */
function restoredRow(row: LogRow, revision: number): LogRow {
  const fits = row.revision <= revision && row.createRevision <= row.revision && row.value !== undefined;
  if (!fits) throw new SnapshotError('damaged', `the row of ${row.key} is invalid`);
  return { ...row, previousRevision: 0 };
}
