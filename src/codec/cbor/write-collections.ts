import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import { compareBytewise } from '../../api/json/json-text.ts';
import type { CborWriter } from './cbor-writer.ts';
import { majorTypes } from './major-types.ts';

/** How items are written. */
export interface ItemType<T> {
  /** Writes a value; `type` is this object. One function serves many types, because polymorphic calls are slow. */
  readonly write: (writer: CborWriter, value: JsonValue | undefined, type: T) => void;
}

export function writeItems<T extends ItemType<T>>(writer: CborWriter, items: readonly JsonValue[], type: T): void {
  writer.head(majorTypes.array, items.length);
  for (const item of items) type.write(writer, item, type);
}

/** A map, in the order of its encoded keys. */
export function writeEntries<T extends ItemType<T>>(writer: CborWriter, object: Readonly<JsonObject>, type: T): void {
  const keys = keysInOrder(object);
  writer.head(majorTypes.map, keys.length);
  for (const key of keys) {
    writer.string(key);
    type.write(writer, object[key], type);
  }
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
