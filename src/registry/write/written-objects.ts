import type { KubernetesObject } from '../../api/meta/object.ts';
import { isUnstructuredKind } from '../../schema/unstructured.ts';
import type { StoreKind } from '../stored/store-kind.ts';

/*
 * The objects of the latest writes, by the bytes that are stored of them: their answers and events in other encodings
 * are made from them instead of parsing the bytes. Nobody modifies an object that has been written.
 */
const objects = new WeakMap<Uint8Array, Readonly<KubernetesObject>>();

/** About as many as are written and told of at the same time. */
const maxObjects = 64;
/** Larger ones are rare, and would be held for long. */
const maxBytes = 64 * 1024;
const latest: (Uint8Array | undefined)[] = Array.from({ length: maxObjects }, () => undefined);
let next = 0;

type Written = Pick<StoreKind, 'codec' | 'inStoredVersion' | 'resource'>;

/** Notes an object that is about to be written or removed, if it is in the version that is stored. */
export function noteWritten(kind: Written, value: Uint8Array, object: Readonly<KubernetesObject>): void {
  const { codec, inStoredVersion, resource } = kind;
  if (codec.seen === undefined && inStoredVersion === undefined && !isUnstructuredKind(resource)) note(value, object);
}

/** Notes that these bytes, received from the store, are those of a write. */
export function noteReceived(value: Uint8Array, written: Uint8Array): void {
  const object = objects.get(written);
  if (object !== undefined) note(value, object);
}

function note(value: Uint8Array, object: Readonly<KubernetesObject>): void {
  if (value.length > maxBytes || objects.has(value)) return;
  const oldest = latest[next];
  if (oldest !== undefined) objects.delete(oldest);
  latest[next] = value;
  next = (next + 1) % maxObjects;
  objects.set(value, object);
}

/**
 * The object that these bytes were encoded from, if that was one of the latest writes. Its resourceVersion is not
 * theirs.
 */
export function writtenObject(value: Uint8Array): Readonly<KubernetesObject> | undefined {
  return objects.get(value);
}
