import type { GroupResource } from '../api/group-version.ts';
import { goQuote } from '../api/go-quote.ts';
import { badRequest, notFound, tooLargeResourceVersion } from '../api/status-errors.ts';
import type { CacheEntry } from '../watchcache/cache-entry.ts';
import type { Snapshot } from '../watchcache/snapshots.ts';
import type { WatchCache } from '../watchcache/watch-cache.ts';
import { statusOfStorageError } from './storage-errors.ts';
import { objectKey, type StoreKind } from './store-kind.ts';

export interface ReadRequest {
  readonly namespace: string;
  readonly name: string;
  readonly resource: GroupResource;
  /** Empty: the latest; `0`: any; else not older than this. */
  readonly resourceVersion: string;
  readonly deadlineMs: number;
}

/** How long a read waits for a version that the server has not seen yet. */
const freshnessWaitMs = 3000;

/** One object. */
export async function readObject(kind: StoreKind, request: ReadRequest): Promise<CacheEntry> {
  const snapshot = await readSnapshot(kind, request);
  const entry = snapshot.entries.get(objectKey(kind, request.namespace, request.name));
  if (entry === undefined) throw notFound(request.resource, request.name);
  return entry;
}

/** A state of the resource that is as new as asked for. */
export async function readSnapshot(
  kind: StoreKind,
  { resourceVersion, resource, deadlineMs }: Pick<ReadRequest, 'resourceVersion' | 'resource' | 'deadlineMs'>,
): Promise<Snapshot> {
  const cache = kind.cache();
  try {
    if (resourceVersion === '') return await cache.current(deadlineMs);
    const revision = parseResourceVersion(resourceVersion);
    await cache.ready();
    if (revision > 0) await waitForRevision(kind, cache, revision, deadlineMs);
    return cache.snapshot();
  } catch (error) {
    throw statusOfStorageError(error, resource, 'get');
  }
}

/** Waits a little for a version from the future; 504 when it does not come. */
export async function waitForRevision(
  kind: StoreKind,
  cache: WatchCache,
  revision: number,
  deadlineMs: number,
): Promise<void> {
  const untilMs = Math.min(deadlineMs, kind.clock.now() + freshnessWaitMs);
  if (await cache.waitFor(revision, untilMs)) return;
  throw tooLargeResourceVersion(revision, cache.snapshot().revision);
}

const maxUint64 = 2n ** 64n - 1n;

/** A resource version as a revision; what is none is refused with the reference's words. */
export function parseResourceVersion(text: string): number {
  const why = !/^\d+$/.test(text) ? 'invalid syntax' : BigInt(text) > maxUint64 ? 'value out of range' : undefined;
  if (why !== undefined) {
    const quoted = goQuote(text);
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${why}`,
    );
  }
  return Number(text);
}
