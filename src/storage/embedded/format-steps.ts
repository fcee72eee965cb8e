import { numberChecksum, rowChecksum } from './checksums.ts';
import type { LogRow } from './protocol.ts';

/**
 * The formats of the store, and the steps between them. A new format adds a step here and changes `tables`.
 *
 * | format | what it has |
 * |---|---|
 * | 1 | rows and counters |
 * | 2 | checksums; rows and counters from format 1 may have none |
 * | 3 | a checksum everywhere; free space can be returned while the store is open (`auto_vacuum=INCREMENTAL`) |
 */
export interface FormatStep {
  readonly from: number;
  readonly to: number;
  /**
   * Done whenever the store is opened: it takes the same time whatever the size of the store. Absent: the store is
   * served as it is, until `upgradeStore` rewrites it.
   */
  readonly whenOpened?: string;
  /** What becomes of a row or a counter when the store is rewritten. */
  readonly row: (row: StoredRow) => StoredRow;
  readonly counter: (counter: StoredCounter) => StoredCounter;
}

export interface StoredRow extends LogRow {
  readonly checksum: number | null;
}

export interface StoredCounter {
  readonly name: string;
  readonly value: number;
  readonly checksum: number | null;
}

export const formatSteps: readonly FormatStep[] = [
  {
    from: 1,
    to: 2,
    whenOpened: 'ALTER TABLE log ADD COLUMN checksum INTEGER; ALTER TABLE meta ADD COLUMN checksum INTEGER',
    row: (row) => row,
    counter: (counter) => counter,
  },
  {
    from: 2,
    to: 3,
    row: (row) => ({ ...row, checksum: row.checksum ?? rowChecksum(row) }),
    counter: (counter) => ({ ...counter, checksum: counter.checksum ?? numberChecksum(counter.name, counter.value) }),
  },
];

/** The format of new stores. */
export const currentFormat = 3;

/** The tables of the current format. */
export const tables = `
  CREATE TABLE log (
    revision INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    create_revision INTEGER NOT NULL,
    previous_revision INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    value BLOB,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL, checksum INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The steps from a format to the current one, in order. */
export function stepsFrom(format: number): readonly FormatStep[] {
  return formatSteps.filter(({ from }) => from >= format);
}

export function refuseNewer(format: number): void {
  if (format <= currentFormat) return;
  throw new Error(
    `the store has format ${format}, written by a newer version of Binnacle; this one reads formats up to ${currentFormat}`,
  );
}
