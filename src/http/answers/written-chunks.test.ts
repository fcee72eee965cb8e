import { expect, it } from 'vitest';
import type { Work } from '../../api/turns.ts';
import { WrittenChunks } from './written-chunks.ts';

const document = { json: Buffer.from('{}') };

function* writing(pieces: readonly string[], take: (piece: Uint8Array) => void): Work<void> {
  for (const piece of pieces) {
    yield;
    take(Buffer.from(piece));
    yield Promise.resolve();
  }
}

it.each([[['a']], [['a', 'b']], [['a', 'b', 'c', 'd']]])(
  'gives %j one by one, and tells which is the last',
  async (all) => {
    const chunks = new WrittenChunks((_, take) => writing(all, take), document);
    const given: string[] = [];
    while (!chunks.finished) {
      await chunks.ready();
      given.push(Buffer.from(chunks.next()).toString());
      expect(chunks.finished).toBe(given.length === all.length);
    }
    expect(given).toEqual(all);
  },
);

it('writes no further than the chunk after the next', async () => {
  const written: number[] = [];
  function* endless(_: unknown, take: (piece: Uint8Array) => void): Work<void> {
    for (let i = 0; ; i++) {
      written.push(i);
      take(Buffer.from([i]));
      yield;
    }
  }
  const chunks = new WrittenChunks(endless, document);
  await chunks.ready();
  chunks.next();
  await chunks.ready();
  expect(written.length).toBeLessThanOrEqual(3);
});

it('fails as the writer does', async () => {
  function* failing(): Work<void> {
    yield;
    throw new Error('cannot be written');
  }
  await expect(new WrittenChunks(failing, document).ready()).rejects.toThrow('cannot be written');
});
