import { goQuote } from '../../api/go/go-quote.ts';
import { currentSpan } from '../../api/contracts/span.ts';
import { forbidden } from '../../api/errors/status-errors.ts';
import { deleteNamed } from '../../operations/delete.ts';
import { writeScope } from '../../operations/operation.ts';
import { deleteUnreadable } from '../../registry/write/delete-unreadable.ts';
import { holdsIn } from '../../registry/kinds/strategy.ts';
import { readDeleteOptions } from '../request/delete-options.ts';
import { nameOf, operationOf, type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { attributesOf } from '../stages/authorize.ts';
import { respondStatus, respondStored } from '../responses/respond.ts';

/** DELETE of one object. */
export async function deleteOne(request: ResourceRequest): Promise<void> {
  const { context, scope, format } = request;
  storeOf(request);
  const name = nameOf(request);
  const options = await readDeleteOptions(context, request.features);
  if (options.ignoresReadError) return deleteBroken(request, name, options.dryRun);
  currentSpan()?.event('About to delete object from database');
  const result = await deleteNamed(operationOf(request), name, options);
  context.step('Object deleted from database');
  currentSpan()?.event('Object deleted from database');
  const code = !result.deleted && options.orphanDependents === false ? 202 : 200;
  if (!result.deleted || holdsIn(scope.responses.returnsDeletedObject, scope.resource.version)) {
    await respondStored(context, scope, { code, stored: result.stored, format });
    return;
  }
  const { group, resource } = scope.groupResource;
  const details = { name, group, kind: resource, uid: result.uid };
  await respondStatus(context, { status: 'Success', details, code: 0 }, format);
}

const unsafeVerb = 'unsafe-delete-ignore-read-errors';

/** Deletes an unreadable object, which needs an additional right. */
async function deleteBroken(request: ResourceRequest, name: string, dryRun: boolean): Promise<void> {
  const { context, scope, authorizer, format } = request;
  context.audit?.annotate('apiserver.k8s.io/unsafe-delete-ignore-read-error', () => '');
  const attributes = { ...attributesOf(context), verb: unsafeVerb };
  const { decision, reason } = await authorizer.authorize(attributes);
  if (decision !== 'allow') {
    throw forbidden(scope.groupResource, name, `not permitted to do ${goQuote(unsafeVerb)}, reason: ${reason}`);
  }
  const operation = operationOf(request);
  await deleteUnreadable(storeOf(request), name, writeScope(operation, dryRun));
  const details = { name, kind: scope.resource.kind };
  await respondStatus(context, { status: 'Success', details, code: 200 }, format);
}
