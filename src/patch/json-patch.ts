import { stringValue } from '../api/json/json-parts.ts';
import { bottomUp } from '../api/collections/bottom-up.ts';
import { unescapeStep } from '../api/json/json-pointer.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { copyJson, getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { StatusError } from '../api/errors/status.ts';
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
/** Depth of the result, which is read again. */
const maxDepth = 10_000;

/**
 * Applies the operations in order. Throws a StatusError (422) at the first that fails.
 *
 * Deviates from the RFC like the reference: `replace` adds a missing member, `copy` of a missing member adds null,
 * negative indexes count from the end, and the part of a path before its first slash is ignored.
 */
export function applyOperations(document: PatchedDocument, operations: readonly PatchOperation[]): void {
  const copied = { bytes: 0 };
  for (const operation of operations) {
    const apply = typeof operation.op === 'string' ? getOwn(appliers, operation.op) : undefined;
    if (apply === undefined) throw unprocessable(`Unexpected kind: ${stringValue(operation.op) || 'unknown'}`);
    apply(document, operation, copied);
  }
  if (!measureJson(document.root, { maxDepth }).fits) throw unprocessable();
}

type Applier = (document: PatchedDocument, operation: PatchOperation, copied: { bytes: number }) => void;

const appliers: { readonly [op: string]: Applier } = {
  add(document, { path, value }) {
    const place = find(document, path, (at) => `add operation does not apply: doc is missing path: "${at}"`);
    within(`error in add for path: '${stringValue(path)}'`, () => add(document, place, value ?? null));
  },
  remove(document, { path }) {
    const place = find(document, path, (at) => `remove operation does not apply: doc is missing path: "${at}"`);
    within(`error in remove for path: '${stringValue(path)}'`, () => remove(document, place));
  },
  replace(document, { path, value }) {
    if (path !== '') {
      const place = find(document, path, (at) => `replace operation does not apply: doc is missing path: ${at}`);
      const isThere = !Array.isArray(place.container) || isIndex(place.key, place.container.length);
      if (!isThere)
        throw unprocessable(missing(`replace operation does not apply: doc is missing key: ${path as string}`));
      return replace(document, place, value ?? null);
    }
    if (typeof value !== 'object' || value === null)
      throw unprocessable('replace operation value must be object or array: %!w(<nil>)');
    document.root = document.open(value);
  },
  move(document, { from, path }) {
    const source = find(document, from, (at) => `move operation does not apply: doc is missing from path: ${at}`);
    const value = within(`error in move for path: '${source.key}'`, () => {
      const found = get(source);
      remove(document, source);
      return found;
    });
    const target = find(
      document,
      path,
      (at) => `move operation does not apply: doc is missing destination path: ${at}`,
    );
    within(`error in move for path: '${stringValue(path)}'`, () => add(document, target, value ?? null));
  },
  copy(document, { from, path }, copied) {
    const source = find(document, from, (at) => `copy operation does not apply: doc is missing from path: ${at}`);
    const value = within(`error in copy for from: '${stringValue(from)}'`, () => get(source)) ?? null;
    const place = find(document, path, (at) => `copy operation does not apply: doc is missing destination path: ${at}`);
    if (value !== null) {
      const { bytes, fits } = measureJson(value, { maxDepth, maxBytes: maxCopiedBytes - copied.bytes });
      if (!fits) throw unprocessable();
      copied.bytes += bytes;
    }
    // Opened parts are modified in place, so the copy must not share them.
    within('error while adding value during copy', () => add(document, place, copyJson(value)));
  },
  test(document, { path, value }) {
    let actual: JsonValue | undefined = document.root;
    if (path !== '') {
      const place = find(document, path, (at) => `test operation does not apply: is missing path: ${at}`);
      actual = within(`error in test for path: '${stringValue(path)}'`, () => get(place));
    }
    if (!equal(document, actual ?? null, value ?? null)) {
      const failure = new FailedTestError(`testing value ${stringValue(path)} failed: test failed`);
      throw unprocessable(failure);
    }
  },
};

/** The cause of the error when a `test` fails. */
export class FailedTestError extends Error {
  override readonly name = 'FailedTestError';
  readonly code = 'FAILED_TEST';
}

/** A location in an opened container. */
interface Location {
  readonly container: JsonObject | JsonValue[];
  readonly key: string;
}

/** `absent` returns the error message for a missing path. */
function find(document: PatchedDocument, path: JsonValue | undefined, absent: (path: string) => string): Location {
  const last = typeof path === 'string' ? path.lastIndexOf('/') : -1;
  if (typeof path !== 'string') throw undecodable(path, absent(''));
  if (last < 0) throw unprocessable(missing(absent(path)));
  let container: JsonValue | undefined = document.root;
  for (let slash = path.indexOf('/'); slash < last && container !== undefined;) {
    const next = path.indexOf('/', slash + 1);
    container = openMember(document, container, unescapeStep(path.slice(slash + 1, next)));
    slash = next;
  }
  if (typeof container !== 'object' || container === null) throw unprocessable(missing(absent(path)));
  return { container, key: unescapeStep(path.slice(last + 1)) };
}

/** `what` begins with the operation, and names the member if it is not the path. */
function undecodable(path: JsonValue | undefined, what: string): StatusError {
  const [operation = ''] = what.split(' ', 1);
  if (!what.includes('from path')) return unprocessable(missing(`${operation} operation failed to decode path`));
  const why = path === undefined ? 'from: operation, missing from field' : 'from';
  return unprocessable(missing(`${operation} operation failed to decode ${why}`));
}

function missing(why: string): string {
  return `${why}: missing value`;
}

/** Prefixes errors with the step of the patch. */
function within<T>(step: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof StatusError) || !(error.cause instanceof Error)) throw error;
    throw unprocessable(`${step}: ${error.cause.message}`);
  }
}

/** Undefined unless it is a container. */
function openMember(document: PatchedDocument, container: JsonValue, key: string): JsonValue | undefined {
  if (typeof container !== 'object' || container === null) return undefined;
  if (Array.isArray(container) && !isIndex(key, container.length)) return undefined;
  const place: Location = { container, key };
  const child = get(place);
  if (typeof child !== 'object' || child === null) return undefined;
  const opened = document.open(child);
  if (opened !== child) replace(document, place, opened);
  return opened;
}

/** Undefined for a missing member; throws for a missing index. */
function get({ container, key }: Location): JsonValue | undefined {
  return Array.isArray(container) ? container[indexOf(key, container.length)] : getOwn(container, key);
}

function replace(document: PatchedDocument, { container, key }: Location, value: JsonValue): void {
  if (Array.isArray(container)) container[indexOf(key, container.length)] = value;
  else document.setMember(container, key, value);
}

function add(document: PatchedDocument, { container, key }: Location, value: JsonValue): void {
  if (!Array.isArray(container)) document.setMember(container, key, value);
  else if (key === '-') container.push(value);
  else container.splice(indexOfNew(key, container.length), 0, value);
}

function remove(document: PatchedDocument, { container, key }: Location): void {
  if (Array.isArray(container)) container.splice(indexOf(key, container.length), 1);
  else if (!document.deleteMember(container, key)) {
    throw unprocessable(missing(`Unable to remove nonexistent key: ${key}`));
  }
}

function isIndex(key: string, count: number): boolean {
  if (!integer.test(key)) return false;
  return Number(key) >= -count && Number(key) < count;
}

const integer = /^[+-]?\d+$/;

function indexOf(key: string, count: number): number {
  const index = integer.test(key) ? Number(key) : Number.NaN;
  if (!Number.isSafeInteger(index)) {
    const why = Number.isNaN(index) ? 'invalid syntax' : 'value out of range';
    throw unprocessable(`strconv.Atoi: parsing ${goQuote(key)}: ${why}`);
  }
  if (!isIndex(key, count)) throw unprocessable(`Unable to access invalid index: ${index}: invalid index referenced`);
  return index < 0 ? index + count : index;
}

/** Only additions explain what is wrong. */
function indexOfNew(key: string, count: number): number {
  try {
    return indexOf(key, count + 1);
  } catch (error) {
    if (!(error instanceof StatusError && error.cause instanceof Error)) throw error;
    if (!error.cause.message.startsWith('strconv')) throw error;
    throw unprocessable(`value was not a proper array index: '${key}': ${error.cause.message}`);
  }
}

/** Bounded by the size of `b`, however large `a` is. */
const equal = bottomUp((document: PatchedDocument, a: JsonValue, b: JsonValue): boolean => {
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => equal(document, item, b[index] ?? null));
  }
  if (!isJsonObject(a)) return a === b;
  if (!isJsonObject(b)) return false;
  const keys = Object.keys(b);
  if (keys.length !== document.countMembers(a)) return false;
  return keys.every((key) => Object.hasOwn(a, key) && equal(document, a[key] ?? null, b[key] ?? null));
}, true);
