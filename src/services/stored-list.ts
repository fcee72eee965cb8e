import type { KubernetesObject } from '../api/meta/object.ts';
import type { StoredCollection } from '../api/contracts/stored-objects.ts';
import { decodeAll } from '../registry/stored/stored-object.ts';
import { type KeyValue, prefixEnd } from '../storage/contract.ts';
import type { ResourceScopes } from '../scopes/resource-scopes.ts';

export interface StoredList {
  readonly objects: readonly KubernetesObject[];
  /** Where there are objects that cannot be read: `namespace/name`, or the name alone. */
  readonly unreadable: ReadonlySet<string>;
}

/** Lists a kind from the store itself, including objects not yet in the watch cache. */
export async function storedList(
  scopes: ResourceScopes,
  { group, version, plural }: StoredCollection,
): Promise<StoredList> {
  const store = scopes.now.scopeOf(group, version, plural)?.store;
  if (store === undefined) return { objects: [], unreadable: new Set() };
  const { kvs } = await store.storage.range({ start: store.keyPrefix, end: prefixEnd(store.keyPrefix) });
  const isReadable = ({ unreadable }: KeyValue): boolean => unreadable === undefined;
  const unreadable = kvs.filter((kv) => !isReadable(kv)).map(({ key }) => key.slice(store.keyPrefix.length));
  return { objects: await decodeAll(store.codec, kvs.filter(isReadable)), unreadable: new Set(unreadable) };
}
