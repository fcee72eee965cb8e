import { expect, test } from 'vitest';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { encodedList } from './encoded-list.ts';
import { ListChunks } from './list-chunks.ts';

function entriesOf(sizes: readonly number[]): CacheEntry[] {
  return sizes.map((size, index) => new CacheEntry(`/registry/x/${index}`, Buffer.alloc(size, 'x'), 1));
}

test.each([
  ['few', [1, 2, 3]],
  ['several chunks', Array.from({ length: 100 }, () => 5000)],
  ['larger than a chunk', [10, 300_000, 10]],
])('items are encoded once each, and joined: %s', (_, sizes) => {
  const encoded: string[] = [];
  const form = encodedList({
    head: Buffer.from('['),
    tail: Buffer.from(']'),
    separator: Buffer.from(','),
    encode(entry) {
      encoded.push(entry.key);
      return Buffer.from(JSON.stringify(entry.value.length));
    },
  });
  const entries = entriesOf(sizes);
  const chunks = new ListChunks(form, entries);
  let text = '';
  do text += chunks.next().toString();
  while (!chunks.finished);
  expect(JSON.parse(text)).toEqual(sizes);
  expect(encoded).toEqual(entries.map(({ key }) => key));
});

test('only the requested chunk is encoded', () => {
  let count = 0;
  const form = encodedList({
    head: Buffer.alloc(0),
    tail: Buffer.alloc(0),
    encode() {
      count += 1;
      return Buffer.alloc(10_000);
    },
  });
  const chunks = new ListChunks(form, entriesOf(Array.from({ length: 1000 }, () => 1)));
  chunks.next();
  expect(count).toBeLessThan(40);
});
