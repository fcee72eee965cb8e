import { create as createOperation } from '../../operations/create.ts';
import { decodeRequest } from '../request/decode-body.ts';
import { managerOfRequest } from '../request/manager-name.ts';
import { parseWriteOptions } from '../request/request-options.ts';
import { operationOf, type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { tracedWrite } from '../request/traced-write.ts';
import { respondWritten } from '../responses/respond.ts';

/** POST to a collection, or to the path of a custom resource. */
export async function create(request: ResourceRequest): Promise<void> {
  const { context, scope, format } = request;
  storeOf(request);
  const { object, options } = await decodeRequest(request, scope.resource, () =>
    parseWriteOptions(context.query, 'CreateOptions'),
  );
  const { dryRun, fieldManager } = options;
  const manager = managerOfRequest(context, fieldManager);
  const { name } = context.info;
  const given = name === '' ? {} : { pathName: name };
  const stored = await tracedWrite(context, () =>
    createOperation(operationOf(request), object, { dryRun, manager, ...given }),
  );
  context.step('Write to database call succeeded');
  await respondWritten(context, scope, { code: 201, stored, format });
}
