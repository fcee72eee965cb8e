import type { StatusError } from '../../api/errors/status.ts';
import { conflict, notFound } from '../../api/errors/status-errors.ts';
import type { KeyValue } from '../../storage/contract.ts';
import { readRaw, removeObject } from '../stored/store-calls.ts';
import { checkDeadline, objectKey, type StoreKind, type WriteScope } from '../stored/store-kind.ts';

/**
 * Removes an unreadable object, ignoring any finalizers, which cannot be read either. Readable objects are refused.
 * Admission is skipped: there is no object to pass to it.
 */
export async function deleteUnreadable(kind: StoreKind, name: string, scope: WriteScope): Promise<void> {
  const key = objectKey(kind, scope.namespace, name);
  let current = await readRaw(kind, key, scope, 'delete');
  for (;;) {
    if (current === undefined) throw notFound(scope.resource, name);
    if (current.unreadable === undefined) throw readable(current, name, scope);
    if (scope.dryRun) return;
    const result = await removeObject(kind, current, scope);
    if (result.succeeded) return;
    ({ current } = result);
    checkDeadline(scope);
  }
}

function readable({ key }: KeyValue, name: string, { resource }: WriteScope): StatusError {
  const why = 'unsafe deletion is not allowed because the object is decodable from storage';
  return conflict(
    resource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}
