import { deleteObject, type DeleteResult } from '../registry/write/delete.ts';
import type { JsonObject } from '../api/json/json.ts';
import { forbidden } from '../api/errors/status-errors.ts';
import type { DeleteOptions } from '../registry/kinds/delete-options.ts';
import { admissionAttributes } from './admission-attributes.ts';
import { type Operation, storeOfOperation, writeScope } from './operation.ts';

/** Deletes the object called `name`, or marks it for deletion. Throws StatusErrors. */
export async function deleteNamed(operation: Operation, name: string, options: DeleteOptions): Promise<DeleteResult> {
  const refusal = storeOfOperation(operation, 'delete').strategy.refuseDeletion?.(name);
  if (refusal !== undefined) throw forbidden(operation.scope.groupResource, name, refusal);
  warnOfDeletion(operation, options);
  return deleteAdmitted(operation, name, { options, requested: name });
}

/** Warns of a deletion, also of that of a collection, even if it is empty. */
export function warnOfDeletion(operation: Operation, options: DeleteOptions): void {
  const { strategy } = storeOfOperation(operation, 'delete');
  for (const text of strategy.deleteWarnings?.(options) ?? []) operation.warn(text);
}

/** `requested`: the name in the request, which the deletion of a collection does not have. */
export function deleteAdmitted(
  operation: Operation,
  name: string,
  { options, requested }: { readonly options: DeleteOptions; readonly requested: string },
): Promise<DeleteResult> {
  const { admission } = operation;
  const store = storeOfOperation(operation, 'delete');
  return deleteObject(
    store,
    {
      name,
      options,
      async admit(old) {
        const { dryRun } = options;
        const attributes = admissionAttributes(operation, {
          operation: 'DELETE',
          name: requested,
          object: undefined,
          oldObject: old,
          dryRun,
          options: () => optionsObject(options),
        });
        await admission.mutate(attributes);
        await admission.validate(attributes);
      },
    },
    writeScope(operation, options.dryRun),
  );
}

/** Options as sent by clients. */
function optionsObject(options: DeleteOptions): JsonObject {
  const { dryRun, gracePeriodSeconds, orphanDependents, propagationPolicy, preconditions } = options;
  return {
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions: { ...preconditions } }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
  };
}
