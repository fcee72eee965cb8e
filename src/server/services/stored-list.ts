import type { KubernetesObject } from '../../api/object.ts';
import type { StoredCollection } from '../../api/stored-objects.ts';
import { decodeAll } from '../../registry/stored-object.ts';
import { prefixEnd } from '../../storage/contract.ts';
import type { ResourceScopes } from '../resource-scopes.ts';

/** Lists a kind from the store itself, including objects not yet in the watch cache. Unreadable objects are omitted. */
export async function storedList(
  scopes: ResourceScopes,
  { group, version, plural }: StoredCollection,
): Promise<readonly KubernetesObject[]> {
  const store = scopes.now.scopeOf(group, version, plural)?.store;
  if (store === undefined) return [];
  const { kvs } = await store.storage.range({ start: store.keyPrefix, end: prefixEnd(store.keyPrefix) });
  return decodeAll(
    store.codec,
    kvs.filter(({ unreadable }) => unreadable === undefined),
  );
}
