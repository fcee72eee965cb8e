import { bottomUp } from '../api/collections/bottom-up.ts';
import { goPrint, goPrintAsText, goTypeOf } from '../api/json/go-print.ts';
import { copyJson, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import { sortedKeys } from '../api/json/json-text.ts';
import { badRequest } from '../api/errors/status-errors.ts';
import { keepNotes } from '../api/json/written-notes.ts';
import type { Schema } from '../schema/schema.ts';
import { KeyPlaces } from './key-places.ts';
import { withoutRepeats } from './without-repeats.ts';
import { requireKey, requireList, requireObject, orderMerged } from './list-order.ts';
import { unclassified, unprocessable } from './patch-errors.ts';
import { goKindName, listField, objectField, type PatchType } from './patch-type.ts';

/*
 * Directives of a strategic merge patch:
 *
 * | in a patch object | effect |
 * |---|---|
 * | `$patch: replace` | the rest of the object replaces the old one |
 * | `$patch: delete` | the object becomes empty; an item of a merged list is removed |
 * | `$retainKeys: [a, b]` | all other fields of the old object are removed |
 * | `$setElementOrder/list: [...]` | order of the merged list |
 * | `$deleteFromPrimitiveList/list: [...]` | items to remove from a list of scalars |
 *
 * An item with `$patch: replace` in a merged list makes the patch's other items the whole list.
 */
const directive = '$patch';
const retainKeys = '$retainKeys';
const elementOrder = '$setElementOrder';
const deletions = '$deleteFromPrimitiveList';

/** Messages (400) for malformed directives. */
const badRetainKeys = 'invalid patch format of retainKeys';
const badElementOrder = 'invalid patch format of setElementOrder list';
const badDeletions = 'invalid patch format of primitive list';

export interface StrategicMerge {
  readonly object: JsonObject;
  /** The remains of the patch after the merge, as errors about the result show it; the result shares parts with it. */
  readonly shown: () => string;
}

/**
 * Merges a patch into an object in wire form, by the patch strategies of its schema. Modifies neither. Throws
 * StatusErrors. Members are merged in name order.
 */
export function strategicMergePatch(
  object: Readonly<JsonObject>,
  patch: Readonly<JsonObject>,
  schema: Schema,
): StrategicMerge {
  const ownPatch = copyJson(patch as JsonObject); // only read
  const ownObject = copyOfPatched(object as JsonObject, ownPatch); // only read
  const merged = mergeObject(ownObject, ownPatch, { schema, pointer: false });
  return { object: merged, shown: () => goPrint(ownPatch) };
}

/** A copy of an object that shares with it what the patch does not mention. */
const copyOfPatched = bottomUp((object: JsonObject, patch: JsonObject): JsonObject => {
  const copy: JsonObject = keepNotes(object, { ...object });
  for (const key in patch) {
    const [value, part] = [getOwn(object, key), patch[key]];
    if (isJsonObject(value) && isJsonObject(part)) setOwn(copy, key, copyOfPatched(value, part));
    else if (value !== undefined) setOwn(copy, key, copyJson(value));
    if (!key.startsWith('$')) continue;
    // `$setElementOrder/list`
    const field = key.slice(key.indexOf('/') + 1);
    const list = getOwn(object, field);
    if (list !== undefined) setOwn(copy, field, copyJson(list));
  }
  return copy;
}, {});

function mergeObject(original: JsonObject, patch: JsonObject, type: PatchType): JsonObject {
  if (Object.hasOwn(patch, directive)) return byDirective(patch);
  keepOnlyRetained(original, patch);
  const keys = sortedKeys(patch);
  for (const key of keys) if (key.startsWith(elementOrder)) mergeOrderedList(original, patch, key, type);
  for (const key of keys) if (Object.hasOwn(patch, key)) mergeMember(original, key, patch[key] ?? null, type);
  return original;
}

function byDirective(patch: JsonObject): JsonObject {
  const value = patch[directive] ?? null;
  if (value === 'replace') {
    delete patch[directive];
    return patch;
  }
  if (value === 'delete') return {};
  throw badPatchType(value, patch);
}

function badPatchType(value: JsonValue, patch: JsonObject): Error {
  return unclassified(`unknown patch type: ${goPrintAsText(value)} in map: ${goPrint(patch)}`);
}

function keepOnlyRetained(original: JsonObject, patch: JsonObject): void {
  if (!Object.hasOwn(patch, retainKeys)) return;
  const list = patch[retainKeys];
  delete patch[retainKeys];
  if (!Array.isArray(list)) throw badRequest(badRetainKeys);
  const retained = new Set(list);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || key.startsWith(deletions) || key.startsWith(elementOrder)) continue;
    if (!retained.has(key)) throw badRequest(badRetainKeys);
  }
  for (const key of Object.keys(original)) if (!retained.has(key)) delete original[key];
}

/** The field named by a `$directive/field` key. */
function fieldAfter(key: string, prefix: string, problem: string): string {
  const slash = key.indexOf('/');
  if (slash < 0 || key.slice(0, slash) !== prefix) throw badRequest(problem);
  return key.slice(slash + 1);
}

/** Merges a list with `$setElementOrder`, removing both from the patch. */
function mergeOrderedList(original: JsonObject, patch: JsonObject, key: string, type: PatchType): void {
  const value = patch[key] ?? null;
  delete patch[key];
  const order = requireList(value);
  const field = fieldAfter(key, elementOrder, badElementOrder);
  const originalList = ownList(original, field);
  const patchList = ownList(patch, field);
  const { type: element, strategy, mergeKey } = listField(type, field);
  requireSameOrder(patchList ?? [], order, mergeKey);
  const merged = mergeFound(originalList, patchList, { element, strategy, mergeKey });
  if (merged === undefined) return;
  const objects = elementsAreObjects(originalList ?? [], patchList ?? []);
  const serverOrder = originalList ?? [];
  const ordered = orderMerged({ merged, patchOrder: order, serverOrder, mergeKey, objects });
  setOwn(original, field, ordered);
  delete patch[field];
}

function ownList(object: JsonObject, field: string): JsonValue[] | undefined {
  return Object.hasOwn(object, field) ? requireList(object[field] ?? null) : undefined;
}

interface ListRules {
  readonly element: PatchType;
  readonly strategy: string;
  readonly mergeKey: string;
}

function mergeFound(
  original: JsonValue[] | undefined,
  patch: JsonValue[] | undefined,
  rules: ListRules,
): JsonValue[] | undefined {
  if (original === undefined) return patch && listWithoutDirectives(patch);
  if (patch === undefined) return original;
  return rules.strategy === 'merge' ? mergeList(original, patch, { rules }) : patch;
}

/** Items of the patch list must be in the order that the patch sets. */
function requireSameOrder(patchList: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (order.length === 0 || patchList.length === 0) return;
  const isDeletion = (item: JsonValue): boolean => requireObject(item)[directive] === 'delete';
  const items = mergeKey === '' ? patchList : patchList.filter((item) => !isDeletion(item));
  const identity = (item: JsonValue): JsonValue => (mergeKey === '' ? item : requireKey(item, mergeKey));
  let at = 0;
  let orderAt = 0;
  while (at < items.length && orderAt < order.length) {
    const item = items[at] ?? null;
    if (isJsonObject(item) && Object.hasOwn(item, directive)) {
      at += 1;
      continue;
    }
    if (identity(item) === identity(order[orderAt] ?? null)) at += 1;
    orderAt += 1;
  }
  if (at >= items.length) return;
  const lists = [patchList, order].map((list) => goPrint([...list]));
  throw unclassified(`The order in patch list:\n${lists[0]}\n doesn't match ${elementOrder} list:\n${lists[1]}\n`);
}

function mergeMember(original: JsonObject, patchKey: string, value: JsonValue, type: PatchType): void {
  const isDeletion = patchKey.startsWith(deletions);
  const key = (isDeletion ? fieldAfter(patchKey, deletions, badDeletions) : '') || patchKey;
  if (value === null) {
    delete original[key];
    return;
  }
  const existing = getOwn(original, key);
  if (existing === undefined || existing === null || goTypeOf(existing) !== goTypeOf(value)) {
    if (isDeletion) return;
    dropNulls(value);
    setKept(original, key, withoutDirectives(value));
  } else if (Array.isArray(existing)) {
    const { type: element, strategy, mergeKey } = listField(type, key);
    const patch = requireList(value);
    const rules = { element, strategy, mergeKey };
    const merges = strategy === 'merge' || isDeletion;
    setOwn(original, key, merges ? mergeList(existing, patch, { rules, isDeletion }) : patch);
  } else if (isJsonObject(existing)) {
    const { type: member, strategy } = objectField(type, key);
    const patch = requireObject(value);
    setOwn(original, key, strategy === 'replace' ? patch : mergeObject(existing, patch, member));
  } else {
    setOwn(original, key, value);
  }
}

function mergeList(
  original: JsonValue[],
  patch: JsonValue[],
  { rules, isDeletion = false }: { readonly rules: ListRules; readonly isDeletion?: boolean },
): JsonValue[] {
  if (original.length === 0 && patch.length === 0) return original;
  const { element, mergeKey } = rules;
  const objects = elementsAreObjects(original, patch);
  if (!objects && isDeletion) return without(original, patch);
  if (!objects) {
    const merged = withoutRepeats([...original, ...patch]);
    return orderMerged({ merged, patchOrder: patch, serverOrder: original, mergeKey, objects });
  }
  if (mergeKey === '') throw unclassified(`cannot merge lists without merge key for ${goKindName(element)}`);
  const { kept, items } = obeyDirectives(original, patch, mergeKey);
  const merged = mergeItems([...kept], items, rules);
  // A new item takes the slot that a deleted one freed at the end, as in the reference: `$setElementOrder` then treats
  // it as the server's.
  for (let i = 0; i < original.length; i += 1) original[i] = merged[i] ?? original[i] ?? null;
  return orderMerged({ merged, patchOrder: items, serverOrder: kept, mergeKey, objects });
}

function without(list: readonly JsonValue[], deleted: readonly JsonValue[]): JsonValue[] {
  const set = new Set(deleted);
  return list.filter((item) => !set.has(item));
}

/** Removes items with directives from the patch, and from the original list the items they delete or replace. */
function obeyDirectives(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string,
): { readonly kept: readonly JsonValue[]; readonly items: readonly JsonValue[] } {
  const items: JsonValue[] = [];
  const deleted = new Set<JsonValue>();
  let replaced = false;
  for (const item of patch) {
    const object = requireObject(item);
    if (!Object.hasOwn(object, directive)) {
      items.push(item);
      continue;
    }
    const value = object[directive] ?? null;
    if (value === 'delete') deleted.add(requireKey(object, mergeKey));
    else if (value === 'replace') replaced = true;
    else if (value === 'merge') throw unclassified('merging lists cannot yet be specified in the patch');
    else throw badPatchType(value, object);
  }
  if (replaced) return { kept: items, items: [] };
  return { kept: deleted.size === 0 ? original : original.filter((item) => !isIn(deleted, item, mergeKey)), items };
}

function isIn(keys: ReadonlySet<JsonValue>, item: JsonValue, mergeKey: string): boolean {
  return isJsonObject(item) && Object.hasOwn(item, mergeKey) && keys.has(item[mergeKey] ?? null);
}

function mergeItems(list: JsonValue[], items: readonly JsonValue[], { element, mergeKey }: ListRules): JsonValue[] {
  const places = new KeyPlaces(list, mergeKey);
  for (const item of items) {
    const key = requireKey(item, mergeKey);
    const at = places.find(key);
    if (at === undefined) {
      // A new item is kept unchanged, including nulls and directives.
      places.added(list.push(item) - 1);
    } else {
      list[at] = mergeObject(requireObject(list[at] ?? null), requireObject(item), element);
      places.changed(key, at);
    }
  }
  return list;
}

/** All elements must have the same type, and must not be lists. */
function elementsAreObjects(...lists: readonly (readonly JsonValue[])[]): boolean {
  const [first, ...rest] = lists.flat();
  if (first === undefined) throw unclassified('no elements in any of the given slices');
  if (Array.isArray(first)) throw unprocessable();
  if (rest.some((item) => goTypeOf(item) !== goTypeOf(first))) {
    throw unclassified(`list element types are not identical: ${goPrint(lists.map((list) => [...list]))}`);
  }
  return isJsonObject(first);
}

/** Drops null members of objects at any depth. Iterative, like the next: patches may nest ten thousand deep. */
function dropNulls(root: JsonValue): void {
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) for (const item of next) waiting.push(item);
    if (!isJsonObject(next)) continue;
    for (const [key, item] of Object.entries(next)) {
      if (item === null) delete next[key];
      else waiting.push(item);
    }
  }
}

/** The value without members and items that carry a directive; undefined when it carries one itself. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (carriesDirective(value)) return undefined;
  const waiting: (JsonObject | JsonValue[])[] = [];
  // Lists are copied, as the patch is shown with the items that it has.
  const kept = (item: JsonValue): JsonValue => {
    const own = Array.isArray(item) ? item.filter((inner) => !carriesDirective(inner)) : item;
    if (typeof own === 'object' && own !== null) waiting.push(own);
    return own;
  };
  const whole = kept(value);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) for (const [index, item] of next.entries()) next[index] = kept(item);
    else {
      for (const [key, item] of Object.entries(next)) {
        if (carriesDirective(item)) delete next[key];
        else setOwn(next, key, kept(item));
      }
    }
  }
  return whole;
}

function carriesDirective(value: JsonValue): boolean {
  return isJsonObject(value) && Object.hasOwn(value, directive);
}

function listWithoutDirectives(list: readonly JsonValue[]): JsonValue[] {
  return withoutDirectives([...list]) as JsonValue[]; // of a list a list
}

function setKept(object: JsonObject, key: string, value: JsonValue | undefined): void {
  if (value === undefined) delete object[key];
  else setOwn(object, key, value);
}
