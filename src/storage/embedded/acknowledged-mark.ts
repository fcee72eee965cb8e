import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { DamagedStoreError } from './damage.ts';

/**
 * A file beside the database with the last revision that is known to be on the disk. SQLite takes a write-ahead log that ends early for one that was torn
 * by a power failure, and a missing one for an empty one; this file tells that there was more. It is written after each group and never synced: after a
 * power failure it may be behind what is on the disk, but never ahead of it.
 */
export class AcknowledgedMark implements Disposable {
  readonly #path: string;
  readonly #file: number;
  /** 0: not known. */
  readonly #found: number;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
    // Made when missing, and not emptied; on Linux a file that is open for appending ignores positions.
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#found = readMark(path);
  }

  /** Throws when the files of the store have been deleted: what goes to them now is gone when they are closed. */
  write(revision: number): void {
    if (fstatSync(this.#file).nlink === 0) throw new Error('the files of the store have been deleted');
    writeSync(this.#file, lineOf(revision), 0);
  }

  /** Throws when the store ends before what was acknowledged. */
  verify(revision: number): void {
    if (revision >= this.#found) return;
    throw new DamagedStoreError(
      `writes are lost: it ends at revision ${revision}, and revision ${this.#found} was acknowledged. ` +
        `Restore a snapshot, or delete ${this.#path} to go on with what is left`,
    );
  }

  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#file);
  }
}

const digits = 16;

/** Always of one length, so that each overwrites the one before. */
function lineOf(revision: number): string {
  const number = String(revision).padStart(digits, '0');
  return `${number} ${crc32(number).toString(16).padStart(8, '0')}\n`;
}

/** What does not fit its checksum is no mark: it must not keep a whole store from being opened. */
function readMark(path: string): number {
  const text = readFileSync(path, 'latin1');
  const revision = Number(text.slice(0, digits));
  return Number.isSafeInteger(revision) && text === lineOf(revision) ? revision : 0;
}
