import { formatApiVersion } from '../../api/group-version.ts';
import type { JsonObject } from '../../api/json.ts';
import type { Work } from '../../api/turns.ts';
import { encodeCborItem } from '../../codec/cbor/encode.ts';
import { cborListParts } from '../../codec/cbor/list-parts.ts';
import { parseJson, readJson } from '../../codec/json.ts';
import { itemBytes } from '../../codec/stored-object.ts';
import type { Resource } from '../../schema/resource.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import { encodedForm } from './encoded-form.ts';
import type { ListForm } from './list-chunks.ts';

export function cborListForm(resource: Resource, metadata: JsonObject, entries: readonly CacheEntry[]): ListForm {
  const { listKind: kind, group, version } = resource;
  const parts = cborListParts({ apiVersion: formatApiVersion(group, version), kind, metadata, count: entries.length });
  return encodedForm({
    ...parts,
    encode: (entry) => encodeItem(resource, entry),
    read: (entry) => readItem(resource, entry),
  });
}

function encodeItem({ schema }: Resource, entry: CacheEntry): Uint8Array {
  return encodeCborItem(schema, parseJson(itemBytes(entry.located(), String(entry.modRevision))).value);
}

function* readItem({ schema }: Resource, entry: CacheEntry): Work<Uint8Array> {
  const { value } = yield* readJson(itemBytes(entry.located(), String(entry.modRevision)));
  yield;
  return encodeCborItem(schema, value);
}
