import type { KubernetesObject } from '../meta/object.ts';
import type { Soon } from '../scheduling/soon.ts';

/** One kind of stored object, in a served version. */
export interface StoredCollection {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/**
 * Consistent reads for authentication, authorization and admission: at least as new as any write acknowledged before
 * the call. Objects are shared and must not be changed.
 */
export interface StoredObjects {
  /** Objects of one namespace if given, else all; empty when the kind is not served. */
  list(collection: StoredCollection, namespace?: string): Soon<readonly Readonly<KubernetesObject>[]>;
  /** Objects of one namespace, one after the other, for kinds with many: none is cached, and others run in between. */
  scan(collection: StoredCollection, namespace: string): AsyncIterable<Readonly<KubernetesObject>>;
  /** `namespace` is empty for cluster-scoped kinds. */
  get(
    collection: StoredCollection,
    name: { readonly namespace: string; readonly name: string },
  ): Soon<Readonly<KubernetesObject> | undefined>;
}
