import { isHuge } from '../../api/huge-objects.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { compareBytewise } from '../../api/json-text.ts';
import { sortedInTurns } from '../../api/sorted-in-turns.ts';
import type { Work } from '../../api/turns.ts';
import type { CborWriter } from './cbor-writer.ts';
import { majorTypes } from './major-types.ts';

// Arrays and maps. In pieces, what is left of them when a piece is full is set aside.

/** Writes a value as the item of its type. */
export type ItemWriter = (writer: CborWriter, value: JsonValue | undefined) => void;

/** Where writing goes on. */
interface Rest {
  readonly from: number;
  readonly item: ItemWriter;
}

export function writeItems(writer: CborWriter, items: readonly JsonValue[], item: ItemWriter): void {
  writer.head(majorTypes.array, items.length);
  for (let i = 0; i < items.length; i++) {
    if (writer.isFull) return itemsLater(writer, items, { from: i, item });
    item(writer, items[i]);
  }
}

function itemsLater(writer: CborWriter, items: readonly JsonValue[], rest: Rest): void {
  writer.later(() => writeItemsFrom(writer, items, rest));
}

function* writeItemsFrom(writer: CborWriter, items: readonly JsonValue[], { from, item }: Rest): Work<void> {
  for (let i = from; i < items.length; i++) {
    item(writer, items[i]);
    if (writer.isFull) yield* writer.flush();
  }
}

/** A map, in the order of its encoded keys. */
export function writeEntries(writer: CborWriter, object: Readonly<JsonObject>, item: ItemWriter): void {
  // Listing the keys of huge maps takes long.
  if (writer.isFull || (writer.isInPieces && isHuge(object))) mapLater(writer, object, item);
  else writeKeys(writer, object, { keys: keysInOrder(object), item });
}

function mapLater(writer: CborWriter, object: Readonly<JsonObject>, item: ItemWriter): void {
  writer.later(() => writeMapLater(writer, object, item));
}

function* writeMapLater(writer: CborWriter, object: Readonly<JsonObject>, item: ItemWriter): Work<void> {
  const unsorted = Object.keys(object);
  yield;
  writeKeys(writer, object, { keys: yield* sortedInTurns(unsorted, compareKeys), item });
}

interface Entries {
  readonly keys: readonly string[];
  readonly item: ItemWriter;
}

function writeKeys(writer: CborWriter, object: Readonly<JsonObject>, { keys, item }: Entries): void {
  writer.head(majorTypes.map, keys.length);
  for (let i = 0; i < keys.length; i++) {
    if (writer.isFull) return keysLater(writer, object, { keys, item, from: i });
    writeEntry(writer, object, { key: keys[i] as string, item }); // within bounds
  }
}

function keysLater(writer: CborWriter, object: Readonly<JsonObject>, rest: Entries & Rest): void {
  writer.later(() => writeKeysFrom(writer, object, rest));
}

function* writeKeysFrom(
  writer: CborWriter,
  object: Readonly<JsonObject>,
  { keys, item, from }: Entries & Rest,
): Work<void> {
  for (let i = from; i < keys.length; i++) {
    writeEntry(writer, object, { key: keys[i] as string, item }); // within bounds
    if (writer.isFull) yield* writer.flush();
  }
}

function writeEntry(
  writer: CborWriter,
  object: Readonly<JsonObject>,
  { key, item }: { readonly key: string; readonly item: ItemWriter },
): void {
  writer.string(key);
  item(writer, object[key]);
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
