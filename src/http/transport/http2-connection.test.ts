import { mkdtemp, rm } from 'node:fs/promises';
import { constants, getUnpackedSettings } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  endHeaders, endStream, type Frame, frame, framesIn, frameTypes, preface, RawConnection, requestHeaders,
} from '../../../test/hostile/raw-client.ts'; // prettier-ignore
import { systemClock } from '../../api/time/clock.ts';
import { openCertificateStore } from '../../authentication/pki/certificate-store.ts';
import type { Exchange } from './exchange.ts';
import { Listener } from './listener.ts';

const maxStreams = 100;
const large = Buffer.alloc(16 << 20, 'a');

let folder: string;
let listener: Listener;
let target: { readonly url: string; readonly tls: { readonly ca: string | Buffer } };
/** Requests that the server will never have done with. */
let unfinished = 0;

function handle(exchange: Exchange): void {
  if (exchange.path === '/stuck') {
    unfinished += 1;
    return;
  }
  if (exchange.path === '/large') exchange.respond(200, {}, large);
  else if (exchange.path === '/watch') exchange.start(200, {}).write('one');
  else exchange.respond(200, {}, 'ok');
  if (exchange.path === '/watch') exchange.onClose(() => exchange.release?.());
  else exchange.release?.();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-http2-'));
  const serverNames = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  const { authority, server } = await openCertificateStore({ folder, serverNames, clock: systemClock });
  const settings = { maxConcurrentStreams: maxStreams };
  listener = new Listener({ cert: server.certificate, key: server.key, settings }, handle);
  target = { url: `https://127.0.0.1:${await listener.listen('127.0.0.1', 0)}`, tls: { ca: authority } };
});

afterAll(async () => {
  await listener.close(0);
  await rm(folder, { recursive: true });
});

/** A client that decides what is sent together. */
class Client implements Disposable {
  readonly #connection: RawConnection;
  #nextStream = 1;

  private constructor(connection: RawConnection) {
    this.#connection = connection;
  }

  static async open(): Promise<Client> {
    const client = new Client(await RawConnection.open(target, 'h2'));
    client.send(preface(), frame({ type: frameTypes.settings, flags: acknowledged }));
    return client;
  }

  get ended(): boolean {
    return this.#connection.ended;
  }

  get frames(): readonly Required<Frame>[] {
    return framesIn(this.#connection.received);
  }

  /** A GET on a new stream. */
  get(path: string): { readonly stream: number; readonly bytes: Buffer } {
    const stream = this.#nextStream;
    this.#nextStream += 2;
    const flags = endHeaders | endStream;
    return { stream, bytes: frame({ type: frameTypes.headers, flags, stream, payload: requestHeaders(path) }) };
  }

  gets(count: number, path: string): { readonly streams: number[]; readonly bytes: Buffer } {
    const all = Array.from({ length: count }, () => this.get(path));
    return { streams: all.map(({ stream }) => stream), bytes: Buffer.concat(all.map(({ bytes }) => bytes)) };
  }

  /** In one packet. */
  send(...bytes: readonly Uint8Array[]): void {
    this.#connection.send(Buffer.concat(bytes));
  }

  until(done: () => boolean): Promise<boolean> {
    return this.#connection.until(done, 20_000);
  }

  answered(streams: readonly number[]): number {
    const all = new Set(streams);
    return this.frames.filter(({ type, stream }) => type === frameTypes.headers && all.has(stream)).length;
  }

  /** The codes of the streams that the server has reset. */
  get resets(): readonly number[] {
    return this.frames
      .filter(({ type }) => type === frameTypes.reset)
      .map(({ payload }) => Buffer.from(payload).readUInt32BE());
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}

const acknowledged = 1;

function reset(stream: number, code = constants.NGHTTP2_CANCEL): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  return frame({ type: frameTypes.reset, stream, payload });
}

it('the first frame tells the limit, and no other of those that clients read', async () => {
  using client = await Client.open();
  const { streams, bytes } = client.gets(1, '/');
  client.send(bytes);
  await client.until(() => client.answered(streams) === 1);
  const [first, ...rest] = client.frames;
  expect(first?.type).toBe(frameTypes.settings);
  expect(getUnpackedSettings(Buffer.from(first?.payload ?? []))).toMatchObject({
    maxConcurrentStreams: maxStreams,
    initialWindowSize: 256 * 1024,
    maxHeaderListSize: 64 * 1024,
  });
  // Go's client logs a line for each frame of a type that it does not know.
  expect(client.frames.filter(({ type }) => type > frameTypes.continuation)).toEqual([]);
  // The reply to ours.
  expect(rest.filter(({ type }) => type === frameTypes.settings).map(({ flags }) => flags)).toEqual([acknowledged]);
});

describe('requests that arrive together with the cancellation of as many are answered', () => {
  it.each([constants.NGHTTP2_CANCEL, constants.NGHTTP2_NO_ERROR])('with code %d, and over and over', async (code) => {
    using client = await Client.open();
    for (let round = 0; round < 10; round += 1) {
      const watches = client.gets(maxStreams, '/watch');
      client.send(watches.bytes);
      expect(await client.until(() => client.answered(watches.streams) === maxStreams)).toBe(true);
      const gets = client.gets(maxStreams, '/');
      client.send(...watches.streams.map((stream) => reset(stream, code)), gets.bytes);
      expect(await client.until(() => client.answered(gets.streams) === maxStreams)).toBe(true);
    }
    expect(client.resets).toEqual([]);
  });
});

it('as many requests as are allowed may follow as many responses, again and again', async () => {
  using client = await Client.open();
  for (let round = 0; round < 20; round += 1) {
    const { streams, bytes } = client.gets(maxStreams, '/');
    client.send(bytes);
    expect(await client.until(() => client.answered(streams) === maxStreams)).toBe(true);
  }
  expect(client.resets).toEqual([]);
});

it('responses that are cancelled take nothing for ever', async () => {
  using client = await Client.open();
  for (let round = 0; round < 30; round += 1) {
    const { streams, bytes } = client.gets(1, '/large');
    client.send(bytes);
    expect(await client.until(() => client.answered(streams) === 1)).toBe(true);
    client.send(...streams.map((stream) => reset(stream)));
  }
  const { streams, bytes } = client.gets(1, '/');
  client.send(bytes);
  expect(await client.until(() => client.answered(streams) === 1)).toBe(true);
  expect(client.resets).toEqual([]);
});

it('streams beyond the limit are refused, others are not', async () => {
  using client = await Client.open();
  const watches = client.gets(maxStreams, '/watch');
  client.send(watches.bytes, client.gets(5, '/').bytes);
  expect(await client.until(() => client.resets.length === 5)).toBe(true);
  expect(client.resets).toEqual(Array.from({ length: 5 }, () => constants.NGHTTP2_REFUSED_STREAM));
  expect(client.answered(watches.streams)).toBe(maxStreams);
  const { streams, bytes } = client.gets(1, '/');
  client.send(reset(watches.streams[0] ?? 0), bytes);
  expect(await client.until(() => client.answered(streams) === 1)).toBe(true);
});

it('a connection is closed that goes on to open too many', async () => {
  using client = await Client.open();
  client.send(client.gets(3 * maxStreams, '/watch').bytes);
  expect(await client.until(() => client.ended)).toBe(true);
});

it('a connection is closed that cancels more requests than the server has done with', async () => {
  using client = await Client.open();
  unfinished = 0;
  for (let round = 0; round < 12 && !client.ended; round += 1) {
    const { streams, bytes } = client.gets(maxStreams, '/stuck');
    client.send(bytes, ...streams.map((stream) => reset(stream)));
  }
  expect(await client.until(() => client.ended)).toBe(true);
  expect(unfinished).toBe(10 * maxStreams);
});
