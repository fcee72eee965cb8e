import { expect, test } from 'vitest';
import { decodeCborMap } from '../../codec/cbor-serializer.ts';
import { encodeCbor } from '../../codec/cbor/encode.ts';
import { schemaOfKind } from '../../schema/kubernetes/definitions.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { cborListForm } from './cbor-list.ts';
import { ListChunks } from './list-chunks.ts';

const resource = builtInResources().find(({ group, plural }) => group === '' && plural === 'secrets');
if (resource === undefined) throw new Error('no secrets');
const metadata = { resourceVersion: '9', remainingItemCount: 3, continue: 'token' };

function entry(name: string, dataBytes: number, modRevision: number): CacheEntry {
  const data = { a: Buffer.alloc(dataBytes).toString('base64') };
  const object = { kind: 'Secret', apiVersion: 'v1', metadata: { name }, data };
  return new CacheEntry(`/registry/secrets/default/${name}`, Buffer.from(JSON.stringify(object)), modRevision);
}

test.each([
  ['nothing', []],
  ['one item', [10]],
  ['several chunks', Array.from({ length: 300 }, () => 4000)],
  ['an item larger than a chunk', [10, 900_000, 10, 10]],
])('chunks joined are the list, byte for byte: %s', (_, sizes) => {
  const entries = sizes.map((bytes, index) => entry(`s${index}`, bytes, index + 7));
  const chunks = new ListChunks(cborListForm(resource, metadata, entries), entries);
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
