import { expect, test } from 'vitest';
import { decodeCborMap } from '../../codec/cbor-serializer.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { encodeCbor } from '../../codec/cbor/encode.ts';
import { schemaOfKind } from '../../schema/kubernetes/definitions.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { cborEncoding } from './cbor-encoding.ts';
import { ListChunks, type ListLayout } from './list-chunks.ts';
import { anyWriting, coreResource, storedSource } from './testdata/sources.ts';

const secrets = coreResource('secrets');
const metadata = { resourceVersion: '9', remainingItemCount: 3, continue: 'token' };

function entry(name: string, dataBytes: number, modRevision: number): CacheEntry {
  const data = { a: Buffer.alloc(dataBytes).toString('base64') };
  const object = { kind: 'Secret', apiVersion: 'v1', metadata: { name }, data };
  return new CacheEntry(`/registry/secrets/default/${name}`, Buffer.from(JSON.stringify(object)), modRevision);
}

async function cborLayout(entries: readonly CacheEntry[]): Promise<ListLayout> {
  const layout = await cborEncoding.list?.(storedSource(secrets, metadata, entries), anyWriting);
  if (layout === undefined) throw new Error('lists are sent item by item');
  return layout;
}

test.each([
  ['nothing', []],
  ['one item', [10]],
  ['several chunks', Array.from({ length: 300 }, () => 4000)],
  ['an item larger than a chunk', [10, 900_000, 10, 10]],
])('chunks joined are the list, byte for byte: %s', async (_, sizes) => {
  const entries = sizes.map((bytes, index) => entry(`s${index}`, bytes, index + 7));
  const chunks = new ListChunks(await cborLayout(entries), entries);
  const copies: Buffer[] = [];
  do copies.push(Buffer.from(chunks.next()));
  while (!chunks.finished);
  const written = Buffer.concat(copies);
  const items = sizes.map((bytes, index) => ({
    metadata: { name: `s${index}`, resourceVersion: String(index + 7) },
    data: { a: Buffer.alloc(bytes).toString('base64') },
  }));
  const list = { kind: 'SecretList', apiVersion: 'v1', metadata, items };
  expect(decodeCborMap(written)).toEqual(list);
  const schema = schemaOfKind({ group: '', version: 'v1', kind: 'SecretList' });
  expect(written.equals(encodeCbor(schema, list))).toBe(true);
});

test('derived items are encoded like stored ones', async () => {
  const entries = [entry('a', 10, 3), entry('b', 20, 4)];
  const item = ({ value }: CacheEntry): JsonObject => JSON.parse(Buffer.from(value).toString()) as JsonObject;
  const source = { ...storedSource(secrets, metadata, entries), stored: undefined, item };
  const layout = await cborEncoding.list?.(source, anyWriting);
  if (layout === undefined) throw new Error('lists are sent item by item');
  const list = { kind: 'SecretList', apiVersion: 'v1', metadata, items: entries.map(item) };
  const schema = schemaOfKind({ group: '', version: 'v1', kind: 'SecretList' });
  expect(Buffer.from(new ListChunks(layout, entries).next()).equals(encodeCbor(schema, list))).toBe(true);
});
