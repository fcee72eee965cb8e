import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { endHeaders, frame, frameTypes, preface, requestHeaders } from '../../../test/hostile/raw-client.ts';
import { paceFrames } from './paced-frames.ts';

const frames = 200_000;
/** How many bytes of a body in frames of a byte arrive, and how many at most in one round of the event loop. */
async function read(begin: (stream: ServerHttp2Stream) => void): Promise<{ total: number; mostPerRound: number }> {
  const server = createServer({ settings: { initialWindowSize: frames } });
  server.on('session', (session) => session.setLocalWindowSize(frames));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  socket.resume();
  const payload = requestHeaders('/', 'POST');
  socket.write(Buffer.concat([preface(), frame({ type: frameTypes.headers, flags: endHeaders, stream: 1, payload })]));
  const [stream] = (await once(server, 'stream')) as [ServerHttp2Stream];
  begin(stream);
  // The client goes away at the end.
  stream.on('error', () => undefined);
  let [total, round, mostPerRound] = [0, 0, 0];
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.on('data', (chunk: Buffer) => {
    for (const endMs = performance.now() + 0.005; performance.now() < endMs;);
    total += chunk.length;
    if (round === 0) setImmediate(() => (round = 0));
    round += chunk.length;
    mostPerRound = Math.max(mostPerRound, round);
    if (total === frames) resolve();
  });
  const one = frame({ type: frameTypes.data, stream: 1, payload: Buffer.from('a') });
  const acknowledged = frame({ type: frameTypes.settings, flags: 1 });
  // The window is as large as said once the settings are acknowledged.
  socket.write(Buffer.concat([acknowledged, Buffer.alloc(frames * one.length, one)]));
  await promise;
  socket.destroy();
  server.close();
  return { total, mostPerRound };
}

test('other work is done between frames of a byte', async () => {
  const paced = await read(paceFrames);
  expect(paced.total).toBe(frames);
  // Each takes five microseconds here, and one read of a socket is 64 KiB, of ten bytes per frame.
  expect(paced.mostPerRound).toBeLessThan(8_000);
  const unpaced = await read(() => undefined);
  expect(unpaced.mostPerRound).toBeGreaterThan(12_000);
});
