import { expect, test } from 'vitest';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { ListChunks } from './list-chunks.ts';
import { jsonEncoding } from './json-encoding.ts';
import { anyWriting, coreResource, storedSource } from './testdata/sources.ts';

const configMaps = coreResource('configmaps');
const made = await jsonEncoding.list?.(storedSource(configMaps, { resourceVersion: '9' }, []), anyWriting);
if (made === undefined) throw new Error('lists are sent item by item');
const layout = made;

function entry(name: string, dataBytes: number, modRevision: number): CacheEntry {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { a: 'x'.repeat(dataBytes) } };
  return new CacheEntry(`/registry/configmaps/default/${name}`, Buffer.from(JSON.stringify(object)), modRevision);
}

function collect(entries: readonly CacheEntry[]): { text: string; sizes: number[] } {
  const chunks = new ListChunks(layout, entries);
  const copies: Buffer[] = [];
  do copies.push(Buffer.from(chunks.next()));
  while (!chunks.finished);
  return { text: Buffer.concat(copies).toString(), sizes: copies.map((copy) => copy.length) };
}

test.each([
  ['nothing', []],
  ['one item', [10]],
  ['a small list', [10, 20, 30]],
  ['several chunks', Array.from({ length: 300 }, () => 4000)],
  ['an item larger than a chunk', [10, 900_000, 10, 10]],
  ['large items alone', [600_000, 700_000, 900_000]],
  ['the end beyond a full chunk', [256 * 1024 - 120, 1]],
])('chunks joined are the list: %s', (_, sizes) => {
  const entries = sizes.map((bytes, index) => entry(`c${index}`, bytes, index + 7));
  const { text } = collect(entries);
  const { items } = JSON.parse(text) as { items: { metadata: object; data: { a: string } }[] };
  expect(items.map(({ metadata, data }) => [metadata, data.a.length])).toEqual(
    sizes.map((bytes, index) => [{ name: `c${index}`, resourceVersion: String(index + 7) }, bytes]),
  );
});

test('chunks are large, and small lists are a single one', () => {
  const { sizes } = collect(Array.from({ length: 1000 }, (_, index) => entry(`c${index}`, 4000, 5)));
  expect(sizes.length).toBeLessThan(20);
  expect(Math.max(...sizes)).toBeLessThan(270 * 1024);
  expect(collect([entry('a', 10, 5)]).sizes).toHaveLength(1);
});

test('a small chunk before a large item is not overwritten', () => {
  const chunks = new ListChunks(layout, [entry('a', 10_000, 5), entry('b', 256 * 1024 - 1000, 6)]);
  const first = chunks.next();
  const before = first.toString();
  chunks.next();
  expect(first.toString()).toBe(before);
});

test('the buffer of a list that has been sent is used for another, once', () => {
  const entries = Array.from({ length: 100 }, (_, index) => entry(`c${index}`, 4000, 5));
  const sent = new ListChunks(layout, entries);
  const buffer = sent.next().buffer;
  const unsent = new ListChunks(layout, entries);
  expect(unsent.next().buffer).not.toBe(buffer);
  while (!sent.finished) sent.next();
  sent.release();
  sent.release();
  expect(new ListChunks(layout, entries).next().buffer).toBe(buffer);
  expect(new ListChunks(layout, entries).next().buffer).not.toBe(buffer);
});

test('a small chunk at the end outlives the release of its list', () => {
  const entries = [entry('a', 200_000, 5), entry('b', 60_000, 6)];
  const sent = new ListChunks(layout, entries);
  sent.next();
  const last = sent.next();
  const before = last.toString();
  expect(sent.finished).toBe(true);
  sent.release();
  new ListChunks(layout, entries).next();
  expect(last.toString()).toBe(before);
});
