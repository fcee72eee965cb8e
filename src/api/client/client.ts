import type { GroupVersionResource } from '../meta/group-version.ts';
import type { JsonObject } from '../json/json.ts';
import type { KubernetesObject } from '../meta/object.ts';
import type { Soon } from '../scheduling/soon.ts';

/** A resource as controllers see it. */
export interface ClientResource extends GroupVersionResource {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Takes no strategic merge patches, like all custom resources; absent: it takes them, or that is not known. */
  readonly isUnstructured?: boolean;
}

/** A collection of objects; `namespace` is empty for all namespaces and for cluster-scoped resources. */
export interface Collection extends GroupVersionResource {
  readonly namespace: string;
}

export interface ObjectReference extends Collection {
  readonly name: string;
}

export interface ObjectList {
  readonly items: readonly KubernetesObject[];
  readonly resourceVersion: string;
}

export interface ClientWatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubernetesObject;
}

export interface ClientWatchOptions {
  /** Changes after this resource version. */
  readonly resourceVersion: string;
  /** Stops the watch. */
  readonly signal: AbortSignal;
  /** Whether a state is worth being read; absent: all are. Deletions are reported in any case. */
  readonly wants?: ((name: string, resourceVersion: string) => Soon<boolean>) | undefined;
}

export interface ClientApplyOptions {
  /** Field manager of the apply; it forces conflicts. */
  readonly manager: string;
  /** Empty for the main resource. */
  readonly subresource: string;
}

export interface ClientPatchOptions {
  /** Field manager of the patch. */
  readonly manager: string;
}

export interface ClientDeleteOptions {
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Resources of other servers, each in one version. */
export interface RemoteResources {
  readonly resources: readonly ClientResource[];
  /** Versions (`example.com/v1`) of which is not known what they have. */
  readonly unknown: readonly string[];
}

/** The API as controllers see it. Returned objects belong to the caller; failures are StatusErrors. */
export interface Client {
  /** One version of each served resource that has objects, in discovery order. */
  resources(): readonly ClientResource[];
  /** Their objects can be listed, watched, patched and deleted; only the metadata of results is there. */
  remoteResources(): RemoteResources;
  get(reference: ObjectReference): Promise<KubernetesObject>;
  /** The latest state. */
  list(collection: Collection): Promise<ObjectList>;
  /** Ends when the signal aborts or the server cannot continue; the caller then lists again. */
  watch(collection: Collection, options: ClientWatchOptions): AsyncIterable<ClientWatchEvent>;
  /** Creates the object in the namespace of its metadata. */
  create(resource: GroupVersionResource, object: KubernetesObject): Promise<KubernetesObject>;
  /** Updates an object or one of its subresources. Fails with Conflict when the object has changed. */
  update(resource: GroupVersionResource, object: KubernetesObject, subresource?: string): Promise<KubernetesObject>;
  /** Updates like `update`, but returns the new resource version alone. */
  write(resource: GroupVersionResource, object: KubernetesObject, subresource?: string): Promise<string>;
  /** Applies a configuration (server-side apply); returns the object. */
  apply(reference: ObjectReference, configuration: JsonObject, options: ClientApplyOptions): Promise<KubernetesObject>;
  /** Changes an object by a merge patch; returns the object. */
  patch(reference: ObjectReference, patch: JsonObject, options: ClientPatchOptions): Promise<KubernetesObject>;
  delete(reference: ObjectReference, options?: ClientDeleteOptions): Promise<void>;
  /** Deletes all objects of a collection; returns how many there were. */
  deleteCollection(collection: Collection, options?: ClientDeleteOptions): Promise<number>;
}

/** The part of a client that informers need. */
export type ReadingClient = Pick<Client, 'resources' | 'list' | 'watch'>;

/** An object that is decoded when it is read. */
export interface UnreadObject {
  readonly metadata: { readonly namespace: string; readonly name: string; readonly uid: string };
  read(): Soon<KubernetesObject>;
}

/** What informers need of a client, for objects of any form. */
export interface Lister<Item> {
  list(collection: Collection): Promise<{ readonly items: readonly Item[]; readonly resourceVersion: string }>;
  watch(
    collection: Collection,
    options: ClientWatchOptions,
  ): AsyncIterable<{ readonly type: ClientWatchEvent['type']; readonly object: Item }>;
}

/** Reads for all controllers. */
export interface SharedClient extends ReadingClient {
  /** For those that need few of the objects that they follow. */
  readonly unread: Lister<UnreadObject>;
  /** Objects whose JSON does not contain this text are absent, and not decoded. */
  mentioning(text: string): Lister<KubernetesObject>;
}
