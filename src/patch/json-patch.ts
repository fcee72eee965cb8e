import { copyJson, getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import type { Work } from '../api/turns.ts';
import { measureJson } from './json-measure.ts';
import { unprocessable } from './patch-errors.ts';
import type { PatchedDocument } from './patched-document.ts';

/**
 * One operation of a JSON Patch (RFC 6902) as received: missing members and wrong types are detected when it is
 * applied.
 */
export interface PatchOperation {
  readonly op?: JsonValue;
  readonly path?: JsonValue;
  readonly from?: JsonValue;
  readonly value?: JsonValue;
}

/** Bytes of JSON that the copies of one patch may add in total. */
const maxCopiedBytes = 3 * 1024 * 1024;
/** Depth of the result that recursive readers have stack space for. */
const maxDepth = 2_500;

/**
 * Applies the operations in order, pausing after each. Throws a StatusError (422) at the first that fails.
 *
 * Deviates from the RFC like the reference: `replace` adds a missing member, `copy` of a missing member adds null,
 * negative indexes count from the end, and the part of a path before its first slash is ignored.
 */
export function* applyOperations(document: PatchedDocument, operations: readonly PatchOperation[]): Work<void> {
  const copied = { bytes: 0 };
  for (const operation of operations) {
    const apply = typeof operation.op === 'string' ? getOwn(appliers, operation.op) : undefined;
    if (apply === undefined) throw unprocessable();
    yield* apply(document, operation, copied) ?? [];
    yield;
  }
  if (!(yield* measureJson(document.root, { maxDepth })).fits) throw unprocessable();
}

type Applier = (document: PatchedDocument, operation: PatchOperation, copied: { bytes: number }) => Work<void> | void;

const appliers: { readonly [op: string]: Applier } = {
  add(document, { path, value }) {
    add(document, find(document, path), value ?? null);
  },
  remove(document, { path }) {
    remove(document, find(document, path));
  },
  replace(document, { path, value }) {
    if (path !== '') return replace(document, find(document, path), value ?? null);
    if (typeof value !== 'object' || value === null) throw unprocessable();
    document.root = document.open(value);
  },
  move(document, { from, path }) {
    const source = find(document, from);
    const value = get(source);
    remove(document, source);
    add(document, find(document, path), value ?? null);
  },
  *copy(document, { from, path }, copied) {
    const value = get(find(document, from)) ?? null;
    const place = find(document, path);
    if (value !== null) {
      const { bytes, fits } = yield* measureJson(value, { maxDepth, maxBytes: maxCopiedBytes - copied.bytes });
      if (!fits) throw unprocessable();
      copied.bytes += bytes;
    }
    // Opened parts are modified in place, so the copy must not share them.
    add(document, place, copyJson(value));
  },
  test(document, { path, value }) {
    const actual = path === '' ? document.root : get(find(document, path));
    if (!equal(document, actual ?? null, value ?? null)) throw unprocessable();
  },
};

/** A location in an opened container. */
interface Place {
  readonly container: JsonObject | JsonValue[];
  readonly key: string;
}

function find(document: PatchedDocument, path: JsonValue | undefined): Place {
  const last = typeof path === 'string' ? path.lastIndexOf('/') : -1;
  if (typeof path !== 'string' || last < 0) throw unprocessable();
  let container = document.root;
  for (let slash = path.indexOf('/'); slash < last;) {
    const next = path.indexOf('/', slash + 1);
    container = openMember(document, container, unescapeStep(path.slice(slash + 1, next)));
    slash = next;
  }
  if (typeof container !== 'object' || container === null) throw unprocessable();
  return { container, key: unescapeStep(path.slice(last + 1)) };
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function openMember(document: PatchedDocument, container: JsonValue, key: string): JsonValue {
  if (typeof container !== 'object' || container === null) throw unprocessable();
  const place: Place = { container, key };
  const child = get(place);
  if (typeof child !== 'object' || child === null) throw unprocessable();
  const opened = document.open(child);
  if (opened !== child) replace(document, place, opened);
  return opened;
}

/** Undefined for a missing member; throws for a missing index. */
function get({ container, key }: Place): JsonValue | undefined {
  return Array.isArray(container) ? container[indexOf(key, container.length)] : getOwn(container, key);
}

function replace(document: PatchedDocument, { container, key }: Place, value: JsonValue): void {
  if (Array.isArray(container)) container[indexOf(key, container.length)] = value;
  else document.setMember(container, key, value);
}

function add(document: PatchedDocument, { container, key }: Place, value: JsonValue): void {
  if (!Array.isArray(container)) document.setMember(container, key, value);
  else if (key === '-') container.push(value);
  else container.splice(indexOf(key, container.length + 1), 0, value);
}

function remove(document: PatchedDocument, { container, key }: Place): void {
  if (Array.isArray(container)) container.splice(indexOf(key, container.length), 1);
  else if (!document.deleteMember(container, key)) throw unprocessable();
}

function indexOf(key: string, count: number): number {
  const index = /^[+-]?\d+$/.test(key) ? Number(key) : Number.NaN;
  // NaN fails both comparisons.
  if (!(index >= -count && index < count)) throw unprocessable();
  return index < 0 ? index + count : index;
}

/** Bounded by the size of `b`, however large `a` is. */
function equal(document: PatchedDocument, a: JsonValue, b: JsonValue): boolean {
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => equal(document, item, b[index] ?? null));
  }
  if (!isJsonObject(a)) return a === b;
  if (!isJsonObject(b)) return false;
  const keys = Object.keys(b);
  if (keys.length !== document.countMembers(a)) return false;
  return keys.every((key) => Object.hasOwn(a, key) && equal(document, a[key] ?? null, b[key] ?? null));
}
