import { update as updateOperation } from '../../operations/update.ts';
import { decodeRequest } from '../request/decode-body.ts';
import { managerOfRequest } from '../request/manager-name.ts';
import { parseWriteOptions } from '../request/request-options.ts';
import { nameOf, operationOf, type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { tracedWrite } from '../request/traced-write.ts';
import { respondWritten } from '../responses/respond.ts';

/** PUT of one object, or of a subresource of the object's own kind. */
export async function update(request: ResourceRequest): Promise<void> {
  const { context, scope, format } = request;
  storeOf(request);
  const name = nameOf(request);
  const { object, options } = await decodeRequest(request, scope.resource, () =>
    parseWriteOptions(context.query, 'UpdateOptions'),
  );
  const { dryRun, fieldManager } = options;
  const manager = managerOfRequest(context, fieldManager);
  const { stored, created } = await tracedWrite(context, () =>
    updateOperation(operationOf(request), name, object, { dryRun, manager }),
  );
  context.step('Write to database call succeeded');
  await respondWritten(context, scope, { code: created ? 201 : 200, stored, format });
}
