import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flags, frameHead, FrameReader, frameTypes, integerFrame, settingIds, settingsFrame } from './frames.ts';
import { HpackDecoder, type HeaderField } from './hpack-decoder.ts';
import { Http2Session } from './session.ts';
import type { StreamLoss } from './stream.ts';

const prefaceBytes = 24;
const statusBlock = Buffer.from([0x88]);

let server: Server;
let peer: Promise<Socket>;
let sessions: Http2Session[];

beforeEach(async () => {
  sessions = [];
  server = createServer().listen(0, '127.0.0.1');
  peer = once(server, 'connection').then(([socket]: Socket[]) => {
    if (socket === undefined) throw new Error('there is no connection');
    socket.on('error', () => undefined);
    return socket;
  });
  await once(server, 'listening');
});

afterEach(async () => {
  for (const session of sessions) session.destroy();
  (await peer).destroy();
  server.close();
});

interface Opened {
  readonly session: Http2Session;
  readonly ready: Promise<void>;
  readonly closed: Promise<Error | undefined>;
}

function open(): Opened {
  const { port } = server.address() as AddressInfo; // of a TCP server that listens
  const [ready, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<Error | undefined>()];
  const session = new Http2Session(connect({ host: '127.0.0.1', port }), {
    ready: ready.resolve,
    leaving: () => undefined,
    closed: closed.resolve,
  });
  sessions.push(session);
  return { session, ready: ready.promise, closed: closed.promise };
}

interface Heard {
  readonly headers: (readonly HeaderField[])[];
  readonly data: string[];
  readonly losses: (StreamLoss | undefined)[];
}

function requested(session: Http2Session): Heard {
  const heard: Heard = { headers: [], data: [], losses: [] };
  const stream = session.request([[':method', 'POST']], {
    headers: (fields) => heard.headers.push(fields),
    data: (chunk) => heard.data.push(chunk.toString()),
    closed: (loss) => heard.losses.push(loss),
  });
  stream.end(Buffer.from('asked'));
  return heard;
}

function frame(type: number, stream: number, set: number, payload: Buffer): Buffer {
  return Buffer.concat([frameHead(type, { flags: set, stream, length: payload.length }), payload]);
}

test('headers in several frames, with padding, priority and frames of unknown types, are read', async () => {
  const { session, ready } = open();
  const heard = requested(session);
  const socket = await peer;
  socket.write(settingsFrame([[settingIds.maxConcurrentStreams, 10]]));
  await ready;
  const head = Buffer.concat([Buffer.from([2]), Buffer.alloc(5), statusBlock, Buffer.alloc(2)]);
  const answer = Buffer.concat([
    frame(0xbe, 0, 0, Buffer.from('unknown')),
    frame(frameTypes.headers, 1, flags.padded | flags.priority, head),
    frame(frameTypes.continuation, 1, flags.endHeaders, Buffer.from([0x00, 1, 0x61, 1, 0x62])),
    frame(frameTypes.data, 1, flags.padded, Buffer.from('\x03textxxx')),
    frame(frameTypes.data, 1, flags.endStream, Buffer.from('end')),
  ]);
  for (const byte of answer) socket.write(Buffer.from([byte]));
  await expect.poll(() => heard.losses).toEqual([undefined]);
  expect(heard.headers).toEqual([
    [
      [':status', '200'],
      ['a', 'b'],
    ],
  ]);
  expect(heard.data.join('')).toBe('textend');
});

test('settings and pings are acknowledged, and windows are given back', async () => {
  const { session } = open();
  requested(session);
  const socket = await peer;
  const received: string[] = [];
  const reader = new FrameReader(({ type, flags: set, stream, payload }) => {
    received.push(`${type} ${set} ${stream} ${type === frameTypes.windowUpdate ? payload.readUInt32BE() : ''}`);
  });
  let isFirst = true;
  socket.on('data', (chunk: Buffer) => {
    reader.push(isFirst ? chunk.subarray(prefaceBytes) : chunk);
    isFirst = false;
  });
  socket.write(settingsFrame([]));
  socket.write(frame(frameTypes.ping, 0, 0, Buffer.from('12345678')));
  const block = Buffer.alloc(16_384);
  for (let sent = 0; sent < 32; sent++) socket.write(frame(frameTypes.data, 1, 0, block));
  await expect.poll(() => received.filter((each) => each.startsWith('8 0 1')).length).toBe(1);
  expect(received).toContain('4 1 0 ');
  expect(received).toContain('6 1 0 ');
  expect(received).toContain('8 0 0 524288');
  expect(received).toContain('8 0 1 524288');
});

describe('a connection is destroyed, and its streams are lost, after', () => {
  test.each([
    ['something other than settings', frame(frameTypes.ping, 0, 0, Buffer.alloc(8)), 1],
    ['a frame that is too large', frameHead(frameTypes.settings, { length: 16_385 }), 6],
    ['settings of a wrong size', frame(frameTypes.settings, 0, 0, Buffer.alloc(5)), 6],
    ['a pushed request', Buffer.concat([settingsFrame([]), frame(frameTypes.pushPromise, 1, 4, Buffer.alloc(4))]), 1],
    ['more padding than data', Buffer.concat([settingsFrame([]), frame(frameTypes.data, 1, 8, Buffer.from([9]))]), 1],
    ['a block of headers that refers to nothing', headersFrame(Buffer.from([0xff, 0x20]), flags.endHeaders), 9],
    ['a block of headers that is interrupted', Buffer.concat([headersFrame(statusBlock, 0), settingsFrame([])]), 1],
    [
      'a continuation of nothing',
      Buffer.concat([settingsFrame([]), frame(frameTypes.continuation, 1, 4, statusBlock)]),
      1,
    ],
    [
      'a reset that is too short',
      Buffer.concat([settingsFrame([]), frame(frameTypes.resetStream, 1, 0, statusBlock)]),
      6,
    ],
  ])('%s', async (_, bytes, code) => {
    const { session, closed } = open();
    const heard = requested(session);
    (await peer).write(bytes);
    expect(await closed).toMatchObject({ name: 'Http2Error', code });
    expect(heard.losses).toMatchObject([{ code: undefined, error: { code } }]);
  });

  test('headers without end', async () => {
    const { session, closed } = open();
    requested(session);
    const socket = await peer;
    socket.write(headersFrame(statusBlock, 0));
    for (let more = 0; more < 20; more++) {
      socket.write(frame(frameTypes.continuation, 1, 0, Buffer.alloc(16_384, 0x88)));
    }
    expect(await closed).toMatchObject({ code: 11 });
  });
});

function headersFrame(block: Buffer, set: number): Buffer {
  return Buffer.concat([settingsFrame([]), frame(frameTypes.headers, 1, set, block)]);
}

test('a request begins when its windows allow, and ends early if it is answered before', async () => {
  const { session, ready } = open();
  const socket = await peer;
  socket.write(settingsFrame([[settingIds.initialWindowSize, 3]]));
  await ready;
  let [data, codes] = ['', [] as number[]];
  const decoder = new HpackDecoder();
  const blocks: (readonly HeaderField[])[] = [];
  const reader = new FrameReader(({ type, payload }) => {
    if (type === frameTypes.data) data += payload.toString();
    if (type === frameTypes.headers) blocks.push(decoder.decode(payload));
    if (type === frameTypes.resetStream) codes = [...codes, payload.readUInt32BE()];
  });
  let skipped = 0;
  socket.on('data', (chunk: Buffer) => {
    const rest = chunk.subarray(Math.min(chunk.length, prefaceBytes - skipped));
    skipped += chunk.length - rest.length;
    reader.push(rest);
  });
  const heard = requested(session);
  await expect.poll(() => data).toBe('ask');
  expect(blocks).toEqual([[[':method', 'POST']]]);
  socket.write(integerFrame(frameTypes.windowUpdate, 1, 1));
  await expect.poll(() => data).toBe('aske');
  socket.write(frame(frameTypes.headers, 1, flags.endHeaders | flags.endStream, statusBlock));
  await expect.poll(() => codes).toEqual([8]);
  expect(heard.losses).toEqual([undefined]);
});
