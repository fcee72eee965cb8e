import { cloneData } from '../api/json.ts';
import { childPath } from '../api/field-error.ts';
import type { GroupResource } from '../api/group-version.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { Clock } from '../api/clock.ts';
import type { Soon } from '../api/soon.ts';
import { timeout } from '../api/status-errors.ts';
import type { Resource } from '../schema/resource.ts';
import type { Storage } from '../storage/contract.ts';
import type { Renewal } from '../watchcache/cache-entry.ts';
import type { WatchCache } from '../watchcache/watch-cache.ts';
import { decodeInTurns, type StoredCodec, type StoredObject } from './stored-object.ts';
import type { Strategy, WriteContext } from './strategy.ts';

/** What the store of one kind works with. All versions of a kind share one. */
export interface StoreKind {
  /** The record of the version that objects are stored in. */
  readonly resource: Resource;
  readonly strategy: Strategy;
  readonly codec: StoredCodec;
  /** Makes what has been read an object of the stored version, of kinds whose objects are stored in several. */
  readonly inStoredVersion?: ((object: KubernetesObject) => Promise<KubernetesObject>) | undefined;
  /** `/registry/pods/` */
  readonly keyPrefix: string;
  /** Seconds after its last write that an object of this kind vanishes by itself; undefined: never. */
  readonly ttlSeconds: number | undefined;
  readonly storage: Storage;
  readonly clock: Clock;
  /** Of kinds whose stored objects may have been written when they were others. */
  readonly renew?: Renewal | undefined;
  /** Lists of any version come in pages as others do: what the reference does where it has no watch cache. */
  readonly pagesAnyVersion: boolean;
  /** The watch cache, opened at first use. */
  cache(): WatchCache;
}

/** What a write knows of its request. */
export interface WriteScope {
  /** As the request names it: errors speak of it. */
  readonly resource: GroupResource;
  /** Empty for kinds that live in no namespace. */
  readonly namespace: string;
  readonly dryRun: boolean;
  readonly context: WriteContext;
  /** Milliseconds since the epoch. */
  readonly deadlineMs: number;
  /** Adds the text of a Warning header. */
  warn(text: string): void;
}

/** An object that is to be written: in the stored version. */
export function readForWrite(
  { codec, inStoredVersion }: Pick<StoreKind, 'codec' | 'inStoredVersion'>,
  stored: StoredObject,
): Soon<KubernetesObject> {
  const object = decodeInTurns(codec, stored);
  if (inStoredVersion === undefined) return object;
  return object instanceof Promise ? object.then(inStoredVersion) : inStoredVersion(object);
}

/** Ends a write that other writers have kept from succeeding for too long. */
export function checkDeadline(kind: StoreKind, { deadlineMs }: WriteScope): void {
  if (kind.clock.now() > deadlineMs) {
    throw timeout('request did not complete within requested timeout - context deadline exceeded');
  }
}

/** `/registry/pods/default/web` */
export function objectKey(kind: StoreKind, namespace: string, name: string): string {
  return kind.resource.namespaced ? `${kind.keyPrefix}${namespace}/${name}` : `${kind.keyPrefix}${name}`;
}

/** Whether writes of the object, in a version of it, leave its status to a subresource. */
export function setsStatusApart({ resource, strategy }: StoreKind, version: string): boolean {
  if (strategy.setsStatusApart !== undefined) return strategy.setsStatusApart(version);
  return resource.subresources.some(({ name }) => name === 'status');
}

/** Keeps what stands beside `metadata` and `status` as it was: what a status update may not touch. */
export function keepAllButStatus(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  for (const field of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (field === 'status' || field === 'metadata') continue;
    const value = old[field];
    if (value === undefined) delete object[field];
    else object[field] = cloneData(value);
  }
}

/** Keeps `status` as it was: what an update of the main resource may not touch. */
export function keepStatus(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  if (old['status'] === undefined) delete object['status'];
  else object['status'] = cloneData(old['status']);
}

/** `metadata.name` and its like. */
export function metadataPath(field: string): string {
  return childPath('metadata', field);
}
