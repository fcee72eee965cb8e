import { currentSpan } from '../../api/contracts/span.ts';
import { readObject } from '../../registry/read/read.ts';
import { parseGetOptions } from '../request/request-options.ts';
import { nameOf, type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { servedObject } from '../answers/served-reads.ts';
import { servedView } from '../forms/served-view.ts';
import { respondStored } from '../answers/respond.ts';

/** GET of one object. */
export async function get(request: ResourceRequest): Promise<void> {
  const { context, scope, format } = request;
  const { resourceVersion } = parseGetOptions(context.query);
  const store = storeOf(request);
  currentSpan()?.event('About to Get from storage');
  const stored = await readObject(store, {
    namespace: context.info.namespace,
    name: nameOf(request),
    resource: scope.groupResource,
    resourceVersion,
    deadlineMs: context.deadlineMs,
  });
  const served = scope.conversion.waits
    ? await servedObject(scope, store, { found: stored, resourceVersion })
    : undefined;
  if (served !== undefined) {
    return respondStored(context, servedView(scope), { code: 200, stored: served, format });
  }
  await respondStored(context, scope, { code: 200, stored, format });
}
