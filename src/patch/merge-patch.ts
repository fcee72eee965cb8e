import { hugeKeys, noteHuge } from '../api/huge-objects.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import { type HugeKeys, listedKeys } from '../api/json-tree.ts';
import type { Work } from '../api/turns.ts';
import type { PatchedDocument } from './patched-document.ts';

/** Applies a JSON merge patch (RFC 7386) to a document that is an object; `known` are keys of objects in the patch. */
export function* applyMergePatch(document: PatchedDocument, patch: Readonly<JsonObject>, known?: HugeKeys): Work<void> {
  if (isJsonObject(document.root)) yield* mergeAll(document, [{ target: document.root, patch }], known);
}

/** What is still to be done to a container of the document. */
type Waiting =
  /** An object that a part of the patch is merged into. */
  | { readonly target: JsonObject; readonly patch: Readonly<JsonObject>; readonly list?: undefined }
  /** A list of the patch, to be rid of null members. */
  | { readonly list: JsonValue[] };

interface Merging {
  readonly patch: Readonly<JsonObject>;
  readonly known: HugeKeys | undefined;
  readonly waiting: Waiting[];
}

/** Iterative rather than recursive: patches may nest ten thousand deep. */
function* mergeAll(document: PatchedDocument, waiting: Waiting[], known: HugeKeys | undefined): Work<void> {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.list !== undefined) yield* openItems(document, next.list, waiting);
    else yield* mergeMembers(document, next.target, { patch: next.patch, known, waiting });
  }
}

function* mergeMembers(document: PatchedDocument, target: JsonObject, { patch, known, waiting }: Merging): Work<void> {
  yield;
  const keys = listedKeys(patch, known);
  for (const key of keys) {
    const value = patch[key] ?? null;
    const existing = getOwn(target, key) ?? null;
    if (value === null) {
      delete target[key];
    } else if (!isJsonObject(existing)) {
      setOwn(target, key, withoutNulls(document, value, waiting));
    } else if (isJsonObject(value)) {
      const opened = document.open(existing);
      setOwn(target, key, opened);
      waiting.push({ target: opened, patch: value });
    } else {
      setOwn(target, key, value);
    }
  }
  if (keys.length >= hugeKeys) noteHuge(target, keys[0] as string); // not empty
}

/** A value that replaces another loses its null members, once `waiting` is done; null items of its lists stay. */
function withoutNulls(document: PatchedDocument, value: JsonValue, waiting: Waiting[]): JsonValue {
  if (isJsonObject(value)) {
    const target = document.open<JsonObject>({});
    waiting.push({ target, patch: value });
    return target;
  }
  if (!Array.isArray(value)) return value;
  const list = document.open(value);
  waiting.push({ list });
  return list;
}

function* openItems(document: PatchedDocument, list: JsonValue[], waiting: Waiting[]): Work<void> {
  yield;
  for (const [index, item] of list.entries()) {
    if (typeof item !== 'object' || item === null) continue;
    list[index] = withoutNulls(document, item, waiting);
  }
}

/** A patch that is a list replaces the document. */
export function* replaceByList(
  document: PatchedDocument,
  patch: readonly JsonValue[],
  known: HugeKeys | undefined,
): Work<void> {
  const waiting: Waiting[] = [];
  document.root = withoutNulls(document, [...patch], waiting);
  yield* mergeAll(document, waiting, known);
}
