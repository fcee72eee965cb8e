import { hugeKeys, noteHuge } from '../api/huge-objects.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import type { HugeKeys } from '../api/json-tree.ts';
import type { Work } from '../api/turns.ts';
import type { PatchedDocument } from './patched-document.ts';

/** Applies a JSON merge patch (RFC 7386) to a document that is an object; `known` are keys of objects in the patch. */
export function* applyMergePatch(document: PatchedDocument, patch: Readonly<JsonObject>, known?: HugeKeys): Work<void> {
  if (isJsonObject(document.root)) yield* merge(document, document.root, { patch, known });
}

interface Merging {
  readonly patch: Readonly<JsonObject>;
  readonly known: HugeKeys | undefined;
}

/** `target` belongs to the document. */
function* merge(document: PatchedDocument, target: JsonObject, { patch, known }: Merging): Work<void> {
  const keys = known?.get(patch) ?? Object.keys(patch);
  for (const [i, key] of keys.entries()) {
    if (i % hugeKeys === hugeKeys - 1) yield;
    const value = patch[key] ?? null;
    const existing = getOwn(target, key) ?? null;
    if (value === null) {
      delete target[key];
    } else if (!isJsonObject(existing)) {
      setOwn(target, key, withoutNulls(document, value));
    } else if (isJsonObject(value)) {
      const opened = document.open(existing);
      setOwn(target, key, opened);
      yield;
      yield* merge(document, opened, { patch: value, known });
    } else {
      setOwn(target, key, value);
    }
  }
  if (keys.length >= hugeKeys) noteHuge(target, keys[0] as string); // not empty
}

/** A value that replaces another loses its null members; null items of its lists stay. */
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

/** A patch that is a list replaces the document. */
export function replaceByList(document: PatchedDocument, patch: readonly JsonValue[]): void {
  document.root = withoutNulls(document, [...patch]);
}
