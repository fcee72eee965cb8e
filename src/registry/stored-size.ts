import { objectKey, type StoreKind } from './store-kind.ts';

/**
 * Size in bytes of a stored object, as far as this thread can tell without asking the store; undefined: it is absent,
 * or not known.
 */
export function storedBytes(kind: StoreKind, namespace: string, name: string): number | undefined {
  const key = objectKey(kind, namespace, name);
  return kind.storage.sizeOf?.(key) ?? kind.openedCache?.()?.sizeOf(key);
}
