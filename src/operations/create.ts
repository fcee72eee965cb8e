import type { KubernetesObject } from '../api/meta/object.ts';
import { createObject } from '../registry/write/create.ts';
import { ensureNamespaceMatches, expectedNamespace, wipeSystemMetadata } from '../registry/write/metadata.ts';
import type { StoredObject } from '../registry/stored/stored-object.ts';
import { warnOfDuplicateOwners } from './duplicate-owners.ts';
import { setEntries, trackOwners, withoutOwnersIfTooLarge } from './field-owners.ts';
import { admissionAttributes } from './admission-attributes.ts';
import { mutate } from './mutate.ts';
import { type Operation, storeOfOperation, type WriteOptions, writeScope } from './operation.ts';
import { defaultedForStore } from './resource-scope.ts';

/** Creates `object`, given in the served version; the operation takes ownership of it. Throws StatusErrors. */
export async function create(
  operation: Operation,
  object: KubernetesObject,
  { dryRun, manager, pathName }: WriteOptions,
): Promise<StoredObject> {
  const { scope, namespace, admission } = operation;
  const store = storeOfOperation(operation, 'create');
  wipeSystemMetadata(object.metadata);
  ensureNamespaceMatches(object.metadata, expectedNamespace(namespace, scope.resource.namespaced));
  warnOfDuplicateOwners(operation, object, '');
  const name = pathName ?? object.metadata.name ?? '';
  const stored = await defaultedForStore(scope, object);
  await trackOwners(operation, { live: undefined, updated: stored, manager });
  const write = { operation: 'CREATE', name, object: stored, oldObject: undefined, dryRun } as const;
  await mutate(admission, admissionAttributes(operation, write));
  warnOfDuplicateOwners(operation, stored, ' after mutating admission happens');
  return withoutOwnersIfTooLarge((tracking) => {
    if (!tracking) setEntries(stored, undefined);
    return createObject(store, stored, writeScope(operation, dryRun), (candidate) =>
      admission.validate(
        admissionAttributes(operation, {
          ...write,
          name: pathName ?? candidate.metadata.name ?? '',
          object: candidate,
        }),
      ),
    );
  });
}
