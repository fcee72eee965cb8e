import { deleteListed } from '../../operations/delete-collection.ts';
import { listObjects } from '../../registry/list.ts';
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
  const listed = await listObjects(store, {
    ...listOptions,
    selection: stored,
    resource: scope.groupResource,
    deadlineMs: context.deadlineMs,
  });
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

/** The reference lists what it deletes in pages, where a version that is given without a match is the exact one. */
function inPages(options: ListOptions): ListOptions {
  const { limit, resourceVersion } = options;
  return limit === 0 && resourceVersion !== '' ? { ...options, limit: Number.MAX_SAFE_INTEGER } : options;
}
