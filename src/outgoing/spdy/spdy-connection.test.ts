import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { expect, test } from 'vitest';
import { dataFrames } from './frames.ts';
import { SpdyConnection } from './spdy-connection.ts';

test('while a chunk of thousands of frames is passed on, others run, and what follows comes after it', async () => {
  const [ours, theirs] = duplexPair();
  const connection = new SpdyConnection(ours, Buffer.alloc(0));
  let rounds = 0;
  const count = (): void => {
    rounds += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const received: string[] = [];
  const ended = Promise.withResolvers<void>();
  let roundsOfFirst = 0;
  connection.open(
    { streamtype: 'stdout' },
    {
      data(part) {
        for (const endMs = performance.now() + 0.05; performance.now() < endMs;);
        received.push(part.toString());
        if (received.length === 1) roundsOfFirst = rounds;
        return true;
      },
      end: ended.resolve,
    },
  );
  const sent = Array.from({ length: 2_000 }, (_, index) => String(index));
  const frames = sent.flatMap((text) => dataFrames(1, Buffer.from(text), false));
  theirs.write(Buffer.concat(frames));
  theirs.write(Buffer.concat(dataFrames(1, Buffer.from('last'), false)));
  theirs.end();
  theirs.resume();
  await once(ours, 'end');
  ours.destroy();
  await ended.promise;
  clearImmediate(next);
  expect(received).toEqual([...sent, 'last']);
  expect(rounds - roundsOfFirst).toBeGreaterThan(5);
});
