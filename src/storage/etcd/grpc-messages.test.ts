import { expect, test } from 'vitest';
import { framed, MessageReader } from './grpc-messages.ts';

/** A generator of the same numbers for the same seed (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

test('messages are the same however they are cut into chunks', () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const next = numbers(seed);
  for (let run = 0; run < 300; run += 1) {
    const sent = Array.from({ length: next(6) }, () => Buffer.alloc(next(3) === 0 ? 0 : next(3000), next(256)));
    const bytes = Buffer.concat(sent.map((message) => framed(message)));
    const received: Buffer[] = [];
    const reader = new MessageReader((message) => received.push(Buffer.from(message)));
    for (let at = 0; at < bytes.length;) {
      const size = 1 + next(next(2) === 0 ? 8 : 4000);
      reader.push(bytes.subarray(at, at + size));
      at += size;
    }
    expect(received, `seed ${seed}, run ${run}`).toEqual(sent);
  }
});

test('a message that is compressed is refused', () => {
  const reader = new MessageReader(() => undefined);
  expect(() => reader.push(Buffer.from([1, 0, 0, 0, 0]))).toThrow('compresses');
});
