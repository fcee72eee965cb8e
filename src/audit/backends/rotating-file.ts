import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../api/time/clock.ts';

export interface RotatingFileOptions {
  readonly path: string;
  readonly clock: Clock;
  /** 0: never rotated. */
  readonly maxBytes: number;
  /** Rotated files that are kept; 0: all. */
  readonly maxBackups: number;
  /** 0: for ever. */
  readonly maxAgeMs: number;
  /** Whether rotated files are compressed with gzip. */
  readonly compress: boolean;
  readonly onError: (error: unknown) => void;
}

const compressedEnd = '.gz';

/**
 * A file that is renamed when it is full, as `audit-2026-11-23T02-30-00.000.log`. Lines are written at once: a request
 * may have to wait until its event is stored.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  /** Undefined once closed: the system gives the number to other files. */
  #descriptor: number | undefined;
  #bytes: number;
  /** The files that are being compressed or removed. */
  #tidying: Promise<void> = Promise.resolve();

  /** Throws where the file cannot be written. */
  constructor(options: RotatingFileOptions) {
    this.#options = options;
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
    const descriptor = this.#open();
    this.#descriptor = descriptor;
    this.#bytes = fstatSync(descriptor).size;
  }

  /** Throws where the line cannot be written. */
  write(bytes: Uint8Array): void {
    const { maxBytes, path } = this.#options;
    const current = this.#descriptor;
    if (current === undefined) throw new Error(`write ${path}: file already closed`);
    const isFull = maxBytes > 0 && this.#bytes > 0 && this.#bytes + bytes.length > maxBytes;
    const descriptor = isFull ? this.#rotate(current) : current;
    if (maxBytes > 0 && bytes.length > maxBytes) {
      throw new Error(`write length ${bytes.length} exceeds maximum file size ${maxBytes}`);
    }
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    this.#bytes += bytes.length;
  }

  async close(): Promise<void> {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
    await this.#tidying;
  }

  #open(): number {
    return openSync(this.#options.path, 'a', 0o600);
  }

  /** Returns the new file's descriptor. Where there can be no new file, lines can still be written to the old one. */
  #rotate(full: number): number {
    const { path, onError } = this.#options;
    renameSync(path, join(dirname(path), `${this.#prefix}${this.#stamp()}${extname(path)}`));
    const descriptor = this.#open();
    closeSync(full);
    this.#descriptor = descriptor;
    this.#bytes = 0;
    this.#tidying = this.#tidying.then(() => this.#tidy()).catch(onError);
    return descriptor;
  }

  get #prefix(): string {
    const { path } = this.#options;
    return `${basename(path, extname(path))}-`;
  }

  /** `2026-11-23T02-30-00.000` */
  #stamp(): string {
    return new Date(this.#options.clock.now()).toISOString().replaceAll(':', '-').slice(0, -1);
  }

  /** Removes rotated files that are too many or too old, and compresses the others. */
  async #tidy(): Promise<void> {
    const { path, clock, maxBackups, maxAgeMs, compress } = this.#options;
    const folder = dirname(path);
    const newestFirst = (await readdir(folder))
      .filter((name) => this.#timeOf(name) !== undefined)
      .toSorted()
      .toReversed();
    const oldestMs = maxAgeMs === 0 ? Number.NEGATIVE_INFINITY : clock.now() - maxAgeMs;
    for (const [index, name] of newestFirst.entries()) {
      const isTooMany = maxBackups > 0 && index >= maxBackups;
      if (isTooMany || (this.#timeOf(name) ?? 0) < oldestMs) await rm(join(folder, name), { force: true });
      else if (compress && !name.endsWith(compressedEnd)) await compressFile(join(folder, name));
    }
  }

  /** When a file was rotated; undefined: it is none of ours. */
  #timeOf(name: string): number | undefined {
    const end = extname(this.#options.path);
    const bare = name.endsWith(compressedEnd) ? name.slice(0, -compressedEnd.length) : name;
    if (!bare.startsWith(this.#prefix) || !bare.endsWith(end)) return undefined;
    const stamp = bare.slice(this.#prefix.length, bare.length - end.length);
    const [, date, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(stamp) ?? [];
    return date === undefined ? undefined : Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`);
  }
}

async function compressFile(path: string): Promise<void> {
  const partial = `${path}${compressedEnd}.part`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(partial, { mode: 0o600 }));
  renameSync(partial, `${path}${compressedEnd}`);
  await rm(path, { force: true });
}
