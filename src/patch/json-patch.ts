import { copyJson, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import { unprocessable } from './patch-errors.ts';
import type { PatchedDocument } from './patched-document.ts';

/** One step of a JSON Patch (RFC 6902) as it came: members of the wrong type or missing ones are found when the step is done. */
export interface Operation {
  readonly op?: JsonValue;
  readonly path?: JsonValue;
  readonly from?: JsonValue;
  readonly value?: JsonValue;
}

/**
 * Does the operations in order. Throws a StatusError (422) at the first that cannot be done.
 *
 * Where it differs from the RFC it does what clients of the API know: `replace` adds a missing member, `copy` of a missing member
 * adds null, negative indexes count from the end, and the part of a path before its first slash is ignored.
 */
export function applyOperations(document: PatchedDocument, operations: readonly Operation[]): void {
  for (const operation of operations) {
    const apply = typeof operation.op === 'string' ? getOwn(appliers, operation.op) : undefined;
    if (apply === undefined) throw unprocessable();
    apply(document, operation);
  }
}

const appliers: { readonly [op: string]: (document: PatchedDocument, operation: Operation) => void } = {
  add(document, { path, value }) {
    add(find(document, path), value ?? null);
  },
  remove(document, { path }) {
    remove(find(document, path));
  },
  replace(document, { path, value }) {
    if (path !== '') return replace(find(document, path), value ?? null);
    if (typeof value !== 'object' || value === null) throw unprocessable();
    document.root = document.open(value);
  },
  move(document, { from, path }) {
    const source = find(document, from);
    const value = get(source);
    remove(source);
    add(find(document, path), value ?? null);
  },
  copy(document, { from, path }) {
    const value = get(find(document, from));
    // Opened parts are changed in place, so the copy must not share them.
    add(find(document, path), copyJson(value ?? null));
  },
  test(document, { path, value }) {
    const actual = path === '' ? document.root : get(find(document, path));
    if (!equal(actual ?? null, value ?? null)) throw unprocessable();
  },
};

/** A place in an opened container. */
interface Place {
  readonly container: JsonObject | JsonValue[];
  readonly key: string;
}

function find(document: PatchedDocument, path: JsonValue | undefined): Place {
  if (typeof path !== 'string') throw unprocessable();
  const parts = path.split('/').map((part) => part.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')));
  const key = parts.pop();
  if (key === undefined || parts.length === 0) throw unprocessable();
  let container = document.root;
  for (const part of parts.slice(1)) {
    if (typeof container !== 'object' || container === null) throw unprocessable();
    const place: Place = { container, key: part };
    const child = get(place);
    if (typeof child !== 'object' || child === null) throw unprocessable();
    const opened = document.open(child);
    if (opened !== child) replace(place, opened);
    container = opened;
  }
  if (typeof container !== 'object' || container === null) throw unprocessable();
  return { container, key };
}

/** Undefined for a missing member; a missing index is an error. */
function get({ container, key }: Place): JsonValue | undefined {
  return Array.isArray(container) ? container[indexOf(key, container.length)] : getOwn(container, key);
}

function replace({ container, key }: Place, value: JsonValue): void {
  if (Array.isArray(container)) container[indexOf(key, container.length)] = value;
  else setOwn(container, key, value);
}

function add({ container, key }: Place, value: JsonValue): void {
  if (!Array.isArray(container)) setOwn(container, key, value);
  else if (key === '-') container.push(value);
  else container.splice(indexOf(key, container.length + 1), 0, value);
}

function remove({ container, key }: Place): void {
  if (Array.isArray(container)) {
    container.splice(indexOf(key, container.length), 1);
  } else {
    if (!Object.hasOwn(container, key)) throw unprocessable();
    delete container[key];
  }
}

function indexOf(key: string, count: number): number {
  const index = /^[+-]?\d+$/.test(key) ? Number(key) : Number.NaN;
  // NaN fails both comparisons.
  if (!(index >= -count && index < count)) throw unprocessable();
  return index < 0 ? index + count : index;
}

function equal(a: JsonValue, b: JsonValue): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index] ?? null));
  }
  if (!isJsonObject(a)) return a === b;
  if (!isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key] ?? null, b[key] ?? null))
  );
}
