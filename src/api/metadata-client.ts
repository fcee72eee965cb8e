import type { ClientResource, ObjectReference } from './client.ts';
import type { GroupVersionResource } from './group-version.ts';
import type { ObjectMeta } from './object.ts';

/** A stored object, parsed only on demand. */
export interface StoredMetadata {
  /** Whether the stored JSON contains `text` anywhere: a cheap prefilter. */
  mentions(text: string): boolean;
  /** The JSON of the first field of that name, wherever it is; undefined when there is none. */
  field(name: string): string | undefined;
  read(): ObjectMeta;
}

/** The state of an object, or its deletion. */
export interface MetadataChange {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  /** Undefined for a deletion. */
  readonly now: StoredMetadata | undefined;
  /** The previous state; undefined for new objects, in a list, or when compacted. */
  readonly before: StoredMetadata | undefined;
}

/** Receives the current state of a resource and all later changes; must not throw. */
export interface MetadataFollower {
  changes(changes: readonly MetadataChange[]): void;
  /** A list begins, delivered as changes; objects not delivered until `complete` no longer exist. */
  begins(): void;
  /** The list is complete; changes follow. */
  complete(): void;
}

/** The API restricted to object metadata. Failures are StatusErrors. */
export interface MetadataClient {
  /** One version of each served, stored resource. */
  resources(): readonly ClientResource[];
  /** The resource that serves a kind; undefined when none does. */
  resourceOf(apiVersion: string, kind: string): ClientResource | undefined;
  /** Calls back when the served resources change. */
  onResources(changed: () => void): Disposable;
  /** The latest metadata; undefined when the object does not exist. */
  get(reference: ObjectReference): Promise<ObjectMeta | undefined>;
  /** Resolves when the current state has been delivered. Disposal delivers pending changes first. */
  follow(resource: GroupVersionResource, follower: MetadataFollower): Promise<AsyncDisposable>;
}
