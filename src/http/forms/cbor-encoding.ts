import { randomInt } from 'node:crypto';
import { formatApiVersion } from '../../api/meta/group-version.ts';
import { encodeCborItem } from '../../codec/cbor/encode.ts';
import { cborListParts } from '../../codec/cbor/list-parts.ts';
import { writeCborWatchEvent } from '../../codec/cbor/watch-event.ts';
import { cborSequence, cborSerializer, writeCbor } from '../../codec/cbor-serializer.ts';
import { parseOwnJson } from '../../codec/json.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import { encodedList } from './encoded-list.ts';
import type { Encoding } from './encoding.ts';
import type { ListLayout } from './list-chunks.ts';
import { type ShownList, storedItem } from './shown-list.ts';

export const cborEncoding: Encoding = {
  serializer: cborSerializer,
  gate: 'CBORServingAndStorage',
  applyType: 'application/apply-patch+cbor',
  // Some forms write an empty list as null.
  list: (source) => (source.stored === undefined && source.entries.length === 0 ? undefined : cborList(source)),
  events: {
    contentType: cborSequence,
    name: cborSequence,
    isText: false,
    variants: 4,
    write: (type, document, { schemaOf }) =>
      writeCborWatchEvent(type, writeCbor(document, schemaOf), randomInt(2) === 0),
  },
};

function cborList(source: ShownList): ListLayout {
  const { type, metadata, entries } = source;
  const apiVersion = formatApiVersion(type.group, type.version);
  return encodedList({
    ...cborListParts({ apiVersion, kind: type.kind, metadata, count: entries.length }),
    encode: (entry) => encodeItem(source, entry),
  });
}

function encodeItem({ stored, itemSchema, item }: ShownList, entry: CacheEntry): Uint8Array {
  const value = stored === undefined ? item(entry) : parseOwnJson(storedItem(entry)).value;
  return encodeCborItem(itemSchema, value);
}
