import { type JsonWriter, written } from '../api/json/json-writer.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import { writeAny } from '../api/json/write-json.ts';
import { encodeStored } from '../schema/encode-stored.ts';
import type { Schema } from '../schema/schema.ts';
import { isUnstructured } from '../schema/unstructured.ts';
import { skipString } from './string-end.ts';

/*
 * Objects are stored as the JSON that clients receive, without the resource version, which is only known after the
 * write:
 *
 *   {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"u","creationTimestamp":"..."},"spec":{...}}
 *    '---------- prefixLength ------'                              ^ versionOffset
 *
 * The whole object is the bytes with `,"resourceVersion":"5"` inserted at versionOffset. Items of built-in lists also
 * omit kind and apiVersion. Nothing here parses or retains bytes: sizes and offsets are computed once and kept by the
 * cache.
 */
export interface LocatedObject {
  readonly bytes: Uint8Array;
  /** Offset at which `resourceVersion` belongs. */
  readonly versionOffset: number;
  /** Length of `{"kind":...,"apiVersion":...,` without the brace; 0 for custom resources, whose items keep them. */
  readonly prefixLength: number;
}

const quote = 0x22;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;

/** Encodes an object for storage: without its resource version. `object` has kind and apiVersion. */
export function encodeForStorage(schema: Schema, object: Readonly<JsonObject>): Buffer {
  if (!isUnstructured(schema)) return encodeStored(schema, object);
  return withoutSignedZeros(written((out) => writeCustom(out, object)));
}

const signedZeroStarts = [':-0', '[-0', ',-0'];

/** JSON as it is once it has been read and written again: a zero in it is an integer, which has no sign. */
function withoutSignedZeros(bytes: Buffer): Buffer {
  if (!signedZeroStarts.some((start) => bytes.includes(start))) return bytes;
  const kept = Buffer.allocUnsafe(bytes.length);
  let size = 0;
  let runStart = 0;
  for (let at = 0; at < bytes.length;) {
    if (isSignedZero(bytes, at)) {
      size += bytes.copy(kept, size, runStart, at);
      runStart = at + 1;
    }
    at = bytes[at] === quote ? skipString(bytes, at) : at + 1;
  }
  size += bytes.copy(kept, size, runStart);
  return kept.subarray(0, size);
}

/** Whether `-0` is a whole number. */
function isSignedZero(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== minus || bytes[at + 1] !== zero) return false;
  const after = bytes[at + 2] ?? 0;
  return after !== point && (after < zero || after > nine);
}

/** Custom resources have sorted keys, including kind and apiVersion. */
function writeCustom(out: JsonWriter, object: Readonly<JsonObject>): void {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return writeAny(out, object);
  const { resourceVersion: _, ...rest } = metadata;
  return writeAny(out, { ...object, metadata: rest });
}

/** Finds both offsets in stored bytes written as JSON by this server or by kube-apiserver. */
export function locateVersion(bytes: Uint8Array): LocatedObject {
  const prefixLength = typedPrefixLength(bytes);
  const metadata = findMetadata(bytes);
  const versionOffset = metadata === -1 ? -1 : versionOffsetIn(bytes, metadata, prefixLength > 0);
  if (versionOffset === -1) throw new Error('the stored value is not an object with metadata');
  return { bytes, versionOffset, prefixLength };
}

/** Only typed objects begin with `{"kind":"`: sorted keys start with apiVersion. */
function typedPrefixLength(bytes: Uint8Array): number {
  let position = 1;
  for (const name of ['"kind":', '"apiVersion":']) {
    if (!startsWith(bytes, name, position)) return 0;
    position = skipString(bytes, position + name.length);
    if (bytes[position] === comma) position++;
  }
  return position - 1;
}

/** Offset after the brace of the top-level `metadata`; -1 when absent. */
function findMetadata(bytes: Uint8Array): number {
  let position = 1;
  while (bytes[position] === quote) {
    const end = skipString(bytes, position);
    const found = startsWith(bytes, '"metadata":{', position);
    if (found) return end + 2;
    position = skipValue(bytes, end + 1);
    if (bytes[position] !== comma) return -1;
    position++;
  }
  return -1;
}

/** The JSON of `metadata` in a stored object without `managedFields`, its longest part; undefined when it has none. */
export function metadataText(bytes: Uint8Array): string | undefined {
  const first = findMetadata(bytes);
  if (first === -1) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [owned] = fieldsOf(bytes, first, [managedFieldsName]);
  if (owned === undefined) return text.toString('utf8', first - 1, skipValue(bytes, first - 1));
  const { start, next } = owned;
  let end = next;
  while (bytes[end] === comma) end = skipValue(bytes, skipString(bytes, end + 1) + 1);
  const isFirst = start === first;
  const before = text.toString('utf8', first - 1, isFirst ? start : start - 1);
  return before + text.toString('utf8', isFirst && bytes[next] === comma ? next + 1 : next, end + 1);
}

/** Where the `metadata` of a stored object has the fields of these names. */
export function metadataFields(bytes: Uint8Array, names: readonly string[]): readonly (FieldPlace | undefined)[] {
  const first = findMetadata(bytes);
  return first === -1 ? names.map(() => undefined) : fieldsOf(bytes, first, names);
}

/** The uid of a stored object; empty when it has none. */
export function uidOf(bytes: Uint8Array): string {
  const [uid] = metadataFields(bytes, ['uid']);
  return uid !== undefined && bytes[uid.value] === quote ? latin1(bytes, uid.value + 1, uid.next - 1) : '';
}

/** Offsets of a field, of its value and after that. */
interface FieldPlace {
  readonly start: number;
  readonly value: number;
  readonly next: number;
}

const managedFieldsName = 'managedFields';

/** Fields of the metadata that begins at `first`. */
function fieldsOf(bytes: Uint8Array, first: number, names: readonly string[]): readonly (FieldPlace | undefined)[] {
  const found: (FieldPlace | undefined)[] = names.map(() => undefined);
  let left = names.length;
  let start = first;
  while (left > 0 && bytes[start] === quote) {
    const value = skipString(bytes, start) + 1;
    const at = names.findIndex((name) => isFieldAt(bytes, start, name));
    // The longest field of all, and the last one of typed objects.
    if (at === -1 && isFieldAt(bytes, start, managedFieldsName) && typedPrefixLength(bytes) > 0) break;
    const next = skipValue(bytes, value);
    if (at !== -1) {
      found[at] = { start, value, next };
      left--;
    }
    start = bytes[next] === comma ? next + 1 : -1;
  }
  return found;
}

/** Fields that precede `resourceVersion` in wire order. */
const namesBefore: ReadonlySet<string> = new Set(['name', 'generateName', 'namespace', 'selfLink', 'uid']);

/** A copy of `metadata` with the resource version inserted in wire order. */
export function withResourceVersion(metadata: Readonly<JsonObject>, resourceVersion: string): JsonObject {
  const copy: JsonObject = {};
  let isSet = false;
  for (const key in metadata) {
    if (!isSet && !namesBefore.has(key)) {
      copy['resourceVersion'] = resourceVersion;
      isSet = true;
    }
    if (key !== 'resourceVersion') setOwn(copy, key, metadata[key] as JsonValue); // an own key
  }
  if (!isSet) copy['resourceVersion'] = resourceVersion;
  return copy;
}

function versionOffsetIn(bytes: Uint8Array, start: number, typed: boolean): number {
  let position = start;
  let offset = start;
  while (bytes[position] === quote) {
    const end = skipString(bytes, position);
    const name = latin1(bytes, position + 1, end - 1);
    if (typed ? !namesBefore.has(name) : name > 'resourceVersion') break;
    offset = skipValue(bytes, end + 1);
    if (bytes[offset] !== comma) break;
    position = offset + 1;
  }
  return offset;
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] ?? 0);
  return text;
}

/** Whether a field of this name, which has no escapes, begins at `position`. */
export function isFieldAt(bytes: Uint8Array, position: number, name: string): boolean {
  return (
    bytes[position] === quote && bytes[position + name.length + 1] === quote && startsWith(bytes, name, position + 1)
  );
}

function startsWith(bytes: Uint8Array, text: string, position: number): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[position + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Offset after the value at `position`, followed by a comma or closing bracket. */
export function skipValue(bytes: Uint8Array, position: number): number {
  let depth = 0;
  for (let i = position; i < bytes.length; i++) {
    switch (bytes[i]) {
      case quote:
        i = skipString(bytes, i) - 1;
        break;
      case openBrace:
      case openBracket:
        depth++;
        break;
      case closeBrace:
      case closeBracket:
        if (depth-- === 0) return i;
        break;
      case comma:
        if (depth === 0) return i;
        break;
    }
  }
  return bytes.length;
}

const versionField = '"resourceVersion":""'.length;

/** Size of the whole object with `resourceVersion`. */
export function objectSize(stored: LocatedObject, resourceVersion: string): number {
  return stored.bytes.length + versionField + commas(stored) + resourceVersion.length;
}

/** Size of the object as a list item. */
export function itemSize(stored: LocatedObject, resourceVersion: string): number {
  return objectSize(stored, resourceVersion) - stored.prefixLength;
}

/** Writes the whole object into `target` at `position` and returns the end. */
export function copyObject(
  stored: LocatedObject,
  resourceVersion: string,
  into: { readonly target: Uint8Array; readonly position: number },
): number {
  return copyFrom(stored, resourceVersion, { ...into, start: 0 });
}

/** Writes the object as a list item and returns the end. */
export function copyItem(
  stored: LocatedObject,
  resourceVersion: string,
  into: { readonly target: Uint8Array; readonly position: number },
): number {
  if (stored.prefixLength === 0) return copyObject(stored, resourceVersion, into);
  into.target[into.position] = openBrace;
  const { target, position } = into;
  return copyFrom(stored, resourceVersion, { target, position: position + 1, start: stored.prefixLength + 1 });
}

/** The whole object with `resourceVersion`, in a new buffer. */
export function objectBytes(stored: LocatedObject, resourceVersion: string): Buffer {
  const target = Buffer.allocUnsafe(objectSize(stored, resourceVersion));
  copyObject(stored, resourceVersion, { target, position: 0 });
  return target;
}

/** The object as a list item, in a new buffer. */
export function itemBytes(stored: LocatedObject, resourceVersion: string): Buffer {
  const target = Buffer.allocUnsafe(itemSize(stored, resourceVersion));
  copyItem(stored, resourceVersion, { target, position: 0 });
  return target;
}

function copyFrom(
  { bytes, versionOffset }: LocatedObject,
  resourceVersion: string,
  { target, position, start }: { target: Uint8Array; position: number; start: number },
): number {
  target.set(bytes.subarray(start, versionOffset), position);
  let at = position + versionOffset - start;
  if (bytes[versionOffset - 1] !== openBrace) target[at++] = comma;
  at = writeAscii(target, at, '"resourceVersion":"');
  at = writeAscii(target, at, resourceVersion);
  target[at++] = quote;
  if (needsCommaAfter(bytes, versionOffset)) target[at++] = comma;
  target.set(bytes.subarray(versionOffset), at);
  return at + bytes.length - versionOffset;
}

/** After the brace of metadata and before another field. */
function needsCommaAfter(bytes: Uint8Array, versionOffset: number): boolean {
  return bytes[versionOffset - 1] === openBrace && bytes[versionOffset] === quote;
}

function commas({ bytes, versionOffset }: LocatedObject): number {
  if (bytes[versionOffset - 1] !== openBrace) return 1;
  return needsCommaAfter(bytes, versionOffset) ? 1 : 0;
}

function writeAscii(target: Uint8Array, position: number, text: string): number {
  for (let i = 0; i < text.length; i++) target[position + i] = text.charCodeAt(i);
  return position + text.length;
}
