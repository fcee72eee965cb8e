import { currentSpan } from '../../api/contracts/span.ts';
import { readObject } from '../../registry/read/read.ts';
import { parseGetOptions } from '../request/request-options.ts';
import { nameOf, type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { readsOf } from '../responses/reads.ts';
import { respondStored } from '../responses/respond.ts';

/** GET of one object. */
export async function get(request: ResourceRequest): Promise<void> {
  const { context, scope, format } = request;
  const { resourceVersion } = parseGetOptions(context.query);
  const store = storeOf(request);
  currentSpan()?.event('About to Get from storage');
  const found = await readObject(store, {
    namespace: context.info.namespace,
    name: nameOf(request),
    resource: scope.groupResource,
    resourceVersion,
    deadlineMs: context.deadlineMs,
  });
  const read = readsOf(scope).object(store, { found, resourceVersion });
  const { scope: shown, stored } = read instanceof Promise ? await read : read;
  await respondStored(context, shown, { code: 200, stored, format });
}
