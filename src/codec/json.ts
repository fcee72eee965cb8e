import type { JsonValue } from '../api/json.ts';
import { once } from '../api/kept-by.ts';
import { type HugeKeys, type JsonSource, type JsonTree, readPlain } from '../api/json-tree.ts';
import { finish, type Work } from '../api/turns.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { bodyLimits, countKeys, type JsonLimits, parsePieces } from './json-pieces.ts';
import { readScan } from './json-scan.ts';
import { findSyntaxError, JsonSyntaxError, readSyntaxError } from './json-syntax.ts';
import { parseJsonTree, readJsonTree } from './json-tree-parser.ts';

/** Nesting of what is no object of a kind, and may be read recursively. */
const maxRecursiveDepth = 2_500;
/** Smaller texts are parsed at once. */
const minPiecedBytes = 32 * 1024;

/**
 * Parses JSON as Go does. `JSON.parse` does the work; one scan over the bytes finds out whether it lost something: a
 * duplicate field (more colons outside of strings than keys), a number that a double cannot represent, an escaped
 * surrogate. Throws JsonSyntaxError, also for nesting too deep for recursive readers.
 */
export function parseJson(bytes: Uint8Array): JsonSource {
  return finish(readJson(bytes));
}

/** As above, with pauses in large texts. */
export function* readJson(bytes: Uint8Array): Work<JsonSource> {
  const source = yield* readDeepJson(bytes);
  if (source.depth > maxRecursiveDepth) throw new JsonSyntaxError('exceeded max depth');
  return source;
}

/**
 * What this server has written, such as a stored object: it may contain more objects than the body that it was made of,
 * and nest deeper, since there are defaults and owned fields.
 */
export function parseOwnJson(bytes: Uint8Array): JsonSource {
  return finish(readOwnJson(bytes));
}

/** As above, with pauses in large texts. */
export function readOwnJson(bytes: Uint8Array): Work<JsonSource> {
  return readDeepJson(bytes, unlimited);
}

const unlimited: JsonLimits = { collections: Infinity, depth: Infinity };

/** A source with its nesting depth, which may exceed what recursive readers can handle. */
export interface DeepJsonSource extends JsonSource {
  readonly depth: number;
}

/** As above, up to the depth that the reference allows. */
export function parseDeepJson(bytes: Uint8Array): DeepJsonSource {
  return finish(readDeepJson(bytes));
}

/** As above, with pauses in large texts. Throws BodyLimitError as well. */
export function* readDeepJson(bytes: Uint8Array, limits = bodyLimits): Work<DeepJsonSource> {
  const isSmall = bytes.length < minPiecedBytes;
  const text = once(() => decodeUtf8(bytes));
  const { value, keys, hugeKeys, longTexts } = isSmall
    ? parseAtOnce(bytes, text())
    : yield* readValue(bytes, text, limits);
  if (!isSmall) yield;
  const { colons, deepest: depth, escapedKeys, oddValues } = yield* readScan(bytes, longTexts);
  if (depth > limits.depth) throw findSyntaxError(bytes) ?? new JsonSyntaxError('exceeded max depth');
  const odd = oddValues || (escapedKeys && mayHoldOtherKeys(value));
  const faithful = !odd && colons === (keys ?? countKeys(value));
  const readTree = (): JsonTree => finish(readJsonTree(text()));
  if (!odd) return { value, faithful, depth, hugeKeys, tree: () => parseJsonTree(text()), readTree };
  const exact = readTree();
  return { value: readPlain(exact), faithful, depth, tree: () => exact };
}

/** Plain data of a text, and the number of its keys if known. */
interface ParsedText {
  readonly value: JsonValue;
  readonly keys?: number;
  readonly hugeKeys?: HugeKeys;
  readonly longTexts?: readonly number[];
}

function parseAtOnce(bytes: Uint8Array, text: string): ParsedText {
  try {
    return { value: JSON.parse(text) as JsonValue }; // the result of JSON.parse without a reviver
  } catch (error) {
    throw findSyntaxError(bytes) ?? error;
  }
}

function* readValue(bytes: Uint8Array, text: () => string, limits: JsonLimits): Work<ParsedText> {
  try {
    const pieces = yield* parsePieces(bytes, limits);
    if (pieces !== undefined) return pieces;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw (yield* readSyntaxError(bytes)) ?? error;
  }
  // A long text without a large collection is hardly ever JSON, and decoding it takes long.
  const problem = yield* readSyntaxError(bytes);
  if (problem !== undefined) throw problem;
  return parseAtOnce(bytes, text());
}

/**
 * V8 14 confuses a key that contains an escape with an expected key that equals its source text: after
 * `{"a\\":1}` it reads `{"a\t":1}` as `{"a\\":1}`. The wrong key contains a backslash, as few keys do.
 */
function mayHoldOtherKeys(root: JsonValue): boolean {
  const waiting = [root];
  // No recursion: texts may nest deeply.
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value)) {
      if (!isList && key.includes('\\')) return true;
      if (typeof item === 'object' && item !== null) waiting.push(item);
    }
  }
  return false;
}
