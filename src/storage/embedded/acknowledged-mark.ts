import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { DamagedStoreError } from './damage.ts';

/**
 * A file beside the database with the last revision known to be on disk. SQLite treats a truncated write-ahead log like
 * one torn by a power failure, and a missing one as empty; this file reveals that there was more. It is written after
 * each group and never synced: after a power failure it may lag behind the disk, but is never ahead of it.
 */
export class AcknowledgedMark implements Disposable {
  readonly #path: string;
  readonly #file: number;
  /** 0: unknown. */
  readonly #found: number;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
    // Creates the file if missing, without truncating; no O_APPEND, with which Linux ignores positions.
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#found = readMark(path);
  }

  /** Throws if the files of the store have been deleted: data written now would be lost when they are closed. */
  write(revision: number): void {
    // The system gives the descriptors of closed files to others.
    if (this.#closed) throw new Error('the store is closed');
    if (fstatSync(this.#file).nlink === 0) throw new Error('the files of the store have been deleted');
    writeSync(this.#file, lineOf(revision), 0);
  }

  /** Throws if acknowledged revisions are missing at the end of the store. */
  verify(revision: number): void {
    if (revision >= this.#found) return;
    throw new DamagedStoreError(
      `acknowledged writes are lost: it ends at revision ${revision}, but revision ${this.#found} was acknowledged. ` +
        `Restore a snapshot, or delete ${this.#path} to continue with the remaining data`,
    );
  }

  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#file);
  }
}

const digits = 16;

/** A line of fixed length, so that each overwrites the previous one. */
function lineOf(revision: number): string {
  const number = String(revision).padStart(digits, '0');
  return `${number} ${crc32(number).toString(16).padStart(8, '0')}\n`;
}

/** A mark with a wrong checksum is ignored: it must not keep an intact store from opening. */
function readMark(path: string): number {
  const text = readFileSync(path, 'latin1');
  const revision = Number(text.slice(0, digits));
  return Number.isSafeInteger(revision) && text === lineOf(revision) ? revision : 0;
}
