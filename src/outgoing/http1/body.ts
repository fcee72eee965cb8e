import { type BodyLength, HeadCollector, readFields } from './head.ts';

/** Takes a body out of what comes over a connection. */
export interface BodyReader {
  /** The part of the body in a chunk. Throws an Error in Go's words. */
  read(chunk: Buffer): Buffer;
  readonly isComplete: boolean;
  /** More has come than the body. */
  readonly isExceeded: boolean;
  /** Whether the body may end with the connection. */
  readonly mayBeCut: boolean;
  /** Names and values that follow the body. */
  readonly trailers: readonly string[];
}

export function bodyReader(length: BodyLength): BodyReader {
  if (length === 'chunked') return new ChunkedBody();
  return length === 'connection' ? new EndlessBody() : new SizedBody(length);
}

const noTrailers: readonly string[] = [];

class SizedBody implements BodyReader {
  readonly mayBeCut = false;
  readonly trailers = noTrailers;
  isExceeded = false;
  #leftBytes: number;

  constructor(lengthBytes: number) {
    this.#leftBytes = lengthBytes;
  }

  get isComplete(): boolean {
    return this.#leftBytes === 0;
  }

  read(chunk: Buffer): Buffer {
    if (chunk.length > this.#leftBytes) {
      this.isExceeded = true;
      return this.read(chunk.subarray(0, this.#leftBytes));
    }
    this.#leftBytes -= chunk.length;
    return chunk;
  }
}

class EndlessBody implements BodyReader {
  readonly mayBeCut = true;
  readonly isComplete = false;
  readonly isExceeded = false;
  readonly trailers = noTrailers;

  read(chunk: Buffer): Buffer {
    return chunk;
  }
}

/** Limits of the reference. */
const maxLineBytes = 4096;
const maxExcessBytes = 16 * 1024;

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/**
 * A body in chunks (RFC 9112 section 7.1).
 *
 *     5;name=value CRLF  hello CRLF   0 CRLF   X-Trailer: value CRLF   CRLF
 *     size               data  end    size     trailers
 */
class ChunkedBody implements BodyReader {
  readonly mayBeCut = false;
  trailers: readonly string[] = noTrailers;
  isComplete = false;
  isExceeded = false;
  #part: 'size' | 'data' | 'end' | 'trailers' = 'size';
  /** The beginning of a line of which the rest has not come. */
  #line = '';
  #leftBytes = 0;
  /** Bytes that are not data, beyond what is usual. */
  #excessBytes = 0;
  #collector: HeadCollector | undefined;

  /** The data is moved to the beginning of `chunk`: there may be thousands of pieces. */
  read(chunk: Buffer): Buffer {
    let dataBytes = 0;
    let at = 0;
    while (at < chunk.length && !this.isComplete) {
      if (this.#part === 'data') {
        const end = Math.min(chunk.length, at + this.#leftBytes);
        this.#leftBytes -= end - at;
        if (end - at === 1) chunk[dataBytes] = chunk[at] ?? 0;
        else if (at !== dataBytes) chunk.copyWithin(dataBytes, at, end);
        dataBytes += end - at;
        at = end;
        if (this.#leftBytes === 0) this.#part = 'end';
      } else if (this.#part === 'trailers') {
        at = this.#readTrailers(chunk, at);
      } else at = this.#readUsual(chunk, at) ?? this.#readLine(chunk, at);
    }
    if (at < chunk.length) this.isExceeded = true;
    return chunk.subarray(0, dataBytes);
  }

  /** As below, for complete lines without extensions; undefined for any other. */
  #readUsual(chunk: Buffer, start: number): number | undefined {
    if (this.#line !== '') return undefined;
    let at = start;
    let sizeBytes = 0;
    if (this.#part === 'size') {
      for (let digit = hexDigit(chunk[at]); digit !== -1 && at - start < usualDigits; digit = hexDigit(chunk[++at])) {
        sizeBytes = sizeBytes * 16 + digit;
      }
      if (at === start) return undefined;
    }
    if (chunk[at] !== carriageReturn || chunk[at + 1] !== lineFeed) return undefined;
    if (this.#part === 'size') this.#begin(sizeBytes, at - start + 1);
    else this.#part = 'size';
    return at + 2;
  }

  /** Where the next part begins. */
  #readLine(chunk: Buffer, start: number): number {
    const found = chunk.indexOf(lineFeed, start);
    const stop = found === -1 ? chunk.length : found;
    if (this.#line.length + stop - start > maxLineBytes) throw new Error('header line too long');
    this.#line += chunk.toString('latin1', start, stop);
    if (found === -1) return stop;
    const line = this.#line;
    this.#line = '';
    if (this.#part === 'size') this.#begin(sizeOf(line), line.length);
    else if (line === '\r') this.#part = 'size';
    else throw new Error('malformed chunked encoding');
    return found + 1;
  }

  #begin(sizeBytes: number, lineLength: number): void {
    this.#excessBytes = Math.max(0, this.#excessBytes + lineLength + 3 - 16 - 2 * sizeBytes);
    if (this.#excessBytes > maxExcessBytes) throw new Error('chunked encoding contains too much non-data');
    this.#leftBytes = sizeBytes;
    this.#part = sizeBytes === 0 ? 'trailers' : 'data';
  }

  #readTrailers(chunk: Buffer, start: number): number {
    this.#collector ??= new HeadCollector({ mayBeEmpty: true });
    const rest = this.#collector.add(chunk.subarray(start));
    if (rest === undefined) return chunk.length;
    this.isComplete = true;
    const text = this.#collector.take();
    if (text.length > 2) this.trailers = readFields(text.split('\n'), 0);
    return chunk.length - rest.length;
  }
}

/** Up to 256 MiB. */
const usualDigits = 7;

/** -1 for what is none. */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function sizeOf(line: string): number {
  const end = line.indexOf(';');
  const digits = (end === -1 ? line : line.slice(0, end)).trimEnd();
  if (digits === '') throw new Error('empty hex number for chunk length');
  if (!/^[0-9a-fA-F]+$/.test(digits)) throw new Error('invalid byte in chunk length');
  const size = Number.parseInt(digits, 16);
  if (!Number.isSafeInteger(size)) throw new Error('http chunk length too large');
  return size;
}
