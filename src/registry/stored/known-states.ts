import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { StoredObject } from './stored-object.ts';

/*
 * What this thread has written lately. Writes start from it, and answers and events in other encodings than JSON are
 * made of it, so none of the states of an object is parsed as long as all of its writes are made here:
 *
 *     create     writes 41: kept as it was written
 *     update 1   reads 41, kept                     writes 42: kept in its place
 *
 * A state is known by its key and found by its bytes, so none is stale, whoever else has written the object. States are
 * shared by all writes of this thread: nobody modifies one. They share the parts that writes have left as they were.
 */

/** An object as stored, parsed, and what has been decoded of it. */
export interface KnownState {
  /** The codec that has read or written it: others have another schema. */
  readonly codec: object;
  readonly bytes: Uint8Array;
  /** What parsing the bytes would yield. */
  readonly parsed: JsonObject;
  /** Fields that need not be decoded again; undefined: they decode to nothing. */
  readonly decoded: ReadonlyMap<string, JsonValue | undefined>;
  /** Whether this server would write the same bytes; undefined until somebody asks. */
  isInWireForm?: boolean | undefined;
  /** Whether it has zero times that only the decoding of what is stored yields; absent: none, or not decoded yet. */
  hasZeroTimes?: boolean | undefined;
  /** Decoded as a whole, at the revision that was asked for last. */
  object?: KubernetesObject;
  revision?: number;
}

/** Memory of a parsed and decoded object, with its bytes, for each byte of JSON: 2.6 for a pod that nobody owns. */
const heapPerByte = 3;
const maxHeapBytes = 16 * 1024 * 1024;
/** States that nobody writes on from are forgotten after this time, or twice that. */
const idleMs = 60_000;

let recent = new Map<string, KnownState>();
/** A generation before; those that are used again move to `recent`. */
let older: ReadonlyMap<string, KnownState> = new Map();
/** The heap taken by `recent`. */
let heapBytes = 0;
let aging: NodeJS.Timeout | undefined;

/** States that have been encoded. */
const noted = new WeakMap<Uint8Array, KnownState>();
/** States that are being written: an event may tell of one before the store has answered. */
const underWay = new Map<string, KnownState>();

/** Notes what has been encoded, until it is known to be stored. */
export function noteEncoded(state: KnownState): void {
  noted.set(state.bytes, state);
}

/** Runs `put`, which writes these bytes. Their state, if there is one, is known meanwhile, and later if it succeeds. */
export async function whileWritten<T extends { readonly succeeded: boolean }>(
  key: string,
  bytes: Uint8Array,
  put: () => Promise<T>,
): Promise<T> {
  const state = noted.get(bytes);
  if (state !== undefined) underWay.set(key, state);
  try {
    const result = await put();
    if (result.succeeded) keepWritten(key, bytes);
    return result;
  } finally {
    if (underWay.get(key) === state) underWay.delete(key);
  }
}

/** Keeps the state of an object that has been written, if it is known. */
export function keepWritten(key: string, bytes: Uint8Array): void {
  const state = noted.get(bytes);
  // The watch cache keeps the bytes for longer than the limit lets a state live.
  noted.delete(bytes);
  if (state === undefined) forgetState(key);
  else keepState(key, state);
}

/** What is stored under its key, if a codec knows that. */
export function knownState({ key, value }: StoredObject, codec: object): KnownState | undefined {
  if (key === undefined) return undefined;
  const state = recent.get(key) ?? older.get(key);
  if (state === undefined || state.codec !== codec || !areEqual(state.bytes, value)) return undefined;
  if (!recent.has(key)) keepState(key, state);
  return state;
}

/** What parsing the bytes of a stored object would yield, if that is known. */
export function knownJson({ key, value }: StoredObject): Readonly<JsonObject> | undefined {
  if (key === undefined) return undefined;
  for (const state of [underWay.get(key), recent.get(key), older.get(key)]) {
    if (state !== undefined && areEqual(state.bytes, value)) return state.parsed;
  }
  return undefined;
}

/** Keeps a state in place of the one before, within the limit. */
export function keepState(key: string, state: KnownState): void {
  const size = sizeOf(state);
  if (size > maxHeapBytes / 2) return;
  const before = recent.get(key);
  if (before !== undefined) heapBytes -= sizeOf(before);
  if (heapBytes + size > maxHeapBytes / 2) age();
  recent.set(key, state);
  heapBytes += size;
  aging ??= setTimeout(ageLater, idleMs).unref();
}

/** Forgets the state of a key. */
export function forgetState(key: string): void {
  const state = recent.get(key);
  if (state === undefined) return;
  recent.delete(key);
  heapBytes -= sizeOf(state);
}

function age(): void {
  older = recent;
  recent = new Map();
  heapBytes = 0;
}

/** Without anything to forget there is no timer. */
function ageLater(): void {
  age();
  aging = older.size === 0 ? undefined : setTimeout(ageLater, idleMs).unref();
}

function sizeOf({ bytes }: KnownState): number {
  return bytes.length * heapPerByte;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && Buffer.compare(a, b) === 0);
}
