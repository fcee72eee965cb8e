import type { ClientResource, ObjectReference } from './client.ts';
import type { GroupVersionResource } from './group-version.ts';
import type { ObjectMeta } from './object.ts';

/** An object as it is stored, of which nothing is read that nobody asks for. */
export interface StoredMetadata {
  /** Whether the text of the object has this in it: cheap, and no proof of what it means there. */
  mentions(text: string): boolean;
  read(): ObjectMeta;
}

/** An object is as it says, or is gone. */
export interface MetadataChange {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  /** Undefined when it is gone. */
  readonly now: StoredMetadata | undefined;
  /** As it was; undefined when it is new, or nobody remembers. */
  readonly before: StoredMetadata | undefined;
}

/** Told of a resource from its state now on; must not throw. */
export interface MetadataFollower {
  changes(changes: readonly MetadataChange[]): void;
  /** All that is there is told anew, as changes; what is not told until the next `complete` is gone. */
  begins(): void;
  /** All that is there has been told; from now on what changes is. */
  complete(): void;
}

/** The API for those who want to know of all objects, but not what is in them. Failures are StatusErrors. */
export interface MetadataClient {
  /** One version of each resource that is served and has objects. */
  resources(): readonly ClientResource[];
  /** What a kind is served as; undefined when it is not. */
  resourceOf(apiVersion: string, kind: string): ClientResource | undefined;
  /** Told when what is served has changed. */
  onResources(changed: () => void): Disposable;
  /** The latest; undefined when there is no such object. */
  get(reference: ObjectReference): Promise<ObjectMeta | undefined>;
  /** Resolves when all that is there has been told. What has been written until it is disposed of is told still. */
  follow(resource: GroupVersionResource, follower: MetadataFollower): Promise<AsyncDisposable>;
}
