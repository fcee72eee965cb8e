import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import type { PatchedDocument } from './patched-document.ts';

/** Merges a JSON merge patch (RFC 7386) into a document that is an object. */
export function applyMergePatch(document: PatchedDocument, patch: Readonly<JsonObject>): void {
  if (isJsonObject(document.root)) merge(document, document.root, patch);
}

/** `target` belongs to the document. */
function merge(document: PatchedDocument, target: JsonObject, patch: Readonly<JsonObject>): void {
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    const existing = getOwn(target, key) ?? null;
    if (value === null) {
      delete target[key];
    } else if (!isJsonObject(existing)) {
      setOwn(target, key, withoutNulls(document, value));
    } else if (isJsonObject(value)) {
      const opened = document.open(existing);
      setOwn(target, key, opened);
      merge(document, opened, value);
    } else {
      setOwn(target, key, value);
    }
  }
}

/** A value that replaces another has no null members; items of its lists keep theirs where they are null themselves. */
function withoutNulls(document: PatchedDocument, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const opened = document.open(value);
    for (const [index, item] of opened.entries()) opened[index] = withoutNulls(document, item);
    return opened;
  }
  if (!isJsonObject(value)) return value;
  const opened = document.open(value);
  for (const key of Object.keys(opened)) {
    const item = opened[key] ?? null;
    if (item === null) delete opened[key];
    else setOwn(opened, key, withoutNulls(document, item));
  }
  return opened;
}

/** A patch that is a list takes the place of the document. */
export function replaceByList(document: PatchedDocument, patch: readonly JsonValue[]): void {
  document.root = withoutNulls(document, [...patch]);
}
