import { encodeAny } from '../api/json-text.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import { encodeStored } from '../schema/encode-stored.ts';
import type { Schema } from '../schema/schema.ts';
import { isUnstructured } from '../schema/unstructured.ts';

/*
 * Objects are stored as the JSON that clients receive, but for the resource version, which is known after the write:
 *
 *   {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"u","creationTimestamp":"..."},"spec":{...}}
 *    '---------- prefixLength ------'                              ^ versionOffset
 *
 * A whole object is the bytes with `,"resourceVersion":"5"` at versionOffset. Items of built-in lists also drop kind and
 * apiVersion. Nothing here parses or keeps bytes: sizes and offsets are found once and kept by the cache.
 */
export interface LocatedObject {
  readonly bytes: Uint8Array;
  /** Where the field `resourceVersion` belongs. */
  readonly versionOffset: number;
  /** Bytes of `{"kind":...,"apiVersion":...,` less the brace; 0 for custom resources, whose items keep them. */
  readonly prefixLength: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Encodes an object as it is stored: without its resource version. `object` has kind and apiVersion. */
export function encodeForStorage(schema: Schema, object: Readonly<JsonObject>): Buffer {
  return isUnstructured(schema) ? encodeCustomForStorage(object) : encodeStored(schema, object);
}

/** Custom resources have sorted keys, with kind and apiVersion among them. */
function encodeCustomForStorage(object: Readonly<JsonObject>): Buffer {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return Buffer.from(encodeAny(object));
  const { resourceVersion: _, ...rest } = metadata;
  return Buffer.from(encodeAny({ ...object, metadata: rest }));
}

/** Finds both offsets in stored bytes, which this server or kube-apiserver has written as JSON. */
export function locateVersion(bytes: Uint8Array): LocatedObject {
  const prefixLength = typedPrefixLength(bytes);
  const metadata = findMetadata(bytes);
  const versionOffset = metadata === -1 ? -1 : versionOffsetIn(bytes, metadata, prefixLength > 0);
  if (versionOffset === -1) throw new Error('stored bytes are no object with metadata');
  return { bytes, versionOffset, prefixLength };
}

/** `{"kind":"` opens typed objects alone: sorted keys start with apiVersion. */
function typedPrefixLength(bytes: Uint8Array): number {
  let position = 1;
  for (const name of ['"kind":', '"apiVersion":']) {
    if (!startsWith(bytes, name, position)) return 0;
    position = skipString(bytes, position + name.length);
    if (bytes[position] === comma) position++;
  }
  return position - 1;
}

/** Position after the brace of the top-level field `metadata`; -1 when there is none. */
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

/** The text of `metadata` in stored bytes; undefined when there is none. */
export function metadataText(bytes: Uint8Array): Uint8Array | undefined {
  const start = findMetadata(bytes) - 1;
  return start < 0 ? undefined : bytes.subarray(start, skipValue(bytes, start));
}

/** Names that stand before `resourceVersion` in wire order. */
const namesBefore: ReadonlySet<string> = new Set(['name', 'generateName', 'namespace', 'selfLink', 'uid']);

/** A copy of `metadata` with the resource version in its place in wire order. */
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

function startsWith(bytes: Uint8Array, text: string, position: number): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[position + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Position after the string that starts at `position`. */
function skipString(bytes: Uint8Array, position: number): number {
  let i = position + 1;
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1;
  return i + 1;
}

/** Position after the value that starts at `position`, which a comma or closing bracket follows. */
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

/** Bytes of the whole object with `resourceVersion`. */
export function objectSize(stored: LocatedObject, resourceVersion: string): number {
  return stored.bytes.length + versionField + commas(stored) + resourceVersion.length;
}

/** Bytes of the object as an item of a list. */
export function itemSize(stored: LocatedObject, resourceVersion: string): number {
  return objectSize(stored, resourceVersion) - stored.prefixLength;
}

/** Writes the whole object into `target` at `position` and returns the position after it. */
export function copyObject(
  stored: LocatedObject,
  resourceVersion: string,
  into: { readonly target: Uint8Array; readonly position: number },
): number {
  return copyFrom(stored, resourceVersion, { ...into, start: 0 });
}

/** Writes the object as an item of a list and returns the position after it. */
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

/** The whole object with `resourceVersion` in bytes of its own. */
export function objectBytes(stored: LocatedObject, resourceVersion: string): Buffer {
  const target = Buffer.allocUnsafe(objectSize(stored, resourceVersion));
  copyObject(stored, resourceVersion, { target, position: 0 });
  return target;
}

/** The object as an item of a list in bytes of its own. */
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
