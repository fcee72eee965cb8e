import { StatusError } from '../../api/errors/status.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import { listObjects, type ListRequest, type ListResult } from '../../registry/read/list.ts';
import { parseListVersion } from '../../registry/read/resource-version.ts';
import type { StoreKind } from '../../registry/stored/store-kind.ts';
import { selectsAll } from '../../registry/read/selection.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import { areConverted, servedEntries } from '../forms/served-view.ts';

/* What a webhook has converted is kept, so reads that accept an older state can be answered while it fails. */

/** The revision of the latest whole list that has been converted, by version. */
const lastConverted = new WeakMap<ResourceScope, number>();

/** A list in the version of the scope; if the webhook fails, the one converted last if the request accepts it. */
export async function servedList(
  scope: ResourceScope,
  store: StoreKind,
  { request, result }: { readonly request: ListRequest; readonly result: ListResult },
): Promise<ListResult> {
  try {
    const entries = await servedEntries(scope, result.entries);
    if (isWhole(request, result)) {
      lastConverted.set(scope, Math.max(result.revision, lastConverted.get(scope) ?? 0));
    }
    return { ...result, entries };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const older = await olderList(scope, store, request);
    if (older === undefined) throw error;
    return { ...older, entries: await servedEntries(scope, older.entries) };
  }
}

/** A stored object in the version of the request; undefined if only the webhook can tell. */
export async function servedObject(
  scope: ResourceScope,
  store: StoreKind,
  { found, resourceVersion }: { readonly found: CacheEntry; readonly resourceVersion: string },
): Promise<CacheEntry | undefined> {
  if (resourceVersion === '') return undefined;
  const revision = lastConverted.get(scope);
  const isOld = revision !== undefined && Number(resourceVersion) <= revision;
  const older = isOld ? store.cache().snapshotAt(revision)?.entries.get(found.key) : undefined;
  const known = [found, older].find((entry) => entry !== undefined && areConverted(scope, [entry]));
  return known === undefined ? undefined : (await servedEntries(scope, [known]))[0];
}

function isWhole(request: ListRequest, result: ListResult): boolean {
  return request.continue === '' && result.continue === '' && selectsAll(request.selection);
}

async function olderList(
  scope: ResourceScope,
  store: StoreKind,
  request: ListRequest,
): Promise<ListResult | undefined> {
  const revision = lastConverted.get(scope);
  if (revision === undefined || !accepts(request, revision)) return undefined;
  const limit = request.resourceVersion === '0' ? 0 : request.limit;
  const exact = { ...request, limit, resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
  try {
    const older = await listObjects(store, exact);
    return areConverted(scope, older.entries) ? older : undefined;
  } catch (error) {
    // It has been forgotten.
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

function accepts({ resourceVersion, resourceVersionMatch, limit, ...request }: ListRequest, revision: number): boolean {
  if (resourceVersion === '' || resourceVersionMatch === 'Exact' || request.continue !== '') return false;
  const isExact = resourceVersionMatch === '' && limit > 0 && resourceVersion !== '0';
  return !isExact && parseListVersion(resourceVersion) <= revision;
}
