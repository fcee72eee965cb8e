import { setImmediate as turn } from 'node:timers/promises';
import { constants, gunzipSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { FlushedGzip, GzipStream, gzipHeaders, prefersGzip, takesGzip } from './compression.ts';
import type { Exchange, ResponseStream } from './exchange.ts';

test.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['deflate, gzip', true],
  ['gzip ,br', true],
  ['deflate, br', false],
  // The reference ignores weights and other spellings.
  ['gzip;q=0', false],
  ['gzip;q=1.0', false],
  ['GZIP', false],
  ['*', false],
])('Accept-Encoding %s', (header, taken) => {
  expect(takesGzip(header)).toBe(taken);
});

test.each([
  [undefined, false],
  ['gzip', true],
  ['GZIP', true],
  ['deflate, gzip;q=0.3', true],
  ['gzip ; q=1.0, br', true],
  ['gzip;q=0', false],
  ['gzip;q=0.00', false],
  ['br, identity', false],
  ['*', false],
])('Accept-Encoding %s by weight', (header, preferred) => {
  expect(prefersGzip(header)).toBe(preferred);
});

test('Vary keeps its existing values', () => {
  expect(gzipHeaders({ vary: 'Accept', etag: '"a"' })).toEqual({
    etag: '"a"',
    'content-encoding': 'gzip',
    vary: ['Accept', 'Accept-Encoding'],
  });
});

/** A client that accepts parts only while it is `fast`. */
class Client implements ResponseStream {
  readonly parts: Buffer[] = [];
  fast = true;
  ended = Promise.withResolvers<void>();
  #drained = Promise.withResolvers<void>();
  #onClose = (): void => undefined;
  // What a compressing stream uses of an exchange.
  readonly exchange = {
    onClose: (listener: () => void) => {
      this.#onClose = listener;
    },
    abort: () => this.#onClose(),
  } as Exchange;

  write(part: Uint8Array | string): boolean {
    this.parts.push(Buffer.from(part));
    return this.fast;
  }

  drained(): Promise<void> {
    return this.fast ? Promise.resolve() : this.#drained.promise;
  }

  end(): void {
    this.ended.resolve();
  }

  speedUp(): void {
    this.fast = true;
    this.#drained.resolve();
  }

  close(): void {
    this.#onClose();
    this.#drained.resolve();
  }

  get text(): string {
    return gunzipSync(Buffer.concat(this.parts)).toString();
  }
}

/** Incompressible bytes. */
function noise(sizeBytes: number): Buffer {
  let state = 1;
  return Buffer.from(Array.from({ length: sizeBytes }, () => (state = (state * 48271) % 2147483647) & 0xff));
}

test('a response is one stream of its chunks, and a chunk may be overwritten once drained', async () => {
  const client = new Client();
  const stream = new GzipStream(client.exchange, client);
  const chunk = Buffer.alloc(100_000);
  for (const letter of 'abc') {
    chunk.fill(letter);
    expect(stream.write(chunk)).toBe(false);
    await stream.drained();
  }
  stream.end();
  await client.ended.promise;
  expect(client.text).toBe(['a', 'b', 'c'].map((letter) => letter.repeat(100_000)).join(''));
});

test('a slow client stalls the writer', async () => {
  const client = new Client();
  client.fast = false;
  const stream = new GzipStream(client.exchange, client);
  let taken = false;
  const bytes = noise(1_000_000);
  stream.write(bytes);
  const drained = stream.drained().then(() => {
    taken = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(taken).toBe(false);
  expect(Buffer.concat(client.parts).length).toBeLessThan(200_000);
  client.speedUp();
  await drained;
  stream.end();
  await client.ended.promise;
  expect(gunzipSync(Buffer.concat(client.parts)).equals(bytes)).toBe(true);
});

test('a client that goes away releases the writer', async () => {
  const client = new Client();
  client.fast = false;
  const stream = new GzipStream(client.exchange, client);
  stream.write(noise(1_000_000));
  client.close();
  await stream.drained();
  const { length } = client.parts;
  stream.write(noise(1000));
  await stream.drained();
  stream.end();
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(client.parts).toHaveLength(length);
});

test('flushed data can be read before more is written, and is one member', async () => {
  const client = new Client();
  const stream = new FlushedGzip(client.exchange, client);
  const chunks = ['a'.repeat(300_000), 'b', 'ça'];
  for (const [index, chunk] of chunks.entries()) {
    stream.write(index === 1 ? Buffer.from(chunk) : chunk);
    await stream.drained();
    // After the header, without an end: what Go's reader has received so far.
    const blocks = Buffer.concat(client.parts).subarray(10);
    const read = inflateRawSync(blocks, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
    expect(read).toBe(chunks.slice(0, index + 1).join(''));
  }
  stream.end();
  await client.ended.promise;
  expect(client.text).toBe(chunks.join(''));
});

test.each([0, 1, 16 * 1024 - 1, 16 * 1024, 70_000])('chunks of %i bytes come as they are', async (sizeBytes) => {
  const client = new Client();
  const stream = new FlushedGzip(client.exchange, client);
  const chunks = [noise(sizeBytes), Buffer.alloc(sizeBytes, 'a'), noise(100)];
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await client.ended.promise;
  expect(gunzipSync(Buffer.concat(client.parts)).equals(Buffer.concat(chunks))).toBe(true);
});

test('large chunks are compressed, small ones are not', async () => {
  const client = new Client();
  const stream = new FlushedGzip(client.exchange, client);
  const received = (): number => Buffer.concat(client.parts).length;
  stream.write(Buffer.alloc(100_000, 'a'));
  await stream.drained();
  const large = received();
  expect(large).toBeLessThan(1000);
  stream.write(Buffer.alloc(10_000, 'a'));
  await stream.drained();
  expect(received() - large).toBe(10_010);
});

test('an empty stream is valid', async () => {
  const client = new Client();
  new FlushedGzip(client.exchange, client).end();
  await client.ended.promise;
  expect(client.text).toBe('');
});

test('data sent to one watcher is not compressed again for the next', async () => {
  const clients = [new Client(), new Client()];
  const chunk = Buffer.from('the same event');
  const writes: Uint8Array[] = [];
  for (const client of clients) {
    client.write = (part) => {
      // Only bytes are written here.
      writes.push(part as Uint8Array);
      return true;
    };
    const stream = new FlushedGzip(client.exchange, client);
    stream.write(chunk);
    await stream.drained();
  }
  const [, first, , second] = writes;
  expect(first).toBe(second);
  expect(first?.length).toBeGreaterThan(0);
});
