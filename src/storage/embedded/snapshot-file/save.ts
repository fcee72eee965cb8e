import { randomBytes } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Progress } from '../../upkeep.ts';
import { decodeSnapshot, type SnapshotSummary } from './format.ts';
import { SnapshotError } from './snapshot-error.ts';
import { syncDirectory } from './sync-directory.ts';

/**
 * Writes a snapshot to a file that only its owner can read. The file gets its name only once the snapshot is complete,
 * verified and on disk; an existing file is replaced only then. Rejects with a SnapshotError or a file system error.
 */
export async function saveSnapshot(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  onKeys: (saved: number) => void = () => undefined,
): Promise<SnapshotSummary> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.part`;
  const file = await open(temporary, 'wx', 0o600);
  let saved = 0;
  try {
    const summary = await decodeSnapshot(copyTo(file, chunks), (rows) => onKeys((saved += rows.length))).finally(() =>
      file.close(),
    );
    await rename(temporary, path);
    await syncDirectory(dirname(path));
    return summary;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error instanceof SnapshotError
      ? new SnapshotError(error.code, `the snapshot is incomplete: ${error.message}`, { cause: error })
      : error;
  }
}

async function* copyTo(file: FileHandle, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    await file.appendFile(chunk);
    yield chunk;
  }
  await file.sync();
}

/** Summarizes a snapshot file after verifying all of it. Rejects with a SnapshotError. */
export function inspectSnapshot(path: string, onProgress?: (progress: Progress) => void): Promise<SnapshotSummary> {
  return named(path, async () => decodeSnapshot(await readFollowed(path, onProgress), () => undefined));
}

/** The chunks of a file, with progress. */
export async function readFollowed(
  path: string,
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const { size: total } = await stat(path);
  return follow(createReadStream(path, { highWaterMark: 1 << 20 }), (done) =>
    onProgress({ done, total, unit: 'bytes' }),
  );
}

async function* follow(stream: ReadStream, onRead: (sizeBytes: number) => void): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    yield chunk;
    onRead((done += chunk.length));
  }
}

/** Adds the file name to a SnapshotError. */
export async function named<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    throw new SnapshotError(error.code, `${path} cannot be used: ${error.message}`, { cause: error });
  }
}
