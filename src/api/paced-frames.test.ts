import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { paceFrames } from './paced-frames.ts';

const frames = 200_000;
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

function frame(type: number, payload: Uint8Array, flags = 0): Buffer {
  const stream = type === 4 ? 0 : 1;
  return Buffer.concat([Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, stream]), payload]);
}

/** `:method: POST`, `:scheme: https` and `:path: /` of the static table, and `:authority: a`. */
const head = frame(1, Buffer.from([0x83, 0x87, 0x84, 0x41, 1, 0x61]), 4);

/** Of a body in frames of a byte: how many bytes arrive, and how many at most in one round of the event loop. */
async function read(begin: (stream: ServerHttp2Stream) => void): Promise<{ total: number; mostPerRound: number }> {
  const server = createServer({ settings: { initialWindowSize: frames } });
  server.on('session', (session) => session.setLocalWindowSize(frames));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  socket.resume();
  socket.write(Buffer.concat([preface, frame(4, Buffer.alloc(0)), head]));
  const [stream] = (await once(server, 'stream')) as [ServerHttp2Stream];
  begin(stream);
  // The client goes away at the end.
  stream.on('error', () => undefined);
  let [total, round, mostPerRound] = [0, 0, 0];
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.on('data', (chunk: Buffer) => {
    total += chunk.length;
    if (round === 0) setImmediate(() => (round = 0));
    round += chunk.length;
    mostPerRound = Math.max(mostPerRound, round);
    if (total === frames) resolve();
  });
  const one = frame(0, Buffer.from('a'));
  // The window is as large as said once the settings are acknowledged.
  socket.write(Buffer.concat([frame(4, Buffer.alloc(0), 1), Buffer.alloc(frames * one.length, one)]));
  await promise;
  socket.destroy();
  server.close();
  return { total, mostPerRound };
}

test('other work is done between frames of a byte', async () => {
  const paced = await read(paceFrames);
  expect(paced.total).toBe(frames);
  // One read of a socket is 64 KiB, of ten bytes per frame.
  expect(paced.mostPerRound).toBeLessThan(8_000);
  const unpaced = await read(() => undefined);
  expect(unpaced.mostPerRound).toBeGreaterThan(12_000);
});
