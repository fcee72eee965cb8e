import type { KubernetesObject } from '../api/object.ts';
import { prefixEnd } from '../storage/contract.ts';
import type { ResourceScopes } from './resource-scopes.ts';

/** One kind of stored object. */
export interface StoredCollection {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** All objects of a kind as they are stored; none when the kind is not served. */
export async function storedObjects(
  scopes: ResourceScopes,
  { group, version, plural }: StoredCollection,
): Promise<readonly KubernetesObject[]> {
  const store = scopes.scopeOf(group, version, plural)?.store;
  if (store === undefined) return [];
  const { kvs } = await store.storage.range({ start: store.keyPrefix, end: prefixEnd(store.keyPrefix) });
  return kvs.map((kv) => store.codec.decode(kv));
}

/** A stored object without a namespace. */
export async function storedObject(
  scopes: ResourceScopes,
  { group, version, plural }: StoredCollection,
  name: string,
): Promise<KubernetesObject | undefined> {
  const store = scopes.scopeOf(group, version, plural)?.store;
  if (store === undefined) return undefined;
  const { kv } = await store.storage.get(`${store.keyPrefix}${name}`);
  return kv === undefined ? undefined : store.codec.decode(kv);
}
