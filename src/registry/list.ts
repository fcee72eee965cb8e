import type { GroupResource } from '../api/group-version.ts';
import { OrderedMap } from '../api/ordered-map.ts';
import { badRequest, resourceExpired } from '../api/status-errors.ts';
import { StatusError } from '../api/status.ts';
import { prefixEnd, StorageError } from '../storage/contract.ts';
import { CacheEntry } from '../watchcache/cache-entry.ts';
import type { Snapshot } from '../watchcache/snapshots.ts';
import { type ContinuePoint, decodeContinue, encodeContinue } from './continue-token.ts';
import { parseResourceVersion, readSnapshot, waitForRevision } from './read.ts';
import { type Selection, selectedName, selectorOf } from './selection.ts';
import { statusOfStorageError } from './storage-errors.ts';
import { objectKey, type StoreKind } from './store-kind.ts';

export interface ListRequest {
  readonly selection: Selection;
  readonly resource: GroupResource;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  /** 0: no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly deadlineMs: number;
}

export interface ListResult {
  readonly entries: readonly CacheEntry[];
  readonly revision: number;
  /** Empty at the end. */
  readonly continue: string;
  readonly remainingItemCount: number | undefined;
}

const sliceSize = 2000;
const listExpired = 'The resourceVersion for the provided list is too old.';
const inconsistentContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** A list as the request asks for it (specification, "Resource version semantics"). */
export async function listObjects(kind: StoreKind, request: ListRequest): Promise<ListResult> {
  const { selection } = request;
  const prefix = selection.namespace === '' ? kind.keyPrefix : `${kind.keyPrefix}${selection.namespace}/`;
  const point = request.continue === '' ? undefined : continuePoint(request, prefix);
  const snapshot = await snapshotOf(kind, request, { point, prefix });
  const name = selectedName(selection);
  if (name !== undefined && (selection.namespace !== '' || !kind.resource.namespaced)) {
    return oneEntry(kind, request, snapshot, name);
  }
  const start = point?.startKey ?? prefix;
  const { entries, last, more } = await collect(kind, request, snapshot, { start, end: prefixEnd(prefix) });
  if (!more || last === undefined)
    return { entries, revision: snapshot.revision, continue: '', remainingItemCount: undefined };
  const next = `${last}\0`;
  const unfiltered = selection.labels.length === 0 && selection.fields.length === 0;
  return {
    entries,
    revision: snapshot.revision,
    continue: encodeContinue({ startKey: next, revision: snapshot.revision }, prefix),
    remainingItemCount: unfiltered ? snapshot.entries.count(next, prefixEnd(prefix)) : undefined,
  };
}

function continuePoint(request: ListRequest, prefix: string): ContinuePoint {
  const point = decodeContinue(request.continue, prefix);
  if (request.resourceVersion !== '' && request.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  return point;
}

async function snapshotOf(
  kind: StoreKind,
  request: ListRequest,
  { point, prefix }: { readonly point: ContinuePoint | undefined; readonly prefix: string },
): Promise<Snapshot> {
  const latest = { ...request, resourceVersion: '' };
  if (point !== undefined) {
    return point.revision < 0
      ? readSnapshot(kind, latest)
      : exactSnapshot(kind, request, { revision: point.revision, point, prefix });
  }
  if (request.resourceVersion === '') return readSnapshot(kind, latest);
  const revision = parseResourceVersion(request.resourceVersion);
  const exact = request.resourceVersionMatch === 'Exact' || (request.resourceVersionMatch === '' && request.limit > 0);
  if (exact && revision > 0) return exactSnapshot(kind, request, { revision, point: undefined, prefix });
  return readSnapshot(kind, request);
}

/** The state at one revision: from the cache's snapshots, else from storage. */
async function exactSnapshot(
  kind: StoreKind,
  request: ListRequest,
  {
    revision,
    point,
    prefix,
  }: { readonly revision: number; readonly point: ContinuePoint | undefined; readonly prefix: string },
): Promise<Snapshot> {
  const cache = kind.cache();
  try {
    await cache.ready();
    await waitForRevision(kind, cache, revision, request.deadlineMs);
    const known = cache.snapshotAt(revision);
    if (known !== undefined) return known;
    const { kvs } = await kind.storage.range({ start: kind.keyPrefix, end: prefixEnd(kind.keyPrefix), revision });
    const entries = kvs.map(({ key, value, modRevision }) => new CacheEntry(key, value, modRevision));
    return { revision, entries: OrderedMap.from(entries, (entry) => entry.key) };
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'compacted')
      throw statusOfStorageError(error, request.resource, 'list');
    if (point === undefined) throw resourceExpired(listExpired);
    const { status } = resourceExpired(inconsistentContinue);
    throw new StatusError({ ...status, continue: encodeContinue({ startKey: point.startKey, revision: -1 }, prefix) });
  }
}

function oneEntry(kind: StoreKind, request: ListRequest, snapshot: Snapshot, name: string): ListResult {
  const { selection } = request;
  const entry = snapshot.entries.get(objectKey(kind, selection.namespace, name));
  const selects = selectorOf(selection, kind.cache().readAttributes);
  const entries = entry !== undefined && (selects?.(entry) ?? true) ? [entry] : [];
  return { entries, revision: snapshot.revision, continue: '', remainingItemCount: undefined };
}

/** Walks the range in slices, so that nobody's request waits behind a long list. */
async function collect(
  kind: StoreKind,
  { selection, limit, resourceVersion }: ListRequest,
  { entries: map }: Snapshot,
  range: { readonly start: string; readonly end: string },
): Promise<{ readonly entries: readonly CacheEntry[]; readonly last: string | undefined; readonly more: boolean }> {
  const selects = selectorOf(selection, kind.cache().readAttributes);
  // Lists of any version come whole: their limit is ignored.
  const wanted = limit > 0 && resourceVersion !== '0' ? limit : Number.POSITIVE_INFINITY;
  if (selects === undefined && wanted === Number.POSITIVE_INFINITY) {
    return { entries: map.slice(range.start, range.end), last: undefined, more: false };
  }
  const found: CacheEntry[] = [];
  let { start } = range;
  for (;;) {
    const slice = map.slice(
      start,
      range.end,
      Math.min(sliceSize, selects === undefined ? wanted - found.length + 1 : sliceSize),
    );
    for (const entry of slice) {
      // A full page goes on wherever there are more objects, selected or not.
      if (found.length === wanted) return { entries: found, last: found.at(-1)?.key, more: true };
      if (selects?.(entry) ?? true) found.push(entry);
    }
    const last = slice.at(-1);
    if (last === undefined) return { entries: found, last: undefined, more: false };
    start = `${last.key}\0`;
    await yieldToEventLoop();
  }
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
