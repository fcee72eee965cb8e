import { goPrint, goTypeOf } from '../api/json/go-print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { KeyPlaces } from './key-places.ts';
import { unclassified } from './patch-errors.ts';

/*
 * Orders a merged list: the patch's items in the order that the patch sets, the server's other items in the server's
 * order, and the two interleaved so that a server item precedes a patch item that followed it on the server.
 *
 *   server [a b c d], patch order [d b]  ->  patch items [d b], others [a c]
 *   weave: a before d (server has a first), c before d, then d, b        ->  [a c d b]
 */

export interface OrderRequest {
  readonly merged: readonly JsonValue[];
  /** Items in the patch's order; they determine which items belong to the patch. */
  readonly patchOrder: readonly JsonValue[];
  readonly serverOrder: readonly JsonValue[];
  /** Empty for lists of scalars. */
  readonly mergeKey: string;
  /** Whether the elements are objects. */
  readonly objects: boolean;
}

export function orderMerged(request: OrderRequest): JsonValue[] {
  const { merged, patchOrder, serverOrder, mergeKey, objects } = request;
  const isPatched = mergeKey === '' ? isIn(patchOrder) : isInByKey(patchOrder, mergeKey);
  const patched: JsonValue[] = [];
  const others: JsonValue[] = [];
  for (const item of merged) (isPatched(item) ? patched : others).push(item);
  const identity = objects ? (item: JsonValue) => keyOf(item, mergeKey) : (item: JsonValue) => item;
  if (objects) requireKeys(mergeKey, patched, patchOrder);
  const first = sorted(patched, patchOrder, identity);
  if (objects) requireKeys(mergeKey, others, serverOrder);
  const rest = sorted(others, serverOrder, identity);
  const position = positions(serverOrder, identity);
  return weave(rest, first, position);
}

/** The merge key of an element; throws if it has none. */
export function requireKey(item: JsonValue, mergeKey: string): JsonValue {
  const object = requireObject(item);
  if (!Object.hasOwn(object, mergeKey)) {
    throw unclassified(`map: ${goPrint(object)} does not contain declared merge key: ${mergeKey}`);
  }
  return object[mergeKey] ?? null;
}

export function requireObject(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw unclassified(`expected a map[string]interface {}, but received a ${goTypeOf(value)}`);
}

export function requireList(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  throw unclassified(`expected a []interface {}, but received a ${goTypeOf(value)}`);
}

function requireKeys(mergeKey: string, ...lists: readonly (readonly JsonValue[])[]): void {
  for (const list of lists) for (const item of list) requireKey(item, mergeKey);
}

function isIn(order: readonly JsonValue[]): (item: JsonValue) => boolean {
  const known = new Set(order);
  return (item) => known.has(item);
}

function isInByKey(order: readonly JsonValue[], mergeKey: string): (item: JsonValue) => boolean {
  const places = new KeyPlaces(order, mergeKey);
  return (item) => places.find(requireKey(item, mergeKey)) !== undefined;
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
 * The result of the reference's insertion sort: an item without a position moves to the front, past everything
 * before it, and one with a position goes behind the last item that it does not precede.
 *
 * Equivalently, the result consists of runs, the latest first: each item without a position is a run, and each
 * positioned item that precedes all earlier ones begins a run of the items from its position up to that of the previous
 * run.
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

/** A single item, or all items positioned before `end` that are not in a later run. */
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
