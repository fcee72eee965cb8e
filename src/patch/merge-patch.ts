import { bottomUp } from '../api/collections/bottom-up.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import type { PatchedDocument } from './patched-document.ts';

/** Applies a JSON merge patch (RFC 7386) to a document that is an object. */
export function applyMergePatch(document: PatchedDocument, patch: Readonly<JsonObject>): void {
  if (isJsonObject(document.root)) document.root = merged(document, document.root, patch);
}

/** A patch that is a list replaces the document. */
export function replaceByList(document: PatchedDocument, patch: readonly JsonValue[]): void {
  document.root = withoutNulls(document, [...patch]);
}

const merged = bottomUp(
  (document: PatchedDocument, target: Readonly<JsonObject>, patch: Readonly<JsonObject>): JsonObject => {
    const result = document.own({ ...target });
    for (const key of Object.keys(patch)) {
      const value = patch[key] ?? null;
      const existing = getOwn(target, key);
      if (value === null) delete result[key];
      else if (!isJsonObject(existing)) setOwn(result, key, withoutNulls(document, value));
      else setOwn(result, key, isJsonObject(value) ? merged(document, existing, value) : value);
    }
    return result;
  },
  {},
);

/** A value that replaces another loses its null members; null items of its lists stay. */
function withoutNulls(document: PatchedDocument, value: JsonValue): JsonValue {
  return typeof value === 'object' && value !== null ? containerWithoutNulls(document, value) : value;
}

const containerWithoutNulls = bottomUp(
  (document: PatchedDocument, value: JsonObject | JsonValue[]): JsonObject | JsonValue[] => {
    if (Array.isArray(value)) return document.own(value.map((item) => withoutNulls(document, item)));
    const kept = document.own<JsonObject>({});
    for (const key of Object.keys(value)) {
      const item = value[key] ?? null;
      if (item !== null) setOwn(kept, key, withoutNulls(document, item));
    }
    return kept;
  },
  [],
);
