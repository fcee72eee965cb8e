import type { ClientResource, ObjectReference } from './client.ts';
import type { GroupVersionResource } from '../meta/group-version.ts';
import type { ObjectMeta } from '../meta/object.ts';

/** An object as stored; decoded only as far as requested. */
export interface StoredMetadata {
  /** Whether the object's JSON contains this string: a cheap filter that proves nothing about its meaning. */
  mentions(text: string): boolean;
  /** The JSON of these fields of the metadata, one character for each byte; undefined for those that it lacks. */
  fields(names: readonly string[]): readonly (string | undefined)[];
  /** Empty when it has none. */
  uid(): string;
  /** Without `managedFields`. */
  read(): ObjectMeta;
}

/** The state of an object, or its deletion. Objects that cannot be read are not told of. */
export interface MetadataChange extends ObjectPlace {
  readonly resourceVersion: string;
  /** Undefined if it is gone. */
  readonly now: StoredMetadata | undefined;
  /** The previous state; undefined if the object is new, or the state was not kept or cannot be read. */
  readonly before: StoredMetadata | undefined;
}

export interface ObjectPlace {
  readonly namespace: string;
  readonly name: string;
}

/** Receives the current state of a resource, then its changes; must not throw. */
export interface MetadataFollower {
  changes(changes: readonly MetadataChange[]): void;
  /** All existing objects follow as changes; those missing before the next `complete` are gone. */
  begins(): void;
  /**
   * All existing objects have been reported, but for those that cannot be read now: of these it is only known that they
   * exist. Changes follow.
   */
  complete(unreadable: readonly ObjectPlace[]): void;
}

/** The API for users interested in all objects, but not in their contents. Failures are StatusErrors. */
export interface MetadataClient {
  /** One version of each served resource that has objects, here or on another server. */
  resources(): readonly ClientResource[];
  /** The resource of a kind; undefined if it is not served. */
  resourceOf(apiVersion: string, kind: string): ClientResource | undefined;
  /** Called when the served resources change. */
  onResources(changed: () => void): Disposable;
  /** The latest state, perhaps without `managedFields`; undefined if there is no such object. Throws if unreadable. */
  get(reference: ObjectReference): Promise<ObjectMeta | undefined>;
  /**
   * Resolves when all existing objects have been reported, or the signal aborts: another server may not be there.
   * Changes written before disposal are still reported.
   */
  follow(resource: GroupVersionResource, follower: MetadataFollower, signal: AbortSignal): Promise<AsyncDisposable>;
}
