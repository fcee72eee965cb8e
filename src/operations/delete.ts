import { deleteObject, type DeleteResult } from '../registry/delete.ts';
import type { DeleteOptions } from '../registry/delete-options.ts';
import { admissionAttributes, type Operation, storeOf, writeScope } from './operation.ts';

/** Deletes the object called `name`, or marks it as going. Throws StatusErrors. */
export function deleteNamed(operation: Operation, name: string, options: DeleteOptions): Promise<DeleteResult> {
  const { admission } = operation;
  const store = storeOf(operation, 'delete');
  for (const text of store.strategy.deleteWarnings?.(options) ?? []) operation.warn(text);
  return deleteObject(
    store,
    {
      name,
      options,
      async admit(old) {
        const { dryRun } = options;
        const write = { operation: 'DELETE', name, object: undefined, oldObject: old, dryRun } as const;
        const attributes = admissionAttributes(operation, write);
        await admission.mutate(attributes);
        await admission.validate(attributes);
      },
    },
    writeScope(operation, options.dryRun),
  );
}
