import { pauseIsDue } from '../api/findings.ts';
import { hugeKeys, noteHuge } from '../api/huge-objects.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import { type HugeKeys, listedKeys } from '../api/json-tree.ts';
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
  const keys = listedKeys(patch, known);
  for (const key of keys) {
    if (pauseIsDue()) yield;
    const value = patch[key] ?? null;
    const existing = getOwn(target, key) ?? null;
    if (value === null) {
      delete target[key];
    } else if (!isJsonObject(existing)) {
      setOwn(target, key, isPlain(value) ? value : yield* withoutNulls(document, value, known));
    } else if (isJsonObject(value)) {
      const opened = document.open(existing);
      setOwn(target, key, opened);
      yield* merge(document, opened, { patch: value, known });
    } else {
      setOwn(target, key, value);
    }
  }
  if (keys.length >= hugeKeys) noteHuge(target, keys[0] as string); // not empty
}

/** Neither an object nor a list. */
function isPlain(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}

/** A value that replaces another loses its null members; null items of its lists stay. */
function* withoutNulls(document: PatchedDocument, value: JsonValue, known: HugeKeys | undefined): Work<JsonValue> {
  if (isJsonObject(value)) {
    const target = document.open<JsonObject>({});
    yield* merge(document, target, { patch: value, known });
    return target;
  }
  if (!Array.isArray(value)) return value;
  const opened = document.open(value);
  for (const [index, item] of opened.entries()) {
    if (isPlain(item)) continue;
    if (pauseIsDue()) yield;
    opened[index] = yield* withoutNulls(document, item, known);
  }
  return opened;
}

/** A patch that is a list replaces the document. */
export function* replaceByList(
  document: PatchedDocument,
  patch: readonly JsonValue[],
  known: HugeKeys | undefined,
): Work<void> {
  document.root = yield* withoutNulls(document, [...patch], known);
}
