import { listObjects } from '../../registry/read/list.ts';
import { respondList } from '../answers/respond-list.ts';
import { servedList } from '../answers/served-reads.ts';
import { selectServed, splitSelection } from '../answers/served-selection.ts';
import { servedView } from '../forms/served-view.ts';
import { parseListOptions } from '../request/request-options.ts';
import { type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { readSelection } from '../request/selection.ts';

/** GET of a collection. */
export async function list(request: ResourceRequest): Promise<void> {
  const { context, scope } = request;
  const options = parseListOptions(context.query, request.features);
  const store = storeOf(request);
  const { stored, served } = splitSelection(scope, store, readSelection(request, options));
  const listRequest = {
    ...options,
    selection: stored,
    resource: scope.groupResource,
    deadlineMs: context.deadlineMs,
  };
  const listed = await listObjects(store, listRequest);
  context.step('Listed items from cache');
  if (!scope.conversion.waits) return respondList(request, listed);
  const result = await selectServed(scope, listed, served);
  const converted = await servedList(scope, store, { request: listRequest, result });
  await respondList({ ...request, scope: servedView(scope) }, converted);
}
