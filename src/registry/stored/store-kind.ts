import { cloneData } from '../../api/json/json.ts';
import { msUntil } from '../../api/time/deadline.ts';
import { childPath } from '../../api/errors/field-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { GroupResource, GroupVersionResource } from '../../api/meta/group-version.ts';
import { nameRules } from '../../api/meta/names.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Clock } from '../../api/time/clock.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { badRequest, timeout } from '../../api/errors/status-errors.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Storage } from '../../storage/contract.ts';
import type { Renewal } from '../../watchcache/cache-entry.ts';
import type { WatchCache } from '../../watchcache/watch-cache.ts';
import type { ListCost } from './list-cost.ts';
import { type DecodedFor, type StoredCodec, type StoredObject } from './stored-object.ts';
import type { CompleteStrategy } from '../kinds/complete-strategy.ts';
import type { Refusals, WriteContext } from '../kinds/strategy.ts';
import type { WatchUse } from './watch-use.ts';

/** Where the objects of one kind are: all that is needed to read what is stored, without what its rules need. */
export interface StoreLocation {
  /** The record of the version in which objects are seen here: the storage version, if not said otherwise. */
  readonly resource: Resource;
  /** `/registry/pods/` */
  readonly keyPrefix: string;
  readonly storage: Storage;
  /**
   * Writes start from the state in the watch cache if there is one: the store is elsewhere, or would have to decrypt.
   * Absent: from the store.
   */
  readonly startsFromMemory?: boolean;
  /** Errors name the keys of values that cannot be read (gate AllowUnsafeMalformedObjectDeletion). */
  readonly namesUnreadable: boolean;
}

/** The store of one kind, shared by all its versions; or, above one place and watch cache, of one version. */
export interface StoreKind extends StoreLocation {
  readonly strategy: CompleteStrategy;
  readonly codec: StoredCodec;
  /** Makes an object of any version one of this version, of kinds whose objects are stored in several. */
  readonly inStoredVersion?: ((object: KubernetesObject) => Soon<KubernetesObject>) | undefined;
  /** Seconds after its last write at which an object expires (events); undefined: never. */
  readonly ttlSeconds: number | undefined;
  readonly clock: Clock;
  /** For kinds whose stored objects may predate a change of the kind. */
  readonly renew?: Renewal | undefined;
  /** Deletions leave finalizers for the garbage collector; absent: they do. */
  readonly collectsGarbage?: boolean;
  /** Lists at version 0 are paged like others, as in the reference for kinds without a watch cache. */
  readonly pagesAnyVersion: boolean;
  /** Counts every list that has been answered. */
  readonly listed: (cost: ListCost) => void;
  /** Counts the watches of a version. */
  readonly watches: (resource: GroupVersionResource) => WatchUse;
  /** The watch cache, opened on first use. */
  cache(): WatchCache;
  /** The watch cache if it has been opened. */
  openedCache?(): WatchCache | undefined;
}

/** The request context of a write. */
export interface WriteScope {
  /** As named in the request and in errors. */
  readonly resource: GroupResource;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly dryRun: boolean;
  readonly context: WriteContext;
  /** Refusals of the user's permission to write the object; absent: there are none. */
  readonly refusals?: Refusals;
  /** When the call times out, in milliseconds of the monotonic clock. */
  readonly deadlineMs: number;
  /** Rejects with `PassedOn` if another thread takes the write because the stored object is so large. */
  ifLarge?(sizeBytes: number): Promise<void>;
  /** Adds a Warning header. */
  warn(text: string): void;
}

/** An object that is to be written or deleted: in the stored version. */
export function readForWrite(
  { codec, inStoredVersion }: Pick<StoreKind, 'codec' | 'inStoredVersion'>,
  stored: StoredObject,
  purpose?: DecodedFor,
): Soon<KubernetesObject> {
  const object = codec.decode(stored, purpose);
  return inStoredVersion === undefined ? object : inStoredVersion(object);
}

/** Ends a write that other writers have kept from succeeding for too long. */
export function checkDeadline({ deadlineMs }: WriteScope): void {
  if (msUntil(deadlineMs) < 0) {
    throw timeout('request did not complete within requested timeout - context deadline exceeded');
  }
}

/** `/registry/pods/default/web` */
export function objectKey(kind: Omit<StoreLocation, 'storage'>, namespace: string, name: string): string {
  return kind.resource.namespaced ? `${kind.keyPrefix}${namespace}/${name}` : `${kind.keyPrefix}${name}`;
}

/** What all keys of a namespace begin with; those of all namespaces if it is empty. */
export function keyPrefixOf({ keyPrefix }: Pick<StoreLocation, 'keyPrefix'>, namespace: string): string {
  return namespace === '' ? keyPrefix : `${keyPrefix}${namespace}/`;
}

/** The key of an object that a request names. Throws a StatusError (400) for names that are no part of a path. */
export function namedKey(kind: Omit<StoreLocation, 'storage'>, namespace: string, name: string): string {
  if (name === '') throw badRequest('Name parameter required.');
  if (name === '.' || name === '..' || name.includes('/') || name.includes('%')) {
    throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${nameRules.pathSegment(name, false).join(';')}`);
  }
  return objectKey(kind, namespace, name);
}

/**
 * Restores everything but `metadata` and `status`: fields that a status update must not change. They are those of `old`
 * itself, so neither they nor their text are made again.
 */
export function keepAllButStatus(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  for (const field of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (field === 'status' || field === 'metadata') continue;
    const value = old[field];
    if (value === undefined) delete object[field];
    else object[field] = value;
  }
}

/** Restores `status`, which an update of the main resource must not change. */
export function keepStatus(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  if (old['status'] === undefined) delete object['status'];
  else object['status'] = cloneData(old['status']);
}

/** `metadata.name` and so on. */
export function metadataPath(field: string): string {
  return childPath('metadata', field);
}
