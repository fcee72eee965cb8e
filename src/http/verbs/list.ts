import { listObjects } from '../../registry/list.ts';
import { respondList } from '../answers/respond-list.ts';
import { parseListOptions } from '../request/request-options.ts';
import { type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { readSelection } from '../request/selection.ts';

/** GET of a collection. */
export async function list(request: ResourceRequest): Promise<void> {
  const { context, scope } = request;
  const options = parseListOptions(context.query, request.features);
  const result = await listObjects(storeOf(request), {
    ...options,
    selection: readSelection(request, options),
    resource: scope.groupResource,
    deadlineMs: context.deadlineMs,
  });
  await respondList(request, result);
}
