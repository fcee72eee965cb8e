import type { JsonObject } from '../../../api/json/json.ts';
import { encodeRaw } from '../../../api/json/json-text.ts';
import { schemaOfKind } from '../../../schema/kubernetes/definitions.ts';
import { builtInResources } from '../../../schema/kubernetes/resources.ts';
import type { Resource } from '../../../schema/resource.ts';
import type { CacheEntry } from '../../../watchcache/cache-entry.ts';
import type { Writing } from '../encoding.ts';
import type { ShownList } from '../shown-list.ts';

/** The encoding parameters of most clients. */
export const anyWriting: Writing = { pretty: false, inMessages: false, schemaOf: schemaOfKind };

export function coreResource(plural: string): Resource {
  const resource = builtInResources().find(({ group, plural: name }) => group === '' && name === plural);
  if (resource === undefined) throw new Error(`no ${plural}`);
  return resource;
}

function nobodyAsks(): never {
  throw new Error('stored objects are not read');
}

/** Stored objects unchanged. */
export function storedSource(resource: Resource, metadata: JsonObject, entries: readonly CacheEntry[]): ShownList {
  const { group, version, listKind: kind, schema } = resource;
  return {
    type: { group, version, kind },
    metadata,
    entries,
    stored: resource,
    itemSchema: schema,
    around: () => ({
      head: `{"kind":"${kind}","apiVersion":"${version}","metadata":${encodeRaw(metadata)},"items":[`,
      tail: ']}',
    }),
    item: nobodyAsks,
  };
}
