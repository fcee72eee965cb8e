import { formatApiVersion } from '../api/group-version.ts';
import type { JsonObject } from '../api/json.ts';
import { encodeCborItem } from '../codec/cbor/encode.ts';
import { cborListParts } from '../codec/cbor/list-parts.ts';
import { parseJson } from '../codec/json.ts';
import { itemBytes } from '../codec/stored-object.ts';
import type { Resource } from '../schema/resource.ts';
import type { CacheEntry } from '../watchcache/cache-entry.ts';
import type { ListForm } from './list-chunks.ts';

/** Items are encoded when their size is asked for, and forgotten when they have been copied: a list holds no more of them than a chunk. */
export function cborListForm(resource: Resource, metadata: JsonObject, entries: readonly CacheEntry[]): ListForm {
  const { listKind: kind, group, version } = resource;
  const parts = cborListParts({ apiVersion: formatApiVersion(group, version), kind, metadata, count: entries.length });
  const waiting = new Map<CacheEntry, Uint8Array>();
  const encoded = (entry: CacheEntry): Uint8Array => {
    let item = waiting.get(entry);
    if (item === undefined) {
      item = encodeItem(resource, entry);
      waiting.set(entry, item);
    }
    return item;
  };
  return {
    ...parts,
    size: (entry) => encoded(entry).length,
    copy(entry, _isFirst, { target, position }) {
      const item = encoded(entry);
      waiting.delete(entry);
      target.set(item, position);
      return position + item.length;
    },
  };
}

function encodeItem({ schema }: Resource, entry: CacheEntry): Uint8Array {
  return encodeCborItem(schema, parseJson(itemBytes(entry.located(), String(entry.modRevision))).value);
}
