import { warnOfDeletion } from '../../operations/delete.ts';
import { deleteListed } from '../../operations/delete-collection.ts';
import { readDeleteOptions, refuseReadErrors } from '../request/delete-options.ts';
import { type ListOptions, parseListOptions } from '../request/request-options.ts';
import { operationOf, type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { readSelection } from '../request/selection.ts';
import { readsOf } from '../responses/reads.ts';
import { respondList } from '../responses/respond-list.ts';

/** DELETE of a collection. */
export async function deleteCollection(request: ResourceRequest): Promise<void> {
  const { context, scope, features } = request;
  const listOptions = inPages(parseListOptions(context.query, features));
  const options = await readDeleteOptions(context, features);
  refuseReadErrors(options);
  const store = storeOf(request);
  const selection = readSelection(request, listOptions);
  const operation = operationOf(request);
  warnOfDeletion(operation, options);
  const reads = readsOf(scope);
  const result = await reads.listForDeletion(store, {
    ...listOptions,
    selection,
    resource: scope.groupResource,
    deadlineMs: context.deadlineMs,
  });
  await deleteListed(
    operation,
    result.entries.map(({ key }) => key),
    options,
    request.limits.deletionsAtOnce,
  );
  context.step('Objects deleted from database');
  const entries = await reads.entries(result.entries);
  await respondList({ ...request, scope: reads.shown }, { ...result, entries });
}

/** The reference lists what it deletes in pages, where a version that is given without a match is the exact one. */
function inPages(options: ListOptions): ListOptions {
  const { limit, resourceVersion } = options;
  return limit === 0 && resourceVersion !== '' ? { ...options, limit: Number.MAX_SAFE_INTEGER } : options;
}
