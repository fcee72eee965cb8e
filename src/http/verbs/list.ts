import { readsOf } from '../responses/reads.ts';
import { respondList } from '../responses/respond-list.ts';
import { parseListOptions } from '../request/request-options.ts';
import { type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { readSelection } from '../request/selection.ts';

/** GET of a collection. */
export async function list(request: ResourceRequest): Promise<void> {
  const { context, scope } = request;
  const options = parseListOptions(context.query, request.features);
  const store = storeOf(request);
  const listRequest = {
    ...options,
    selection: readSelection(request, options),
    resource: scope.groupResource,
    deadlineMs: context.deadlineMs,
  };
  const reads = readsOf(scope);
  const result = await reads.list(store, listRequest, () => context.step('Listed items from cache'));
  await respondList({ ...request, scope: reads.shown }, result);
}
