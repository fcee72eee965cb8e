import { createHash } from 'node:crypto';
import type { LogRow } from '../protocol.ts';
import { packRows, rowFields, unpackRows } from '../row-block.ts';
import { ByteReader } from './byte-reader.ts';
import { SnapshotError } from './snapshot-error.ts';

/**
 * The snapshot format: the rows of all keys that exist at one revision, in key order. Numbers are little-endian.
 *
 *     magic      16 bytes   "binnacle-snap 01"; the last two are the format version
 *     revision    8 bytes   float64
 *     block       uint32 rows (not 0), uint32 bytes, `rows` times `rowFields` float64, the bytes of keys and values (row-block.ts)
 *     ...
 *     end         uint32 0, uint32 0, float64 rows in all
 *     digest     32 bytes   SHA-256 of everything before
 */
const magic = 'binnacle-snap ';
const formatVersion = '01';
const headBytes = 16 + 8;
const blockHeadBytes = 8;
const digestBytes = 32;
const blockBytes = 1 << 20;
const blockRows = 2048;
/**
 * Blocks are cut after `blockBytes`, so they exceed it by at most one value; a larger one is damaged, and not worth the
 * memory.
 */
const maxBlockBytes = 256 << 20;

export interface SnapshotSummary {
  readonly revision: number;
  readonly keys: number;
  readonly sizeBytes: number;
  /** SHA-256 of the content, hexadecimal. */
  readonly digest: string;
}

/** The snapshot of `rows` (without deletions), in chunks of about a mebibyte, generated on demand. */
export function* encodeSnapshot(revision: number, rows: Iterable<LogRow>): Generator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (chunk: Buffer): Buffer => {
    hash.update(chunk);
    return chunk;
  };
  const head = Buffer.from(`${magic}${formatVersion}${' '.repeat(8)}`, 'latin1');
  head.writeDoubleLE(revision, 16);
  yield hashed(head);
  let keys = 0;
  for (const block of blocksOf(rows)) {
    keys += block.length;
    yield hashed(encodeBlock(block));
  }
  const end = Buffer.alloc(blockHeadBytes + 8);
  end.writeDoubleLE(keys, blockHeadBytes);
  yield Buffer.concat([hashed(end), hash.digest()]);
}

function* blocksOf(rows: Iterable<LogRow>): Generator<readonly LogRow[]> {
  let block: LogRow[] = [];
  let sizeBytes = 0;
  for (const row of rows) {
    block.push(row);
    sizeBytes += row.value?.length ?? 0;
    if (block.length < blockRows && sizeBytes < blockBytes) continue;
    yield block;
    block = [];
    sizeBytes = 0;
  }
  if (block.length > 0) yield block;
}

function encodeBlock(rows: readonly LogRow[]): Buffer {
  const { numbers, bytes } = packRows(rows);
  const head = Buffer.alloc(blockHeadBytes);
  head.writeUInt32LE(rows.length, 0);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, Buffer.from(numbers.buffer), bytes]);
}

/** Reads a snapshot; `rows` receives its contents before the digest is verified. Rejects with a SnapshotError. */
export async function decodeSnapshot(
  chunks: AsyncIterable<Uint8Array>,
  rows: (rows: readonly LogRow[], revision: number) => void,
): Promise<SnapshotSummary> {
  const reader = new ByteReader(chunks);
  const hash = createHash('sha256');
  const take = async (sizeBytes: number): Promise<Buffer> => {
    const bytes = await reader.take(sizeBytes);
    if (bytes === undefined) throw new SnapshotError('damaged', `it is truncated after ${reader.taken} bytes`);
    return bytes;
  };
  const takeHashed = async (sizeBytes: number): Promise<Buffer> => {
    const bytes = await take(sizeBytes);
    hash.update(bytes);
    return bytes;
  };
  const head = await reader.take(headBytes);
  const revision = revisionOf(head);
  hash.update(head ?? '');
  let keys = 0;
  for (;;) {
    const blockHead = await takeHashed(blockHeadBytes);
    const count = blockHead.readUInt32LE(0);
    if (count === 0) break;
    const numbersBytes = count * rowFields * 8;
    const bytesBytes = blockHead.readUInt32LE(4);
    if (numbersBytes + bytesBytes > maxBlockBytes) throw new SnapshotError('damaged', 'it contains an invalid length');
    const numbers = new Float64Array(Uint8Array.from(await takeHashed(numbersBytes)).buffer);
    const bytes = Uint8Array.from(await takeHashed(bytesBytes));
    rows(unpackRows({ numbers, bytes }), revision);
    keys += count;
  }
  const expectedKeys = (await takeHashed(8)).readDoubleLE(0);
  const digest = hash.digest();
  if (!digest.equals(await take(digestBytes)))
    throw new SnapshotError('damaged', 'its digest does not match its content');
  if (keys !== expectedKeys) throw new SnapshotError('damaged', `it contains ${keys} keys instead of ${expectedKeys}`);
  if (!(await reader.atEnd())) throw new SnapshotError('damaged', 'it has trailing data');
  return { revision, keys, sizeBytes: reader.taken, digest: digest.toString('hex') };
}

function revisionOf(head: Buffer | undefined): number {
  const name = head?.toString('latin1', 0, magic.length);
  if (head === undefined || name !== magic) throw new SnapshotError('foreign', 'it is not a snapshot of Binnacle');
  const version = head.toString('latin1', magic.length, 16);
  if (version !== formatVersion)
    throw new SnapshotError('foreign', `it has format ${version}; this program reads format ${formatVersion}`);
  const revision = head.readDoubleLE(16);
  if (!Number.isSafeInteger(revision) || revision < 1) throw new SnapshotError('damaged', 'its revision is invalid');
  return revision;
}
