import type { GroupVersionResource } from './group-version.ts';
import type { JsonObject } from './json.ts';
import type { KubernetesObject } from './object.ts';

/** A resource as controllers find it. */
export interface ClientResource extends GroupVersionResource {
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** A collection of objects; `namespace` is empty for all namespaces, and for resources that live in none. */
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
  /** Changes after this version. */
  readonly resourceVersion: string;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

export interface ClientApplyOptions {
  /** Who owns what is applied; what others own is taken over. */
  readonly manager: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

export interface ClientDeleteOptions {
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** All that a controller sees of the API. Objects that are answered are the caller's own; failures are StatusErrors. */
export interface Client {
  /** One version of each resource that is served and has objects, in discovery's order. */
  resources(): readonly ClientResource[];
  get(reference: ObjectReference): Promise<KubernetesObject>;
  /** The latest state. */
  list(collection: Collection): Promise<ObjectList>;
  /** Ends when the signal says so, or when the server cannot go on; then the caller lists again. */
  watch(collection: Collection, options: ClientWatchOptions): AsyncIterable<ClientWatchEvent>;
  /** In the namespace that its metadata name. */
  create(resource: GroupVersionResource, object: KubernetesObject): Promise<KubernetesObject>;
  /** Writes an object, or one of its subresources. Refused with a Conflict when the object has changed since. */
  update(resource: GroupVersionResource, object: KubernetesObject, subresource?: string): Promise<KubernetesObject>;
  /** Applies a configuration (server-side apply); answers the object. */
  apply(reference: ObjectReference, configuration: JsonObject, options: ClientApplyOptions): Promise<KubernetesObject>;
  delete(reference: ObjectReference, options?: ClientDeleteOptions): Promise<void>;
}
