import { listObjects } from '../../registry/list.ts';
import { respondList } from '../answers/respond-list.ts';
import { selectServed, splitSelection } from '../answers/served-selection.ts';
import { parseListOptions } from '../request/request-options.ts';
import { type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { readSelection } from '../request/selection.ts';

/** GET of a collection. */
export async function list(request: ResourceRequest): Promise<void> {
  const { context, scope } = request;
  const options = parseListOptions(context.query, request.features);
  const store = storeOf(request);
  const { stored, served } = splitSelection(scope, store, readSelection(request, options));
  const result = await listObjects(store, {
    ...options,
    selection: stored,
    resource: scope.groupResource,
    deadlineMs: context.deadlineMs,
  });
  await respondList(request, served === undefined ? result : await selectServed(scope, result, served));
}
