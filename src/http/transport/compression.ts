import { promisify } from 'node:util';
import type * as Zlib from 'node:zlib';
import type { Exchange, HeaderMap, ResponseStream } from './exchange.ts';

/** Loaded by the first compressed response. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}

/** What may be compressed for clients that accept gzip, by feature gate. */
export interface Compression {
  /** Whole responses above `minCompressedBytes`. */
  readonly responses: boolean;
  /** Watches that begin with the initial state. */
  readonly watchLists: boolean;
}

/** Smaller responses are not compressed. */
export const minCompressedBytes = 128 * 1024;
/** The fastest level: higher ones save little (kubernetes/kubernetes#112296). */
const level = 1;
const outputBytes = 64 * 1024;

/** Only a bare `gzip` counts, as in the reference: with a weight the response is not compressed. */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  return acceptEncoding !== undefined && acceptEncoding.split(',').some((coding) => coding.trim() === 'gzip');
}

/** Respects weights (RFC 9110 section 12.5.3), for paths other than resources. */
export function prefersGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  return acceptEncoding.split(',').some((coding) => {
    const [name = '', weight = 'q=1'] = coding.split(';', 2);
    return name.trim().toLowerCase() === 'gzip' && /^q=(?:1|0?\.0*[1-9])/i.test(weight.trimStart());
  });
}

/** The headers of a compressed response. */
export function gzipHeaders(headers: HeaderMap): HeaderMap {
  const vary = [headers['vary'] ?? []].flat().map(String);
  return { ...headers, 'content-encoding': 'gzip', vary: [...vary, 'Accept-Encoding'] };
}

/**
 * Compresses a response while it is sent, on the thread pool; `write` accepts the next chunk once the previous one is
 * compressed and taken.
 */
export class GzipStream implements ResponseStream {
  readonly #inner: ResponseStream;
  readonly #gzip = zlib().createGzip({ level, chunkSize: outputBytes });
  #compressing: PromiseWithResolvers<void> | undefined;

  constructor(exchange: Exchange, inner: ResponseStream) {
    this.#inner = inner;
    this.#gzip.on('data', (part: Buffer) => this.#forward(part));
    this.#gzip.once('end', () => inner.end());
    this.#gzip.once('error', () => exchange.abort());
    exchange.onClose(() => {
      this.#gzip.destroy();
      this.#compressing?.resolve();
    });
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.#gzip.destroyed) return true;
    const compressing = Promise.withResolvers<void>();
    this.#compressing = compressing;
    this.#gzip.write(chunk, () => compressing.resolve());
    return false;
  }

  drained(): Promise<void> {
    return this.#compressing?.promise ?? Promise.resolve();
  }

  end(): void {
    if (!this.#gzip.destroyed) this.#gzip.end();
  }

  /** A slow client stalls the compression, and with it the writer. */
  #forward(part: Buffer): void {
    if (this.#inner.write(part)) return;
    this.#gzip.pause();
    // Never rejects: it also resolves when the exchange closes.
    void this.#inner.drained().then(() => this.#gzip.resume());
  }
}

/** Fastest compression, unknown OS (RFC 1952 section 2.3). */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff]);
/** An empty final block (RFC 1951 section 3.2.3). */
const lastBlock = Buffer.from([3, 0]);
/** An empty block without compression (section 3.2.4): what comes before it is given to the reader. */
const flush = Buffer.from([0, 0, 0, 0xff, 0xff]);
/** The size of the head of a block without compression: its kind, its length and the complement of that. */
const storedHeadBytes = 5;
/** Smaller chunks of a watch, single events, stay as they are: to compress one takes longer than to make it. */
const minCompressedChunkBytes = 16 * 1024;

/**
 * One gzip stream whose chunks are compressed separately, if they are large, and flushed, so that nothing is held back
 * and idle streams use no memory. Not one member per chunk: Go's reader holds back the data of a member until the next
 * one begins.
 */
export class FlushedGzip implements ResponseStream {
  readonly #exchange: Exchange;
  readonly #inner: ResponseStream;
  #sent: Promise<unknown> = Promise.resolve();
  #checksum = 0;
  #sizeBytes = 0;

  constructor(exchange: Exchange, inner: ResponseStream) {
    this.#exchange = exchange;
    this.#inner = inner;
    inner.write(gzipHeader);
  }

  write(chunk: Uint8Array | string): boolean {
    this.#checksum = zlib().crc32(chunk, this.#checksum);
    this.#sizeBytes += Buffer.byteLength(chunk);
    const blocks = blocksOf(chunk);
    this.#sent = this.#sent.then(async () => this.#inner.write(await blocks)).catch(() => this.#exchange.abort());
    return false;
  }

  async drained(): Promise<void> {
    await this.#sent;
    await this.#inner.drained();
  }

  end(): void {
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#checksum, 0);
    trailer.writeUInt32LE(this.#sizeBytes % 2 ** 32, 4);
    void this.#sent.then(() => {
      this.#inner.write(Buffer.concat([lastBlock, trailer]));
      this.#inner.end();
    });
  }
}

/** On the thread pool. */
export function compress(bytes: Uint8Array | string): Promise<Buffer> {
  return promisify(zlib().gzip)(bytes);
}

let lastChunk: Uint8Array | string | undefined;
let lastBlocks: Promise<Uint8Array> = Promise.resolve(new Uint8Array());

/** Watchers of the same resource are sent the same bytes in succession: reuse the last result. */
function blocksOf(chunk: Uint8Array | string): Promise<Uint8Array> {
  if (chunk !== lastChunk) {
    lastChunk = chunk;
    const sizeBytes = Buffer.byteLength(chunk);
    lastBlocks =
      sizeBytes < minCompressedChunkBytes ? Promise.resolve(storedBlocks(chunk, sizeBytes)) : deflated(chunk);
  }
  return lastBlocks;
}

function deflated(chunk: Uint8Array | string): Promise<Uint8Array> {
  const { constants, deflateRaw } = zlib();
  return promisify(deflateRaw)(chunk, { level, finishFlush: constants.Z_SYNC_FLUSH });
}

function storedBlocks(chunk: Uint8Array | string, sizeBytes: number): Uint8Array {
  const blocks = Buffer.allocUnsafe(storedHeadBytes + sizeBytes + flush.length);
  blocks[0] = 0;
  blocks.writeUInt16LE(sizeBytes, 1);
  blocks.writeUInt16LE(sizeBytes ^ 0xffff, 3);
  if (typeof chunk === 'string') blocks.write(chunk, storedHeadBytes);
  else blocks.set(chunk, storedHeadBytes);
  blocks.set(flush, storedHeadBytes + sizeBytes);
  return blocks;
}
