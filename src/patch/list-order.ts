import { goPrint, goTypeOf } from '../api/go-print.ts';
import type { Work } from '../api/turns.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { KeyPlaces } from './key-places.ts';
import { unclassified } from './patch-errors.ts';

/*
 * The order of a merged list: items of the patch in the order the patch demands, the server's other items in the server's
 * order, and the two woven together so that a server's item stands before a patch's item that the server had behind it.
 *
 *   server [a b c d], patch order [d b]  ->  patch items [d b], others [a c]
 *   weave: a before d (server has a first), c before d, then d, b        ->  [a c d b]
 */

/** Lists shorter than this are put in order in one piece. */
const longList = 1_000;

export interface OrderRequest {
  readonly merged: readonly JsonValue[];
  /** Items in the order that the patch demands; they decide which items are the patch's. */
  readonly patchOrder: readonly JsonValue[];
  readonly serverOrder: readonly JsonValue[];
  /** Empty for lists of scalars. */
  readonly mergeKey: string;
  /** The elements of the list are objects. */
  readonly objects: boolean;
}

export function* orderMerged(request: OrderRequest): Work<JsonValue[]> {
  const { merged, patchOrder, serverOrder, mergeKey, objects } = request;
  const isLong = merged.length > longList;
  const isPatched = mergeKey === '' ? isIn(patchOrder) : isInByKey(patchOrder, mergeKey);
  const patched: JsonValue[] = [];
  const others: JsonValue[] = [];
  for (const item of merged) (isPatched(item) ? patched : others).push(item);
  if (isLong) yield;
  const identity = objects ? (item: JsonValue) => keyOf(item, mergeKey) : (item: JsonValue) => item;
  if (objects) demandKeys(mergeKey, patched, patchOrder);
  const first = sorted(patched, patchOrder, identity);
  if (isLong) yield;
  if (objects) demandKeys(mergeKey, others, serverOrder);
  const rest = sorted(others, serverOrder, identity);
  if (isLong) yield;
  const position = positions(serverOrder, identity);
  if (isLong) yield;
  return weave(rest, first, position);
}

/** The merge key of an element, which it must have. */
export function demandKey(item: JsonValue, mergeKey: string): JsonValue {
  const object = demandObject(item);
  if (!Object.hasOwn(object, mergeKey)) {
    throw unclassified(`map: ${goPrint(object)} does not contain declared merge key: ${mergeKey}`);
  }
  return object[mergeKey] ?? null;
}

export function demandObject(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw unclassified(`expected a map[string]interface {}, but received a ${goTypeOf(value)}`);
}

export function demandList(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  throw unclassified(`expected a []interface {}, but received a ${goTypeOf(value)}`);
}

function demandKeys(mergeKey: string, ...lists: readonly (readonly JsonValue[])[]): void {
  for (const list of lists) for (const item of list) demandKey(item, mergeKey);
}

function isIn(order: readonly JsonValue[]): (item: JsonValue) => boolean {
  const known = new Set(order);
  return (item) => known.has(item);
}

function isInByKey(order: readonly JsonValue[], mergeKey: string): (item: JsonValue) => boolean {
  const places = new KeyPlaces(order, mergeKey);
  return (item) => places.find(demandKey(item, mergeKey)) !== undefined;
}

function keyOf(item: JsonValue, mergeKey: string): JsonValue {
  return isJsonObject(item) && Object.hasOwn(item, mergeKey) ? (item[mergeKey] ?? null) : null;
}

type Positions = (item: JsonValue) => number | undefined;

function positions(order: readonly JsonValue[], identity: (item: JsonValue) => JsonValue): Positions {
  const known = new Map<JsonValue, number>();
  for (const [index, item] of order.entries()) {
    const id = identity(item);
    if (!known.has(id)) known.set(id, index);
  }
  return (item) => known.get(identity(item));
}

/**
 * What an insertion sort makes of the list in which an item whose place is unknown moves to the front, past all that came
 * before it, and one whose place is known stands behind the last that it does not precede.
 *
 * The result is runs, the latest first: each unknown item is one, and each known item that precedes all known ones so far begins
 * one, which has the items from its place up to that of the run before.
 */
function sorted(
  list: readonly JsonValue[],
  order: readonly JsonValue[],
  identity: (item: JsonValue) => JsonValue,
): JsonValue[] {
  const position = positions(order, identity);
  const placed: { readonly item: JsonValue; readonly place: number }[] = [];
  const runs: Run[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const item of list) {
    const place = position(item);
    if (place === undefined) runs.push({ unplaced: item });
    else {
      if (place < least) runs.push({ end: least });
      least = Math.min(least, place);
      placed.push({ item, place });
    }
  }
  placed.sort((a, b) => a.place - b.place);
  const out: JsonValue[] = [];
  let next = 0;
  for (const run of runs.reverse()) {
    if ('unplaced' in run) out.push(run.unplaced);
    else for (; (placed[next]?.place ?? run.end) < run.end; next += 1) out.push(placed[next]?.item ?? null);
  }
  return out;
}

/** An item alone, or all items placed before `end` that no later run has. */
type Run = { readonly unplaced: JsonValue } | { readonly end: number };

function weave(others: readonly JsonValue[], patched: readonly JsonValue[], position: Positions): JsonValue[] {
  const out: JsonValue[] = [];
  let next = 0;
  for (const item of patched) {
    const limit = position(item);
    while (next < others.length) {
      const place = position(others[next] ?? null);
      if (place === undefined || limit === undefined || place >= limit) break;
      out.push(others[next] ?? null);
      next += 1;
    }
    out.push(item);
  }
  return [...out, ...others.slice(next)];
}
