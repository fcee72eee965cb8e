import { deleteObject, type DeleteResult } from '../../registry/delete.ts';
import type { DeleteOptions } from '../../registry/delete-options.ts';
import { holdsIn } from '../../registry/strategy.ts';
import { readDeleteOptions } from '../delete-options.ts';
import { admissionAttributes, nameOf, type ResourceRequest, storeOf, writeScope } from '../resource-request.ts';
import { respondStatus, respondStored } from '../respond.ts';

/** DELETE of one object. */
export async function deleteOne(request: ResourceRequest): Promise<void> {
  const { context, scope, format } = request;
  const store = storeOf(request);
  const name = nameOf(request);
  const options = await readDeleteOptions(context);
  const result = await deleteNamed(request, name, options);
  const code = !result.deleted && options.orphanDependents === false ? 202 : 200;
  if (!result.deleted || holdsIn(store.strategy.returnsDeletedObject, scope.resource.version)) {
    await respondStored(context, scope, { code, stored: result.stored, format });
    return;
  }
  const { group, resource } = scope.groupResource;
  const uid = store.codec.decode(result.stored).metadata.uid ?? '';
  await respondStatus(context, { status: 'Success', details: { name, group, kind: resource, uid }, code: 0 }, format);
}

/** Deletes one object by name, asking admission. */
export function deleteNamed(request: ResourceRequest, name: string, options: DeleteOptions): Promise<DeleteResult> {
  const { admission, context } = request;
  const store = storeOf(request);
  for (const text of store.strategy.deleteWarnings?.(options) ?? []) context.warnings.add(text);
  return deleteObject(
    store,
    {
      name,
      options,
      async admit(old) {
        const attributes = admissionAttributes(request, {
          operation: 'DELETE',
          name,
          object: undefined,
          oldObject: old,
          dryRun: options.dryRun,
        });
        await admission.mutate(attributes);
        await admission.validate(attributes);
      },
    },
    writeScope(request, options.dryRun),
  );
}
