import type { KeyValue, WriteResult } from '../storage/contract.ts';
import { statusOfStorageError } from './storage-errors.ts';
import type { StoreKind, WriteScope } from './store-kind.ts';
import { inSpan } from '../api/span.ts';
import { storeSpan, tellRead } from './traced-store.ts';
import { unchangeable, unreadableObject } from './unreadable.ts';

/** The verb of the storage call, named in errors. */
export type StoreOperation = 'create' | 'update' | 'delete';

/** The currently stored object, for a write. Throws a StatusError. */
export async function readCurrent(
  kind: StoreKind,
  key: string,
  scope: WriteScope,
  operation: StoreOperation,
): Promise<KeyValue | undefined> {
  // A dry run reads like a GET in the reference.
  const reading = scope.dryRun && operation === 'update' ? 'delete' : operation;
  return readable(kind, await readRaw(kind, key, scope, operation), reading);
}

/** The same, even if unreadable. */
export async function readRaw(
  kind: StoreKind,
  key: string,
  scope: WriteScope,
  operation: StoreOperation,
): Promise<KeyValue | undefined> {
  const { deadlineMs } = scope;
  const get = async (): Promise<KeyValue | undefined> => {
    const { kv } = await orStatus(kind.storage.get(key, { deadlineMs }), scope, operation);
    if (span !== undefined) tellRead('store', kv);
    return kv;
  };
  // Updates read as a step of their own.
  const span = operation !== 'update' ? storeSpan('Get', kind, key) : undefined;
  return span === undefined ? get() : inSpan(span, get);
}

/** Throws for an unreadable object. */
function readable(kind: StoreKind, current: KeyValue | undefined, operation: StoreOperation): KeyValue | undefined {
  if (current?.unreadable === undefined) return current;
  const { key, modRevision, unreadable } = current;
  const found = { key, modRevision, unreadable };
  // A create only needs to know that something exists.
  if (operation === 'create') return current;
  throw operation === 'update' ? unchangeable(kind, found) : unreadableObject(kind, found);
}

/** Compare-and-put with the kind's TTL. Throws a StatusError. */
export async function putObject(
  kind: StoreKind,
  { key, value, expected }: { readonly key: string; readonly value: Uint8Array; readonly expected: number },
  scope: WriteScope,
  operation: StoreOperation,
): Promise<WriteResult> {
  const { deadlineMs } = scope;
  const ttl = kind.ttlSeconds === undefined ? {} : { ttlSeconds: kind.ttlSeconds };
  const request = { key, value, expectedModRevision: expected, deadlineMs, ...ttl };
  const result = await orStatus(kind.storage.put(request), scope, operation);
  if (!result.succeeded) readable(kind, result.current, operation);
  return result;
}

/** Compare-and-delete. Throws a StatusError. */
export async function removeObject(
  kind: StoreKind,
  { key, modRevision }: Pick<KeyValue, 'key' | 'modRevision'>,
  scope: WriteScope,
): Promise<WriteResult> {
  const { deadlineMs } = scope;
  return orStatus(kind.storage.delete({ key, expectedModRevision: modRevision, deadlineMs }), scope, 'delete');
}

async function orStatus<T>(pending: Promise<T>, scope: WriteScope, operation: StoreOperation): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    throw statusOfStorageError(error, scope.resource, operation);
  }
}
