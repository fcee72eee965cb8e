import { deleteListed } from '../../operations/delete-collection.ts';
import { listObjects, type ListResult } from '../../registry/read/list.ts';
import { selectedName, type Selection } from '../../registry/read/selection.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import { areConverted, convertAnew } from '../forms/served-view.ts';
import { readDeleteOptions, refuseReadErrors } from '../request/delete-options.ts';
import { type ListOptions, parseListOptions } from '../request/request-options.ts';
import { operationOf, type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { readSelection } from '../request/selection.ts';
import { selectServed, splitSelection } from '../answers/served-selection.ts';
import { respondList } from '../answers/respond-list.ts';

/** DELETE of a collection. */
export async function deleteCollection(request: ResourceRequest): Promise<void> {
  const { context, scope, features } = request;
  const listOptions = inPages(parseListOptions(context.query, features));
  const options = await readDeleteOptions(context, features);
  refuseReadErrors(options);
  const store = storeOf(request);
  const { stored, served } = splitSelection(scope, store, readSelection(request, listOptions));
  const list = (selection: Selection): Promise<ListResult> =>
    listObjects(store, { ...listOptions, selection, resource: scope.groupResource, deadlineMs: context.deadlineMs });
  if (scope.conversion.waits) await convertUnlessKnown(scope, stored, list);
  const listed = await list(stored);
  const result = await selectServed(scope, listed, served);
  await deleteListed(
    operationOf(request),
    result.entries.map(({ key }) => key),
    options,
    request.limits.deletionsAtOnce,
  );
  context.step('Objects deleted from database');
  await respondList(request, result);
}

/**
 * What is deleted is read from the store, unless all of it has been converted before: then what is there has to be
 * converted, whatever labels and fields select from it. One object is always read from the store.
 */
async function convertUnlessKnown(
  scope: ResourceScope,
  selection: Selection,
  list: (selection: Selection) => Promise<ListResult>,
): Promise<void> {
  const isOne = selectedName(selection) !== undefined;
  const fields = isOne ? selection.fields.filter(({ field }) => field === 'metadata.name') : [];
  const { entries } = await list({ ...selection, labels: [], fields });
  if (isOne || !areConverted(scope, entries)) await convertAnew(scope, entries);
}

/** The reference lists what it deletes in pages, where a version that is given without a match is the exact one. */
function inPages(options: ListOptions): ListOptions {
  const { limit, resourceVersion } = options;
  return limit === 0 && resourceVersion !== '' ? { ...options, limit: Number.MAX_SAFE_INTEGER } : options;
}
