import { dirname, join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AcknowledgedMark } from './acknowledged-mark.ts';
import { numberChecksum, rowChecksum, verifyNumber, verifyRow } from './checksums.ts';
import { DamagedStoreError } from './damage.ts';
import { OldFormatError } from './old-format-error.ts';
import { openDatabase } from './open-database.ts';
import type { ChangesRequest, EarlierRequest, LogRow, OpenedLog } from './protocol.ts';
import { markFile } from './store-file.ts';

/**
 * The append-only log in SQLite. A row is one revision and refers to the row it supersedes (`previous_revision`), which
 * is all that loading, history and compaction need: there is no index on keys, so a write touches only the end of the
 * table.
 *
 *     revision  key  value  create  previous
 *            2  a    1           2         0
 *            3  b    1           3         0
 *            4  a    2           2         2     supersedes row 2
 *            5  b    NULL        0         3     a deletion
 *
 * Compacting at 5 deletes the rows that rows 2-5 supersede (2, 3) and the deletions among them (5).
 *
 * Used by the worker thread, and to restore a snapshot: every call blocks.
 */
export class LogDatabase {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #row: StatementSync;
  /** Undefined in memory. */
  readonly #mark: AcknowledgedMark;
  #uncheckpointedBytes = 0;
  /** Free pages to be returned to the file system. */
  #surplusPages = 0;

  constructor(path: string, { syncs }: { readonly syncs: boolean } = { syncs: true }) {
    this.#database = openDatabase(path, syncs);
    this.#insert = this.#database.prepare(
      'INSERT INTO log (revision, key, value, create_revision, previous_revision, expires_at_ms, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#row = this.#rows('SELECT * FROM log WHERE revision = ?');
    this.#mark = new AcknowledgedMark(join(dirname(path), markFile));
  }

  /** Throws a DamagedStoreError if acknowledged writes are missing. */
  opened(): OpenedLog {
    const revision = this.#lastRevision();
    this.#mark.verify(revision);
    return { revision, compacted: this.#meta('compacted') };
  }

  /** Throws a DamagedStoreError if SQLite finds damaged pages. Row contents are verified when they are read. */
  verifyStructure(): void {
    const [found] = this.#rows('PRAGMA quick_check(1)').all() as unknown as readonly [readonly [string]];
    if (found[0] !== 'ok') throw new DamagedStoreError(`it is damaged: ${found[0].replaceAll(/\s+/g, ' ')}`);
  }

  #lastRevision(): number {
    const revision = this.#number('SELECT coalesce(max(revision), 0) FROM log');
    return Math.max(1, revision, this.#meta('last'));
  }

  /** Appends all rows or none; returns once they are on disk. */
  append(rows: Iterable<LogRow>): void {
    let last = 0;
    this.#transaction(() => {
      for (const row of rows) {
        last = row.revision;
        this.#insert.run(
          row.revision,
          row.key,
          row.value ?? null,
          row.createRevision,
          row.previousRevision,
          row.expiresAtMs,
          rowChecksum(row),
        );
        this.#uncheckpointedBytes += row.value?.length ?? 0;
      }
    });
    this.#uncheckpointedBytes += pageBytes;
    this.#mark.write(last);
  }

  /**
   * Checkpoints the write-ahead log when it has grown. Done between groups rather than by SQLite at a commit, so that
   * no writer waits for it. A failure (disk full) is harmless: the log grows until a checkpoint succeeds.
   */
  checkpointWhenDue(): void {
    if (this.#uncheckpointedBytes < checkpointBytes) return;
    this.#database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
    this.#uncheckpointedBytes = 0;
  }

  /** The latest row of each existing key, newest first. */
  *live(): Generator<LogRow> {
    const superseded = new Set<number>();
    for (const columns of this.#rows('SELECT * FROM log ORDER BY revision DESC').iterate()) {
      const row = rowOf(columns);
      if (row.previousRevision > 0) superseded.add(row.previousRevision);
      if (!superseded.delete(row.revision) && row.value !== undefined) yield row;
    }
  }

  /** Changes of a range of keys, up to `scannedRevision`: writers do not wait until a long log has been searched. */
  changes({ afterRevision, untilRevision, start, end, sizeBytes }: ChangesRequest): ScannedChanges {
    const rows: LogRow[] = [];
    const lastRevision = Math.min(untilRevision, afterRevision + scannedRevisions);
    let leftBytes = sizeBytes;
    const statement = this.#rows(
      'SELECT * FROM log WHERE revision > ? AND revision <= ? AND key >= ? AND key < ? ORDER BY revision',
    );
    for (const columns of statement.iterate(afterRevision, lastRevision, start, end)) {
      const row = rowOf(columns);
      rows.push(row);
      leftBytes -= row.value?.length ?? 0;
      if (leftBytes <= 0) return { rows, scannedRevision: row.revision };
    }
    return { rows, scannedRevision: lastRevision };
  }

  /** The row of a revision, unless compacted. */
  row(revision: number): LogRow | undefined {
    const columns = this.#row.get(revision);
    return columns === undefined ? undefined : rowOf(columns);
  }

  /** Key and superseded revision of the first change of each key after `revision`. */
  firstChanges(request: EarlierRequest): Map<string, number> {
    const first = new Map<string, number>();
    const statement = this.#database.prepare(
      'SELECT key, previous_revision FROM log WHERE revision > ? AND revision <= ? AND key >= ? AND key < ? ORDER BY revision',
    );
    for (const row of statement.iterate(request.revision, request.untilRevision, request.start, request.end)) {
      const key = String(row['key']);
      if (!first.has(key)) first.set(key, Number(row['previous_revision']));
    }
    return first;
  }

  /**
   * Makes `revision` the oldest readable one; `sweep` deletes the rows later. Pages that are free now were not used for
   * a whole compaction interval: they are returned, except for some that would soon be allocated again.
   */
  compact(revision: number): void {
    this.#surplusPages = Math.max(this.#surplusPages, this.#freePages() - keptPages);
    this.#transaction(() => this.#setMeta('compacted', revision));
  }

  /** For a store restored from a snapshot: continues after `revision`, with everything before compacted. */
  startAt(revision: number): void {
    this.#transaction(() => {
      for (const name of ['compacted', 'swept', 'last']) this.#setMeta(name, revision);
    });
  }

  /** Deletes a slice of the rows that compaction made unreachable; false when none are left. */
  sweep(): boolean {
    const compacted = this.#meta('compacted');
    const swept = this.#meta('swept');
    if (swept >= compacted) return false;
    const until = Math.min(compacted, swept + sweepRows);
    const last = this.#lastRevision();
    this.#transaction(() => {
      this.#database
        .prepare(
          'DELETE FROM log WHERE revision IN (SELECT previous_revision FROM log WHERE revision > ? AND revision <= ?)',
        )
        .run(swept, until);
      this.#database
        .prepare('DELETE FROM log WHERE revision > ? AND revision <= ? AND value IS NULL')
        .run(swept, until);
      this.#setMeta('swept', until);
      // The row with the highest revision may be among those deleted.
      this.#setMeta('last', last);
    });
    return until < compacted;
  }

  /** Rows before this revision have been deleted, as far as compaction made them unreachable. */
  get swept(): number {
    return this.#meta('swept');
  }

  /** Makes `giveBack` return all pages that are free now. Throws if the file was created without that ability. */
  releaseFreePages(): void {
    if (this.#number('PRAGMA auto_vacuum') !== incremental) throw new OldFormatError();
    this.#surplusPages = this.#freePages();
  }

  /** Bytes that `giveBack` has still to return. */
  get surplusBytes(): number {
    return this.#surplusPages * pageBytes;
  }

  /** Returns a slice of the surplus pages to the file system; false when none are left. */
  giveBack(): boolean {
    const pages = Math.min(sliceOfPages, this.#surplusPages);
    if (pages <= 0) return false;
    this.#database.exec(`PRAGMA incremental_vacuum(${pages})`);
    this.#surplusPages -= pages;
    this.#uncheckpointedBytes += pages * pageBytes;
    return this.#surplusPages > 0;
  }

  /** Checkpoints the write-ahead log, which also shortens the database file, and empties it. */
  truncateWriteAheadLog(): void {
    this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    this.#uncheckpointedBytes = 0;
  }

  close(): void {
    this.#mark[Symbol.dispose]();
    this.#database.close();
  }

  #freePages(): number {
    return this.#number('PRAGMA freelist_count');
  }

  #transaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      // After some errors SQLite has already rolled back.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #rows(sql: string): StatementSync {
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  }

  #number(sql: string, ...values: readonly string[]): number {
    const columns: unknown = this.#rows(sql).get(...values);
    return Array.isArray(columns) ? Number(columns[0]) : 0;
  }

  #meta(name: string): number {
    const columns: unknown = this.#rows('SELECT value, checksum FROM meta WHERE name = ?').get(name);
    if (!Array.isArray(columns)) return 0;
    const [value, checksum] = columns as [number, number | null]; // types of a STRICT table
    verifyNumber(name, value, checksum);
    return value;
  }

  #setMeta(name: string, value: number): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO meta (name, value, checksum) VALUES (?, ?, ?)')
      .run(name, value, numberChecksum(name, value));
  }
}

interface ScannedChanges {
  readonly rows: LogRow[];
  readonly scannedRevision: number;
}

const scannedRevisions = 4096;
const pageBytes = 4096;
const checkpointBytes = 8 << 20;
const sweepRows = 500;
/** `PRAGMA auto_vacuum`. */
const incremental = 2;
/** Free pages kept for upcoming writes: 16 MiB. */
const keptPages = 4096;
const sliceOfPages = 256;

/** Columns in table order, verified; node:sqlite types rows as records, but these statements return arrays. */
function rowOf(columns: unknown): LogRow {
  const [revision, key, createRevision, previousRevision, expiresAtMs, value, checksum] = columns as [
    number,
    string,
    number,
    number,
    number,
    Uint8Array | null,
    number | null,
  ];
  const row = { revision, key, createRevision, previousRevision, expiresAtMs, value: value ?? undefined };
  verifyRow(row, checksum);
  return row;
}
