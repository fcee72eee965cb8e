import { hugeKeys, noteHuge } from '../api/huge-objects.ts';
import { type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import type { HugeKeys } from '../api/json-tree.ts';
import type { Work } from '../api/turns.ts';
import { checkCollections, maxCollections } from './body-limits.ts';
import { findSyntaxError, JsonSyntaxError, maxNestingDepth } from './json-syntax.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { longTextBytes, readLongText } from './long-text.ts';
import { endOfString } from './string-end.ts';

/*
 * `JSON.parse` takes 100 ms and more for 3 MB of small objects, blocking the event loop. So large texts are cut at the
 * commas of their large collections; each piece is parsed as a collection of its own, whose members are moved into the
 * original one:
 *
 *   {"kind":"Pod","spec":{"containers":[{...},{...}, ... ,{...}]}}
 *
 *   {"kind":"Pod"}                   a piece of the document
 *   {"spec": ...}                    a large member: opened and cut in turn
 *   [{...},{...}]  [{...}, ... ]     pieces of the large list
 *
 * A long string is a large member too, and read in parts.
 */

/** Approximate size of pieces, and of collections that are not cut. */
const pieceBytes = 16 * 1024;

export interface PiecedJson {
  readonly value: JsonValue;
  /** Number of keys in all objects. Duplicates count once. */
  readonly keys: number;
  /** Those of its huge objects. */
  readonly hugeKeys: HugeKeys;
  /** Where its long strings begin, in order. */
  readonly longTexts: readonly number[];
}

/** What a text may contain. */
export interface JsonLimits {
  /** Objects and lists. */
  readonly collections: number;
  readonly depth: number;
}

/** Of what others have written. */
export const bodyLimits: JsonLimits = { collections: maxCollections, depth: maxNestingDepth };

/**
 * Parses a text piece by piece, pausing in between; undefined when it has no large collection. Throws SyntaxError, and
 * BodyLimitError for too many objects and lists.
 */
export function* parsePieces(bytes: Uint8Array, limits = bodyLimits): Work<PiecedJson | undefined> {
  const { ends, longTexts } = yield* findLarge(bytes, limits);
  if (ends.size === 0) return undefined;
  const start = skipBlanks(bytes, 0);
  if (bytes[start] === quote) return undefined;
  const end = ends.get(start);
  if (end === undefined || skipBlanks(bytes, end) !== bytes.length) throw new SyntaxError('not a single collection');
  return { ...(yield* new PieceParser(bytes, ends).parse(start, end)), longTexts };
}

/** Number of keys in an object and its descendants. */
export function countKeys(root: JsonValue): number {
  if (typeof root !== 'object' || root === null) return 0;
  let count = 0;
  const waiting = [root];
  // No recursion: texts may nest deeply.
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) waiting.push(item);
      continue;
    }
    for (const key in value) {
      count++;
      const item = value[key];
      if (typeof item === 'object' && item !== null) waiting.push(item);
    }
  }
  return count;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** For null, which becomes an empty object in lists of objects. */
const letterN = 0x6e;

/** Bytes scanned between two pauses. */
const scannedPerPause = 64 * 1024;

interface Outline {
  /** End offsets of the collections and strings to cut, by start. */
  readonly ends: ReadonlyMap<number, number>;
  readonly longTexts: readonly number[];
}

/** Finds the structure from brackets and quotes alone; the text need not be valid JSON. */
function* findLarge(bytes: Uint8Array, limits: JsonLimits): Work<Outline> {
  const ends = new Map<number, number>();
  const longTexts: number[] = [];
  const open: number[] = [];
  let collections = 0;
  let pauseAt = scannedPerPause;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      const end = endOfString(bytes, at);
      if (end - at >= longTextBytes && bytes[skipBlanks(bytes, end + 1)] !== colon) {
        ends.set(at, end + 1);
        longTexts.push(at);
      }
      at = end;
    } else if (byte === letterN) checkCollections(++collections, limits.collections);
    else if (byte === openBrace || byte === openBracket) {
      checkCollections(++collections, limits.collections);
      // Thrown early, before the limit is exceeded for certain.
      if (open.push(at) > limits.depth) throw findSyntaxError(bytes) ?? new JsonSyntaxError('exceeded max depth');
    } else if (byte === closeBrace || byte === closeBracket) {
      const start = open.pop();
      if (start !== undefined && at - start >= pieceBytes) ends.set(start, at + 1);
    }
    if (at < pauseAt) continue;
    pauseAt = at + scannedPerPause;
    yield;
  }
  return { ends, longTexts };
}

/** A collection being cut. */
interface Frame {
  readonly collection: JsonObject | JsonValue[];
  /** Offset of its closing bracket. */
  readonly close: number;
  /** Keys so far, for objects. */
  readonly keys: string[];
  /** Where reading continues. */
  at: number;
  /** After a comma: a value must follow. */
  afterComma: boolean;
  /** After a value: a comma must follow. */
  afterValue: boolean;
}

/** A run of members, up to a large one or the end of the collection. */
interface Run {
  /** After the last member, before the comma that follows. */
  readonly end: number;
  /** Start of a large collection or string; its key is in between. */
  readonly large: number | undefined;
  /** A comma follows the run. */
  readonly comma: boolean;
}

class PieceParser {
  readonly #bytes: Uint8Array;
  readonly #ends: ReadonlyMap<number, number>;
  readonly #frames: Frame[] = [];
  readonly #hugeKeys = new Map<object, readonly string[]>();
  #keys = 0;

  constructor(bytes: Uint8Array, ends: ReadonlyMap<number, number>) {
    this.#bytes = bytes;
    this.#ends = ends;
  }

  *parse(start: number, end: number): Work<Omit<PiecedJson, 'longTexts'>> {
    const value = this.#open(start, end);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      yield;
      if (yield* this.#step(frame)) continue;
      this.#frames.pop();
    }
    return { value, keys: this.#keys, hugeKeys: this.#hugeKeys };
  }

  #open(start: number, end: number): JsonObject | JsonValue[] {
    const isList = this.#bytes[start] === openBracket;
    if (this.#bytes[end - 1] !== (isList ? closeBracket : closeBrace)) throw new SyntaxError('mismatched brackets');
    const collection: JsonObject | JsonValue[] = isList ? [] : {};
    this.#frames.push({ collection, close: end - 1, keys: [], at: start + 1, afterComma: false, afterValue: false });
    return collection;
  }

  /** Reads the next piece or opens the next large member; false at the end of the collection. */
  *#step(frame: Frame): Work<boolean> {
    const bytes = this.#bytes;
    if (frame.afterValue) {
      const at = skipBlanks(bytes, frame.at);
      if (at === frame.close) return false;
      if (bytes[at] !== comma) throw new SyntaxError('missing comma');
      frame.at = at + 1;
      frame.afterComma = true;
    }
    const run = this.#run(frame);
    const isBlank = skipBlanks(bytes, frame.at) >= run.end;
    if (!isBlank) this.#add(frame, run.end);
    else if (run.comma || (frame.afterComma && run.large === undefined)) throw new SyntaxError('missing value');
    const keyStart = run.comma ? run.end + 1 : run.end;
    frame.afterComma = run.comma;
    frame.afterValue = false;
    frame.at = keyStart;
    if (run.large === undefined) return run.comma || run.end < frame.close;
    yield* this.#openMember(frame, keyStart, run.large);
    return true;
  }

  *#openMember(frame: Frame, keyStart: number, start: number): Work<void> {
    const end = this.#ends.get(start) ?? start;
    const isText = this.#bytes[start] === quote;
    const member = isText ? yield* readLongText(this.#bytes, { start, end }) : this.#open(start, end);
    const before = this.#text(keyStart, start);
    if (Array.isArray(frame.collection)) {
      if (before.trim() !== '') throw new SyntaxError('missing comma');
      frame.collection.push(member);
    } else {
      const [key, ...others] = Object.keys(JSON.parse(`{${before}0}`) as JsonObject);
      if (key === undefined || others.length > 0) throw new SyntaxError('missing key');
      this.#set(frame, frame.collection, { key, value: member });
    }
    frame.at = end;
    frame.afterValue = true;
  }

  /** Takes as many members as make a piece. */
  #run({ at: start, close }: Frame): Run {
    const bytes = this.#bytes;
    let depth = 0;
    let lastComma = -1;
    for (let at = start; at < close; at++) {
      const byte = bytes[at];
      if (byte === quote) {
        const end = endOfString(bytes, at);
        if (depth === 0 && end - at >= longTextBytes && this.#ends.has(at)) return runBefore(at, { start, lastComma });
        at = end;
      } else if (byte === openBrace || byte === openBracket) {
        if (depth === 0 && this.#ends.has(at)) return runBefore(at, { start, lastComma });
        depth++;
      } else if (byte === closeBrace || byte === closeBracket) depth--;
      else if (byte === comma && depth === 0) {
        if (at - start >= pieceBytes) return { end: at, large: undefined, comma: true };
        lastComma = at;
      }
    }
    return { end: close, large: undefined, comma: false };
  }

  /** Parses the members up to `end` and moves them into their collection. */
  #add(frame: Frame, end: number): void {
    const { collection, at } = frame;
    const text = this.#text(at, end);
    if (Array.isArray(collection)) {
      const items = JSON.parse(`[${text}]`) as JsonValue[];
      this.#keys += countKeys(items);
      for (const item of items) collection.push(item);
      return;
    }
    const members = JSON.parse(`{${text}}`) as JsonObject;
    for (const key in members) {
      const value = members[key] ?? null;
      this.#keys += countKeys(value);
      this.#set(frame, collection, { key, value });
    }
  }

  #set(frame: Frame, collection: JsonObject, member: { readonly key: string; readonly value: JsonValue }): void {
    const { key, value } = member;
    if (!Object.hasOwn(collection, key)) {
      this.#keys++;
      if (frame.keys.push(key) === hugeKeys) {
        noteHuge(collection, key);
        this.#hugeKeys.set(collection, frame.keys);
      }
    }
    setOwn(collection, key, value);
  }

  #text(start: number, end: number): string {
    return decodeUtf8(this.#bytes.subarray(start, end));
  }
}

function runBefore(large: number, { start, lastComma }: { readonly start: number; readonly lastComma: number }): Run {
  return { end: lastComma === -1 ? start : lastComma, large, comma: lastComma !== -1 };
}

function skipBlanks(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let byte = bytes[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[at]) at++;
  return at;
}
