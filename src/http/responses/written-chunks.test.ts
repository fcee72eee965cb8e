import { expect, it } from 'vitest';
import { WrittenChunks } from './written-chunks.ts';

it.each([[['a']], [['a', 'b']], [['a', 'b', 'c', 'd']]])('gives %j one by one, and tells which is the last', (all) => {
  const chunks = new WrittenChunks(all.map((text) => Buffer.from(text)));
  expect(chunks.knownBytes).toBe(all.length === 1 ? 1 : undefined);
  const given: string[] = [];
  while (!chunks.finished) {
    given.push(Buffer.from(chunks.next()).toString());
    expect(chunks.finished).toBe(given.length === all.length);
  }
  expect(given).toEqual(all);
});

it('writes no further than the chunk after the next', () => {
  const written: number[] = [];
  function* endless(): Iterable<Uint8Array> {
    for (let i = 0; ; i++) {
      written.push(i);
      yield Buffer.from([i]);
    }
  }
  const chunks = new WrittenChunks(endless());
  chunks.next();
  expect(written.length).toBeLessThanOrEqual(3);
});

it('fails as the writer does', () => {
  const failing: Iterable<Uint8Array> = {
    [Symbol.iterator]: () => {
      throw new Error('cannot be written');
    },
  };
  expect(() => new WrittenChunks(failing)).toThrow('cannot be written');
});
