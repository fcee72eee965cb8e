import { deadlineIn } from '../../api/time/deadline.ts';
import type { Int64 } from '../../api/values/int64.ts';
import type { GroupResource } from '../../api/meta/group-version.ts';
import { inSpan } from '../../api/contracts/span.ts';
import { notFound, tooLargeResourceVersion } from '../../api/errors/status-errors.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import type { CacheSnapshot } from '../../watchcache/snapshots.ts';
import type { WatchCache } from '../../watchcache/watch-cache.ts';
import { parseResourceVersion } from './resource-version.ts';
import { statusOfStorageError } from '../stored/storage-errors.ts';
import { namedKey, type StoreKind } from '../stored/store-kind.ts';
import { cacheSpan, storeSpan, tellRead } from '../stored/traced-store.ts';
import { readable } from '../stored/unreadable.ts';

export interface ReadRequest {
  readonly namespace: string;
  readonly name: string;
  readonly resource: GroupResource;
  /** Empty: the latest; `0`: any; else not older than this. */
  readonly resourceVersion: string;
  readonly deadlineMs: number;
}

/** How recent a state must be: the latest, or not older than a revision (0: any). */
export type Freshness = 'latest' | Int64;

/** How long a read waits for a version that the server has not reached yet. */
const freshnessWaitMs = 3000;

/** Reads one object. */
export function readObject(kind: StoreKind, request: ReadRequest): Promise<CacheEntry> {
  const key = namedKey(kind, request.namespace, request.name);
  const { resourceVersion } = request;
  const span = resourceVersion === '' ? storeSpan('Get', kind, key) : cacheSpan('Get', kind, { key, resourceVersion });
  return span === undefined ? readKey(kind, key, request) : inSpan(span, () => readKey(kind, key, request));
}

async function readKey(kind: StoreKind, key: string, request: ReadRequest): Promise<CacheEntry> {
  const { resourceVersion } = request;
  const freshness = resourceVersion === '' ? 'latest' : parseResourceVersion(resourceVersion);
  if (freshness !== 'latest' && freshness > 0 && isImpatient(kind)) await refuseFuture(kind, request, freshness);
  const snapshot = await readSnapshot(kind, freshness, request);
  const entry = snapshot.entries.get(key);
  tellRead(freshness === 'latest' ? 'store' : 'cache', entry);
  if (entry !== undefined) return entry;
  const unreadable = snapshot.unreadable?.get(key);
  if (unreadable === undefined) throw notFound(request.resource, request.name);
  return await readAgain(kind, key, request);
}

/** What could not be read when memory was filled may be readable by now: keys may be known again. */
async function readAgain(
  kind: StoreKind,
  key: string,
  { resource, name, deadlineMs }: ReadRequest,
): Promise<CacheEntry> {
  const { kv } = await kind.storage.get(key, { deadlineMs }).catch((error: unknown) => {
    throw statusOfStorageError(error, resource, 'get');
  });
  if (kv === undefined) throw notFound(resource, name);
  return new CacheEntry(key, readable(kind, kv).value, kv.modRevision, kind.renew);
}

/** Reads a state of the resource that is recent enough. */
export async function readSnapshot(
  kind: StoreKind,
  freshness: Freshness,
  { resource, deadlineMs }: Pick<ReadRequest, 'resource' | 'deadlineMs'>,
): Promise<CacheSnapshot> {
  const cache = kind.cache();
  const writing = freshness === 'latest' ? kind.strategy.beforeRead?.() : undefined;
  if (writing !== undefined) await writing;
  try {
    if (freshness === 'latest') return await cache.current(deadlineMs);
    await cache.ready(deadlineMs);
    cache.takeIn();
    if (freshness > 0) await waitForRevision(cache, freshness, deadlineMs);
    return cache.snapshot();
  } catch (error) {
    throw statusOfStorageError(error, resource, 'get');
  }
}

/** The reference has no cache of events, and its storage does not wait for versions. */
export function isImpatient({ resource: { group, plural } }: StoreKind): boolean {
  return plural === 'events' && (group === '' || group === 'events.k8s.io');
}

/** 504 if the version has not been reached; clients are not told when to come again. */
export async function refuseFuture(
  kind: StoreKind,
  request: Pick<ReadRequest, 'resource' | 'deadlineMs'>,
  revision: Int64,
): Promise<void> {
  const { revision: current } = await readSnapshot(kind, 'latest', request);
  if (revision > current) throw tooLargeResourceVersion(revision, current, 0);
}

/** Waits briefly for a future version; 504 if it is not reached. */
export async function waitForRevision(cache: WatchCache, revision: Int64, deadlineMs: number): Promise<void> {
  const untilMs = Math.min(deadlineMs, deadlineIn(freshnessWaitMs));
  if (await cache.waitFor(Number(revision), untilMs)) return;
  throw tooLargeResourceVersion(revision, cache.snapshot().revision);
}
