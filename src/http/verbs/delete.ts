import { deleteNamed } from '../../operations/delete.ts';
import { decodeInTurns } from '../../registry/stored-object.ts';
import { holdsIn } from '../../registry/strategy.ts';
import { readDeleteOptions } from '../delete-options.ts';
import { nameOf, operationOf, type ResourceRequest, storeOf } from '../resource-request.ts';
import { respondStatus, respondStored } from '../respond.ts';

/** DELETE of one object. */
export async function deleteOne(request: ResourceRequest): Promise<void> {
  const { context, scope, format } = request;
  const store = storeOf(request);
  const name = nameOf(request);
  const options = await readDeleteOptions(context);
  const result = await deleteNamed(operationOf(request), name, options);
  const code = !result.deleted && options.orphanDependents === false ? 202 : 200;
  if (!result.deleted || holdsIn(scope.answers.returnsDeletedObject, scope.resource.version)) {
    await respondStored(context, scope, { code, stored: result.stored, format });
    return;
  }
  const { group, resource } = scope.groupResource;
  const { uid = '' } = (await decodeInTurns(store.codec, result.stored)).metadata;
  await respondStatus(context, { status: 'Success', details: { name, group, kind: resource, uid }, code: 0 }, format);
}
