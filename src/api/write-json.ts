import { isHuge } from './huge-objects.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { rawTextOf } from './json-raw.ts';
import { compareBytewise, encodeAny, encodeRaw, sortedKeys } from './json-text.ts';
import { type JsonWriter, writtenInTurns, writtenSoon } from './json-writer.ts';
import { sortedInTurns } from './sorted-in-turns.ts';
import type { Soon } from './soon.ts';
import type { Work } from './turns.ts';

// Collections of JSON. In pieces, what is left of them when a piece is full is set aside.

/** Writes a value as the JSON of its type. */
export type ValueWriter = (out: JsonWriter, value: JsonValue | undefined) => void;

const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Ends an object that began at `start`. Each field is preceded by a comma: the first one becomes the brace. */
export function closeObject(out: JsonWriter, start: number): void {
  if (out.length === start) out.byte(openBrace);
  else out.overwrite(start, openBrace);
  out.byte(closeBrace);
}

/** Writes a list. */
export function writeItems(out: JsonWriter, items: readonly JsonValue[], item: ValueWriter): void {
  out.byte(openBracket);
  out.nested += 1;
  for (let i = 0; i < items.length; i++) {
    if (out.isFull) {
      out.later(() => writeItemsFrom(out, items, { from: i, item }));
      break;
    }
    if (i > 0) out.byte(comma);
    item(out, items[i]);
  }
  out.nested -= 1;
  out.byte(closeBracket);
}

function* writeItemsFrom(
  out: JsonWriter,
  items: readonly JsonValue[],
  { from, item }: { readonly from: number; readonly item: ValueWriter },
): Work<void> {
  for (let i = from; i < items.length; i++) {
    if (i > 0) out.byte(comma);
    item(out, items[i]);
    if (out.isFull) yield* out.flush();
  }
}

/** Writes a map, in the order of its keys' bytes. Undefined members do not count. */
export function writeMap(out: JsonWriter, map: Readonly<JsonObject>, item: ValueWriter): void {
  if (isForLater(out, map)) out.later(() => writeMapLater(out, map, item));
  else writeMembers(out, map, { keys: sortedKeys(map), item });
}

/** Listing the keys of huge maps takes long. */
function isForLater(out: JsonWriter, map: Readonly<JsonObject>): boolean {
  return out.isFull || (out.isInPieces && isHuge(map));
}

function* writeMapLater(out: JsonWriter, map: Readonly<JsonObject>, item: ValueWriter): Work<void> {
  const unsorted = Object.keys(map);
  yield;
  writeMembers(out, map, { keys: yield* sortedInTurns(unsorted, compareBytewise), item });
}

/** Writes what `encodeAny` returns. */
export function writeAny(out: JsonWriter, value: JsonValue | undefined): void {
  if (typeof value === 'string') out.string(value);
  else if (!out.isInPieces || typeof value !== 'object' || value === null) out.text(encodeAny(value));
  else if (Array.isArray(value)) writeItems(out, value, writeAny);
  else writeMap(out, value, writeAny);
}

/** Writes what `encodeRaw` returns. */
export function writeRaw(out: JsonWriter, value: JsonValue | undefined): void {
  const isRaw = typeof value === 'object' && value !== null && rawTextOf(value) !== undefined;
  if (isRaw || !out.isInPieces || leftOf(smallSize, value) >= 0) out.text(encodeRaw(value));
  else writeInsertionOrder(out, value);
}

/** What `encodeAny` returns, with pauses; short texts cost no more than at once. */
export function encodeAnySoon(value: JsonValue | undefined): Soon<Buffer> {
  return writtenSoon((out) => writeAny(out, value));
}

/** What `encodeRaw` returns, with pauses. */
export function encodeRawInTurns(value: JsonValue | undefined): Work<Buffer> {
  return writtenInTurns((out) => writeRaw(out, value));
}

/** Characters and values that are written natively: several times faster, but without a pause. */
const smallSize = 1_000;

/** What a value leaves of a size; negative if it is larger. Recurses at most as often. */
function leftOf(size: number, value: JsonValue | undefined): number {
  if (typeof value === 'string') return size - value.length;
  if (typeof value !== 'object' || value === null) return size - 1;
  const isUnlisted: boolean = size <= 0 || isHuge(value);
  if (isUnlisted) return -1;
  let left = size - 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = leftOf(left, value[i]);
    return left;
  }
  for (const key in value) {
    left = leftOf(left, value[key]);
    if (left < 0) break;
  }
  return left;
}

function writeInsertionOrder(out: JsonWriter, value: JsonValue | undefined): void {
  if (typeof value === 'string') out.longString(value, encodeRaw);
  else if (typeof value !== 'object' || value === null) out.text(encodeRaw(value));
  else if (Array.isArray(value)) writeItems(out, value, writeInsertionOrder);
  else if (isForLater(out, value)) out.later(() => writeObjectLater(out, value));
  else writeMembers(out, value, { keys: Object.keys(value), item: writeInsertionOrder });
}

function* writeObjectLater(out: JsonWriter, object: Readonly<JsonObject>): Work<void> {
  const keys = Object.keys(object);
  yield;
  writeMembers(out, object, { keys, item: writeInsertionOrder });
}

interface Members {
  readonly keys: readonly string[];
  readonly item: ValueWriter;
}

function writeMembers(out: JsonWriter, map: Readonly<JsonObject>, { keys, item }: Members): void {
  const start = out.length;
  out.nested += 1;
  for (let i = 0; i < keys.length; i++) {
    // Not before the first one, whose comma becomes the brace.
    if (out.isFull && out.length > start) {
      out.later(() => writeMembersFrom(out, map, { keys, item, from: i }));
      break;
    }
    writeMember(out, map, { key: keys[i] as string, item }); // within bounds
  }
  out.nested -= 1;
  closeObject(out, start);
}

function* writeMembersFrom(
  out: JsonWriter,
  map: Readonly<JsonObject>,
  { keys, item, from }: Members & { readonly from: number },
): Work<void> {
  for (let i = from; i < keys.length; i++) {
    writeMember(out, map, { key: keys[i] as string, item }); // within bounds
    if (out.isFull) yield* out.flush();
  }
}

function writeMember(
  out: JsonWriter,
  map: Readonly<JsonObject>,
  { key, item }: { readonly key: string; readonly item: ValueWriter },
): void {
  const value = map[key];
  if (value === undefined) return;
  out.byte(comma);
  out.string(key);
  out.byte(colon);
  item(out, value);
}
