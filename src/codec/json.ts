import type { JsonValue } from '../api/json/json.ts';
import { type JsonSource, plainOf } from '../api/json/json-tree.ts';
import { maxCollections } from './body-limits.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { type JsonLimits, scanJson } from './json-scan.ts';
import { findSyntaxError, maxNestingDepth } from './json-syntax.ts';
import { parseJsonTree } from './json-tree-parser.ts';

/** The depth to which JSON is read recursively that is no object of a kind. */
const recursiveDepth = 2_500;
/** Limits of bodies that others have written. */
const bodyLimits: JsonLimits = { collections: maxCollections, depth: maxNestingDepth };
const unlimited: JsonLimits = { collections: Infinity, depth: Infinity };

/**
 * Parses JSON as Go does. `JSON.parse` does the work; one scan over the bytes finds out whether it loses something: a
 * duplicate field (more colons outside of strings than keys), a number that a double cannot represent, an escaped
 * surrogate. Throws JsonSyntaxError, also for nesting too deep for recursive readers, and BodyLimitError.
 */
export function parseJson(bytes: Uint8Array, collections = maxCollections): JsonSource {
  return parseWithin({ collections, depth: recursiveDepth }, bytes);
}

/** Parses JSON up to the depth that the reference allows. Throws JsonSyntaxError and BodyLimitError. */
export function parseDeepJson(bytes: Uint8Array): JsonSource {
  return parseWithin(bodyLimits, bytes);
}

/**
 * What this server has written, such as a stored object: it may contain more objects than the body that it was made of,
 * and nest deeper, since there are defaults and owned fields.
 */
export function parseOwnJson(bytes: Uint8Array): JsonSource {
  return parseWithin(unlimited, bytes);
}

function parseWithin(limits: JsonLimits, bytes: Uint8Array): JsonSource {
  const { colons, escapedKeys, oddValues } = scanJson(bytes, limits);
  const text = decodeUtf8(bytes);
  const value = plainly(bytes, text);
  const keys = oddValues ? undefined : countKeys(value, escapedKeys);
  if (keys !== undefined) return { value, faithful: keys === colons, tree: () => parseJsonTree(text) };
  const exact = parseJsonTree(text);
  return { value: plainOf(exact), faithful: false, tree: () => exact };
}

function plainly(bytes: Uint8Array, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue; // the result of JSON.parse without a reviver
  } catch (error) {
    throw findSyntaxError(bytes) ?? error;
  }
}

/**
 * Number of keys in a value and its descendants; undefined if one may be wrong. V8 14 confuses a key that contains an
 * escape with an expected key that equals its source text: after `{"a\\":1}` it reads `{"a\t":1}` as `{"a\\":1}`. The
 * wrong key contains a backslash, as few keys do.
 */
function countKeys(root: JsonValue, escapedKeys: boolean): number | undefined {
  let count = 0;
  const waiting = [root];
  // No recursion: texts may nest deeply.
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object') waiting.push(item);
      continue;
    }
    for (const key in value) {
      if (escapedKeys && key.includes('\\')) return undefined;
      count++;
      const item = value[key] ?? null;
      if (typeof item === 'object') waiting.push(item);
    }
  }
  return count;
}
