import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { locateVersion, objectBytes, type LocatedObject } from '../../codec/stored-object.ts';

/** An object as stored: bytes without a resourceVersion, and the revision that is its resourceVersion. */
export interface StoredObject {
  /** Absent: whoever has it does not need it. */
  readonly key?: string;
  readonly value: Uint8Array;
  /** 0: not stored (a create in a dry run). */
  readonly modRevision: number;
  /** The resourceVersion that a dry run shows instead, as the client has written it. */
  readonly shownVersion?: string;
}

/** The resourceVersion to show; undefined if there is none. */
export function versionOf({ modRevision, shownVersion }: StoredObject): string | undefined {
  return shownVersion ?? (modRevision === 0 ? undefined : String(modRevision));
}

/** The resourceVersion to show, escaped for a JSON string in ASCII; undefined if there is none. */
export function writtenVersion(stored: StoredObject): string | undefined {
  if (stored.shownVersion === undefined) return versionOf(stored);
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(stored.shownVersion)
    .slice(1, -1)
    .replace(/[^ -~]/g, escaped);
}

/** What a dry run would have stored. */
export function dryRunObject(value: Uint8Array, modRevision: number, given = ''): StoredObject {
  return given === '' || (modRevision > 0 && given === String(modRevision))
    ? { value, modRevision }
    : { value, modRevision, shownVersion: given };
}

/** The bytes and the position of the resourceVersion; the watch cache remembers it. */
export function locatedOf(stored: StoredObject): LocatedObject {
  return stored instanceof CacheEntry ? stored.located() : locateVersion(stored.value);
}

/** The object as JSON, with its resourceVersion. */
export function storedJson(stored: StoredObject): Uint8Array {
  const located = locatedOf(stored);
  const version = writtenVersion(stored);
  return version === undefined ? located.bytes : objectBytes(located, version);
}

/** An object as it was read, and the bytes that it was read from. */
export interface ReadObject {
  readonly object: Readonly<KubernetesObject>;
  readonly bytes: Uint8Array;
}

/**
 * Why an object is decoded:
 *
 * | for | |
 * |---|---|
 * | reading | a new object that the caller may modify |
 * | change | remembered as it was read (`read-forms.ts`); other writes may start from it: nobody modifies it |
 * | metadata | other fields may be missing; it shares parts of what is known (`known-states.ts`): nobody modifies it |
 */
export type DecodedFor = 'reading' | 'change' | 'metadata';

/** Encodes and decodes stored objects of one kind. */
export interface StoredCodec {
  /**
   * The stored form: no resourceVersion, fields in wire order. Fields that are those of the `read` object, the same in
   * memory, keep their bytes if it was read for a change. Kinds that a webhook converts have to be waited for.
   */
  encode(object: Readonly<KubernetesObject>, read?: ReadObject): Soon<Buffer>;
  /** The object with `metadata.resourceVersion` of `stored`; for reading if nothing is said. */
  decode(stored: StoredObject, purpose?: DecodedFor): KubernetesObject;
  /** The form in which objects are seen, if that version may differ from the stored one; absent: it does not. */
  readonly seen?: SeenForm;
}

/** A codec of objects in the version in which they are stored. */
export interface PlainCodec extends StoredCodec {
  encode(object: Readonly<KubernetesObject>, read?: ReadObject): Buffer;
}

/** The form of objects in the version in which they are seen. */
export interface SeenForm {
  /** Whether an object is stored like that. */
  shows(stored: StoredObject): boolean;
  readonly codec: PlainCodec;
}

/** Decodes objects one after the other; others run in between, so that who reads them need not think of that. */
export async function* decoded(codec: StoredCodec, all: Iterable<StoredObject>): AsyncGenerator<KubernetesObject> {
  const timeSlice = new TimeSlice();
  for (const stored of all) {
    if (timeSlice.isOver) await timeSlice.next();
    yield codec.decode(stored);
  }
}

export async function decodeAll(codec: StoredCodec, all: Iterable<StoredObject>): Promise<KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  for await (const object of decoded(codec, all)) objects.push(object);
  return objects;
}
