import { PassedOn } from '../../api/contracts/request-passing.ts';
import type { KeyValue, WriteResult } from '../../storage/contract.ts';
import { whileWritten } from './known-states.ts';
import { statusOfStorageError } from './storage-errors.ts';
import { checkDeadline, type StoreKind, type WriteScope } from './store-kind.ts';
import { inSpan } from '../../api/contracts/span.ts';
import type { StoredObject } from './stored-object.ts';
import { storeSpan, tellRead, tellUpdate } from './traced-store.ts';
import { unchangeable, unreadableObject } from './unreadable.ts';

/** The verb of the storage call, named in errors. */
export type StoreOperation = 'create' | 'update' | 'delete';

/** An object as it is stored. */
export type StoredState = Omit<KeyValue, 'createRevision'>;

/** What an attempt to write starts from. */
export interface Start {
  readonly current: StoredState | undefined;
  /** It is from memory, so the store may have a later state; false as soon as the store decides. */
  mayBeBehind: boolean;
}

/** An attempt that another writer has overtaken: what is stored now. */
export interface Overtaken {
  readonly current: StoredState | undefined;
}

interface Write {
  readonly kind: StoreKind;
  readonly key: string;
  readonly operation: 'update' | 'delete';
}

/**
 * Attempts a write until no other writer overtakes it. Where the store would have to be asked for the current state,
 * the first attempt starts from memory, as in the reference: the store accepts it only if nothing has changed, and what
 * it fails with counts only if it was not behind. An attempt that writes nothing has to `confirm` its start.
 */
export async function untilWritten<Result extends { readonly stored: StoredObject }>(
  write: Write,
  scope: WriteScope,
  attempt: (start: Start) => Promise<Result | Overtaken>,
): Promise<Result> {
  const { kind, key, operation } = write;
  let start = await readStart(write, scope);
  for (;;) {
    try {
      const result = await attempt(start);
      if ('stored' in result) return result;
      start = { current: result.current, mayBeBehind: false };
    } catch (error) {
      // That another thread takes the request says nothing of the state.
      if (!start.mayBeBehind || error instanceof PassedOn) throw error;
      const tried = start.current?.modRevision;
      start = { current: await readCurrent(kind, key, scope, operation), mayBeBehind: false };
      if (start.current?.modRevision === tried) throw error;
    }
    checkDeadline(scope);
  }
}

/** What is stored now, for an attempt that would write nothing. */
export async function confirm({ kind, key, operation }: Write, scope: WriteScope, start: Start): Promise<Overtaken> {
  if (!start.mayBeBehind) return start;
  return { current: await readCurrent(kind, key, scope, operation) };
}

async function readStart({ kind, key, operation }: Write, scope: WriteScope): Promise<Start> {
  const known = kind.startsFromMemory === true && !scope.dryRun ? knownState(kind, key) : undefined;
  const current = known ?? (await readCurrent(kind, key, scope, operation));
  // A store that tells sizes has told this one before the request began.
  if (known === undefined && current !== undefined && kind.storage.sizeOf?.(key) === undefined) {
    await scope.ifLarge?.(current.value.byteLength);
  }
  if (operation === 'update') tellUpdate('read');
  else if (known !== undefined) await tellKnown(kind, known);
  return { current, mayBeBehind: known !== undefined };
}

/** Undefined: absent, unreadable, or not in memory. */
function knownState(kind: StoreKind, key: string): StoredState | undefined {
  const cache = kind.openedCache?.();
  if (cache?.isServing !== true) return undefined;
  cache.takeIn();
  return cache.snapshot().entries.get(key);
}

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

/** Reads the stored bytes of an object, even if it is unreadable. */
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

async function tellKnown(kind: StoreKind, known: StoredState): Promise<void> {
  const span = storeSpan('Get', kind, known.key);
  if (span !== undefined) await inSpan(span, async () => tellRead('store', known));
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
  const put = (): Promise<WriteResult> => orStatus(kind.storage.put(request), scope, operation);
  const result = await whileWritten(key, value, put);
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
