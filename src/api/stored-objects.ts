import type { KubernetesObject } from './object.ts';

/** One kind of stored object, in a version that is served. */
export interface StoredCollection {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** What those may read who judge requests: nothing older than any write acknowledged before the call. Objects are shared: nobody may change them. */
export interface StoredObjects {
  /** Those of one namespace when it is given, else all; none when the kind is not served. */
  list(collection: StoredCollection, namespace?: string): Promise<readonly Readonly<KubernetesObject>[]>;
  /** Those of one namespace, of a kind of which there may be many: nothing is kept for the next caller. */
  scan(collection: StoredCollection, namespace: string): Promise<readonly Readonly<KubernetesObject>[]>;
  /** `namespace` is empty for kinds that live in none. */
  get(
    collection: StoredCollection,
    name: { readonly namespace: string; readonly name: string },
  ): Promise<Readonly<KubernetesObject> | undefined>;
}
