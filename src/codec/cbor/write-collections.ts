import { isHuge } from '../../api/huge-objects.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { compareBytewise } from '../../api/json-text.ts';
import { sortedInTurns } from '../../api/sorted-in-turns.ts';
import type { Work } from '../../api/turns.ts';
import type { CborWriter } from './cbor-writer.ts';
import { majorTypes } from './major-types.ts';

// Arrays and maps. In pieces, what is left of them when a piece is full is set aside.

/** How items are written. */
export interface ItemType<T> {
  /** The same function for as many types as possible: calls of different ones are slow. `type` is this. */
  readonly write: (writer: CborWriter, value: JsonValue | undefined, type: T) => void;
}

/** Where writing goes on. */
interface Rest<T> {
  readonly from: number;
  readonly type: T;
}

export function writeItems<T extends ItemType<T>>(writer: CborWriter, items: readonly JsonValue[], type: T): void {
  writer.head(majorTypes.array, items.length);
  for (let i = 0; i < items.length; i++) {
    if (writer.isFull) return itemsLater(writer, items, { from: i, type });
    type.write(writer, items[i], type);
  }
}

function itemsLater<T extends ItemType<T>>(writer: CborWriter, items: readonly JsonValue[], rest: Rest<T>): void {
  writer.later(() => writeItemsFrom(writer, items, rest));
}

function* writeItemsFrom<T extends ItemType<T>>(
  writer: CborWriter,
  items: readonly JsonValue[],
  { from, type }: Rest<T>,
): Work<void> {
  for (let i = from; i < items.length; i++) {
    type.write(writer, items[i], type);
    if (writer.isFull) yield* writer.flush();
  }
}

/** A map, in the order of its encoded keys. */
export function writeEntries<T extends ItemType<T>>(writer: CborWriter, object: Readonly<JsonObject>, type: T): void {
  // Listing the keys of huge maps takes long.
  if (writer.isFull || (writer.isInPieces && isHuge(object))) mapLater(writer, object, type);
  else writeKeys(writer, object, { keys: keysInOrder(object), type });
}

function mapLater<T extends ItemType<T>>(writer: CborWriter, object: Readonly<JsonObject>, type: T): void {
  writer.later(() => writeMapLater(writer, object, type));
}

function* writeMapLater<T extends ItemType<T>>(writer: CborWriter, object: Readonly<JsonObject>, type: T): Work<void> {
  const unsorted = Object.keys(object);
  yield;
  writeKeys(writer, object, { keys: yield* sortedInTurns(unsorted, compareKeys), type });
}

interface Entries<T> {
  readonly keys: readonly string[];
  readonly type: T;
}

function writeKeys<T extends ItemType<T>>(
  writer: CborWriter,
  object: Readonly<JsonObject>,
  { keys, type }: Entries<T>,
): void {
  writer.head(majorTypes.map, keys.length);
  for (let i = 0; i < keys.length; i++) {
    if (writer.isFull) return keysLater(writer, object, { keys, type, from: i });
    writeEntry(writer, object, { key: keys[i] as string, type }); // within bounds
  }
}

function keysLater<T extends ItemType<T>>(
  writer: CborWriter,
  object: Readonly<JsonObject>,
  rest: Entries<T> & Rest<T>,
): void {
  writer.later(() => writeKeysFrom(writer, object, rest));
}

function* writeKeysFrom<T extends ItemType<T>>(
  writer: CborWriter,
  object: Readonly<JsonObject>,
  { keys, type, from }: Entries<T> & Rest<T>,
): Work<void> {
  for (let i = from; i < keys.length; i++) {
    writeEntry(writer, object, { key: keys[i] as string, type }); // within bounds
    if (writer.isFull) yield* writer.flush();
  }
}

function writeEntry<T extends ItemType<T>>(
  writer: CborWriter,
  object: Readonly<JsonObject>,
  { key, type }: { readonly key: string; readonly type: T },
): void {
  writer.string(key);
  type.write(writer, object[key], type);
}

/** Own keys with values, in the order of their encoded bytes (RFC 8949 section 4.2.1): shorter ones first. */
function keysInOrder(object: Readonly<JsonObject>): string[] {
  const keys = Object.keys(object);
  for (let i = 1; i < keys.length; i++) {
    if (compareKeys(keys[i - 1] ?? '', keys[i] ?? '') > 0) {
      keys.sort(compareKeys);
      break;
    }
  }
  return keys;
}

const notAscii = /[^\u0000-\u007f]/;

export function compareKeys(a: string, b: string): number {
  const difference = sizeOf(a) - sizeOf(b);
  return difference === 0 ? compareBytewise(a, b) : difference;
}

function sizeOf(key: string): number {
  return notAscii.test(key) ? Buffer.byteLength(key) : key.length;
}
