import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { updateObject, type UpdateResult } from '../registry/write/update.ts';
import { trackOwners } from './field-owners.ts';
import { type Operation, storeOfOperation, type WriteOptions, writeScope } from './operation.ts';
import { defaultedForStore } from './resource-scope.ts';
import { admitted } from './update.ts';

/** Updates the object called `name` with `change`, retrying on conflicts; an absent object (undefined) is created. */
export function modify(
  operation: Operation,
  name: string,
  change: (served: KubernetesObject | undefined) => KubernetesObject,
  { dryRun, manager }: WriteOptions,
): Promise<UpdateResult> {
  const { scope, subresource } = operation;
  return updateObject(
    storeOfOperation(operation, 'update'),
    {
      name,
      subresource: subresource?.name ?? '',
      preconditions: {},
      forceCreate: true,
      ...admitted(operation, { name, dryRun }, async (old) => {
        const served = old === undefined ? undefined : await scope.conversion.fromStored(cloneObject(old));
        const updated = await defaultedForStore(scope, change(served));
        await trackOwners(operation, { live: old, updated, manager });
        return updated;
      }),
    },
    writeScope(operation, dryRun),
  );
}
