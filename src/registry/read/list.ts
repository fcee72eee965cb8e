import { secondsSince } from '../../api/time/seconds-since.ts';
import type { GroupResource } from '../../api/meta/group-version.ts';
import type { Int64 } from '../../api/values/int64.ts';
import { badRequest, resourceExpired } from '../../api/errors/status-errors.ts';
import { inSpan } from '../../api/contracts/span.ts';
import { StatusError } from '../../api/errors/status.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import { prefixEnd, StorageError } from '../../storage/contract.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import { type ContinuePoint, decodeContinue, encodeContinue } from './continue-token.ts';
import { countedSource, type ListSource, snapshotSource, storageSource } from './list-source.ts';
import { type Freshness, isImpatient, readSnapshot, refuseFuture, waitForRevision } from './read.ts';
import { parseListVersion } from './resource-version.ts';
import { type Selection, selectedName, selectorOf, selectsAll } from './selection.ts';
import { statusOfStorageError } from '../stored/storage-errors.ts';
import { objectKey, type StoreKind, keyPrefixOf } from '../stored/store-kind.ts';
import { cacheSpan, tellFresh, tellListed } from '../stored/traced-store.ts';
import { unreadableList } from '../stored/unreadable.ts';

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
  /** Empty on the last page. */
  readonly continue: string;
  readonly remainingItemCount: number | undefined;
  /** The shard selector of the list. */
  readonly shard?: string;
}

/** A list request in parsed form. */
interface ListPlan {
  /** Key prefix of the list. */
  readonly prefix: string;
  /** The one requested object; undefined for all below the prefix. */
  readonly key: string | undefined;
  /** Undefined: the first page. */
  readonly point: ContinuePoint | undefined;
  readonly state: { readonly exact: Int64 } | { readonly freshness: Freshness };
  /** A future version is refused without waiting. */
  readonly impatient: boolean;
}

/** Entries matched between checks whether to yield to other requests. */
const matchedAtOnce = 16;
const listExpired = 'The resourceVersion for the provided list is too old.';
const inconsistentContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** Lists objects (specification, "Resource version semantics"). All pages of a list are from one revision. */
export function listObjects(kind: StoreKind, request: ListRequest): Promise<ListResult> {
  const span = cacheSpan('GetList', kind);
  return span === undefined ? listAll(kind, request) : inSpan(span, () => listAll(kind, request));
}

async function listAll(kind: StoreKind, request: ListRequest): Promise<ListResult> {
  const plan = planOf(kind, request);
  try {
    const source = await sourceOf(kind, request, plan);
    tellFresh('list', 'freshness' in plan.state && plan.state.freshness === 'latest');
    const result = await listFrom(kind, request, plan, source);
    const { shard } = request.selection;
    return shard === undefined ? result : { ...result, shard: shard.text };
  } catch (error) {
    if (error instanceof StorageError && error.code === 'compacted') throw expired(plan);
    throw statusOfStorageError(error, request.resource, 'list');
  }
}

async function listFrom(kind: StoreKind, request: ListRequest, plan: ListPlan, below: ListSource): Promise<ListResult> {
  const beganMs = performance.now();
  const counted = countedSource(below);
  const { source } = counted;
  const result = await (plan.key === undefined
    ? page(kind, request, plan, source)
    : oneEntry(kind, request, plan.key, source));
  const seconds = secondsSince(beganMs);
  tellListed(counted.fetched, result.entries.length);
  kind.listed({ from: below.from, fetched: counted.fetched, returned: result.entries.length, seconds });
  return result;
}

function planOf(kind: StoreKind, request: ListRequest): ListPlan {
  const { selection, resourceVersion, resourceVersionMatch: match, limit } = request;
  const prefix = keyPrefixOf(kind, selection.namespace);
  if (request.continue !== '') return planOfToken(request, prefix);
  const name = selectedName(selection);
  const single = name !== undefined && (selection.namespace !== '' || !kind.resource.namespaced);
  const key = single ? objectKey(kind, selection.namespace, name) : undefined;
  const plan = { prefix, key, point: undefined, impatient: false };
  if (resourceVersion === '') return { ...plan, state: { freshness: 'latest' } };
  const revision = parseListVersion(resourceVersion);
  const legacyExact = match === '' && limit > 0 && revision > 0;
  // With paging a version means exactly that version, but a single object has no pages.
  const exact = revision > 0 && (match === 'Exact' || (legacyExact && !single));
  const state = exact ? { exact: revision } : { freshness: revision };
  return { ...plan, state, impatient: (revision > 0 && isImpatient(kind)) || (single && (exact || legacyExact)) };
}

function planOfToken(request: ListRequest, prefix: string): ListPlan {
  const point = decodeContinue(request.continue, prefix);
  if (request.resourceVersion !== '' && request.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const state = point.revision < 0 ? { freshness: 'latest' as const } : { exact: point.revision };
  return { prefix, key: undefined, point, state, impatient: false };
}

/** The state to list: exact revisions from the cache's snapshots, else from storage. */
async function sourceOf(kind: StoreKind, request: ListRequest, { state, impatient }: ListPlan): Promise<ListSource> {
  const revision = 'exact' in state ? state.exact : state.freshness;
  if (impatient && revision !== 'latest') await refuseFuture(kind, request, revision);
  if ('freshness' in state) return snapshotSource(await readSnapshot(kind, state.freshness, request));
  const exact = Number(state.exact);
  refuseCompacted(kind, exact);
  const cache = kind.cache();
  await cache.ready(request.deadlineMs);
  await waitForRevision(cache, state.exact, request.deadlineMs);
  const known = cache.snapshotAt(exact);
  return known === undefined ? storageSource(kind, exact) : snapshotSource(known);
}

/** The cache may still know the state, but pages of a list end with the store's history, whoever answers them. */
function refuseCompacted({ storage: { compactedRevision } }: StoreKind, revision: number): void {
  if (revision >= compactedRevision) return;
  throw new StorageError('compacted', `revision ${revision} has been compacted`, { revision: compactedRevision });
}

/** An expired first page must start over; a later one gets a token to continue in the latest state. */
function expired({ point, prefix }: ListPlan): StatusError {
  if (point === undefined) return resourceExpired(listExpired);
  const { status } = resourceExpired(inconsistentContinue);
  return new StatusError({ ...status, continue: encodeContinue({ startKey: point.startKey, revision: -1 }, prefix) });
}

async function oneEntry(
  kind: StoreKind,
  { selection, resource }: ListRequest,
  key: string,
  source: ListSource,
): Promise<ListResult> {
  const entry = await source.get(key);
  const unreadable = source.unreadable(key, `${key}\0`);
  if (unreadable.length > 0) throw unreadableList(kind, resource, unreadable);
  const selects = selectorOf(selection, kind.cache().readAttributes);
  const entries = entry !== undefined && (selects?.(entry) ?? true) ? [entry] : [];
  return { entries, revision: source.revision, continue: '', remainingItemCount: undefined };
}

async function page(
  kind: StoreKind,
  request: ListRequest,
  { point, prefix }: ListPlan,
  source: ListSource,
): Promise<ListResult> {
  const { revision } = source;
  const start = point?.startKey ?? prefix;
  const end = prefixEnd(prefix);
  const { entries, ...found } = await collect(kind, request, source, { start, end });
  const unreadable = source.unreadable(start, end);
  // A full page ends before an unreadable object that follows it.
  const last = found.last ?? (entries.length === wantedOf(kind, request) ? entries.at(-1)?.key : undefined);
  const [broken] = unreadable;
  if (broken !== undefined && (last === undefined || broken.key < last)) {
    throw unreadableList(kind, request.resource, last === undefined ? unreadable : source.unreadable(start, last));
  }
  const more = found.more || broken !== undefined;
  if (!more || last === undefined) return { entries, revision, continue: '', remainingItemCount: undefined };
  const next = `${last}\0`;
  // With a selector the remaining count is unknown.
  const remainingItemCount = selectsAll(request.selection) ? await source.count(next, end) : undefined;
  return { entries, revision, continue: encodeContinue({ startKey: next, revision }, prefix), remainingItemCount };
}

/** Unpaged lists at version 0 ignore the limit. */
function wantedOf(kind: StoreKind, { limit, resourceVersion }: ListRequest): number {
  const inPages = kind.pagesAnyVersion || resourceVersion !== '0';
  return limit > 0 && inPages ? limit : Number.POSITIVE_INFINITY;
}

/** Reads the range in slices, so that other requests do not wait for a long list. */
async function collect(
  kind: StoreKind,
  request: ListRequest,
  source: ListSource,
  range: { readonly start: string; readonly end: string },
): Promise<{ readonly entries: readonly CacheEntry[]; readonly last: string | undefined; readonly more: boolean }> {
  const selects = selectorOf(request.selection, kind.cache().readAttributes);
  const wanted = wantedOf(kind, request);
  if (selects === undefined && wanted === Number.POSITIVE_INFINITY) {
    return { entries: await source.slice(range.start, range.end, wanted), last: undefined, more: false };
  }
  const found: CacheEntry[] = [];
  let { start } = range;
  const timeSlice = new TimeSlice();
  for (;;) {
    const { sliceSize } = source;
    const size = selects === undefined ? Math.min(sliceSize, wanted - found.length + 1) : sliceSize;
    const slice = await source.slice(start, range.end, size);
    for (const [index, entry] of slice.entries()) {
      if (index % matchedAtOnce === 0 && timeSlice.isOver) await timeSlice.next();
      // A full page continues if more objects exist, matching or not.
      if (found.length === wanted) return { entries: found, last: found.at(-1)?.key, more: true };
      if (selects?.(entry) ?? true) found.push(entry);
    }
    const last = slice.at(-1);
    if (last === undefined || slice.length < size) return { entries: found, last: undefined, more: false };
    start = `${last.key}\0`;
  }
}
