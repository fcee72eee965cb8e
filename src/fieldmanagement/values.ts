import { isHuge } from '../api/huge-objects.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { finish, type Work } from '../api/turns.ts';
import { compareBytewise, sortedKeys } from '../api/json-text.ts';

/** Orders numbers first, then strings, booleans, lists, maps and null; lists and maps by their first difference. */
export function compareValues(a: JsonValue, b: JsonValue): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      const order = compareValues(a[i] ?? null, b[i] ?? null);
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }
  if (isJsonObject(a) && isJsonObject(b)) return compareMaps(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareBytewise(a, b);
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareMaps(a: { readonly [key: string]: JsonValue }, b: { readonly [key: string]: JsonValue }): number {
  const [left, right] = [sortedKeys(a), sortedKeys(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [key = '', other = ''] = [left[i], right[i]];
    const order = compareBytewise(key, other) || compareValues(a[key] ?? null, b[other] ?? null);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function rankOf(value: JsonValue): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 0;
    case 'string':
      return 1;
    case 'boolean':
      return 2;
    default:
      return value === null ? 5 : Array.isArray(value) ? 3 : 4;
  }
}

/** Deep equality, ignoring key order. */
export function equalValues(a: JsonValue, b: JsonValue): boolean {
  return finish(equalInTurns(a, b));
}

/** The same, but undefined for values of more than `most` parts, by default too many to compare without pauses. */
export function equalAtOnce(a: JsonValue, b: JsonValue, most = atOnce): boolean | undefined {
  if (a === b) return true;
  const effort = { left: most };
  if (equalWithin(a, b, effort)) return true;
  return effort.left < 0 ? undefined : false;
}

/** The same, with pauses. */
export function* equalInTurns(a: JsonValue, b: JsonValue): Work<boolean> {
  return equalAtOnce(a, b) ?? (yield* equalLarge(a, b));
}

/** No recursion: values may be deep. */
function* equalLarge(a: JsonValue, b: JsonValue): Work<boolean> {
  const waiting: Waiting = { left: [a], right: [b] };
  for (let count = 1; waiting.left.length > 0; count++) {
    if (count % atOnce === 0) yield;
    const left = waiting.left.pop() ?? null;
    const right = waiting.right.pop() ?? null;
    if (left === right) continue;
    if (Array.isArray(left)) {
      if (!Array.isArray(right) || left.length !== right.length) return false;
      for (const item of left) waiting.left.push(item);
      for (const item of right) waiting.right.push(item);
    } else if (!isJsonObject(left) || !isJsonObject(right)) {
      if (!equalWithin(left, right, { left: 0 })) return false;
    } else if (!addMembers(waiting, left, right)) return false;
  }
  return true;
}

/** Pairs to be compared, which have the same place in both lists. */
interface Waiting {
  readonly left: JsonValue[];
  readonly right: JsonValue[];
}

/** False when the objects have other members. */
function addMembers(waiting: Waiting, left: Readonly<JsonObject>, right: Readonly<JsonObject>): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(right, key)) return false;
    waiting.left.push(left[key] ?? null);
    waiting.right.push(right[key] ?? null);
  }
  return true;
}

/** The number of values compared without a pause. */
const atOnce = 1_000;
/** Values left to compare; negative: given up. */
interface Effort {
  left: number;
}

function stopped(effort: Effort): false {
  effort.left = -1;
  return false;
}

function equalWithin(a: JsonValue, b: JsonValue, effort: Effort): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    // A BigInt and a number may be equal in value.
    return typeof a !== typeof b && rankOf(a) === 0 && rankOf(b) === 0 && Number(a) === Number(b);
  }
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length || (effort.left -= a.length) < 0) return false;
    for (let i = 0; i < a.length; i++) if (!equalWithin(a[i] ?? null, b[i] ?? null, effort)) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  // Listing the keys is the slow part.
  const isUnlisted: boolean = isHuge(a) || isHuge(b);
  if (isUnlisted) return stopped(effort);
  const count = keyCount(a);
  if ((effort.left -= count) < 0 || count !== keyCount(b)) return false;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !equalWithin(a[key] ?? null, b[key] ?? null, effort)) return false;
  }
  return true;
}

/** Without a list of the keys. */
function keyCount(object: { readonly [key: string]: JsonValue }): number {
  let count = 0;
  for (const _ in object) count += 1;
  return count;
}
