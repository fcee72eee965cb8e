import type { JsonObject, JsonValue } from '../../api/json.ts';
import { compareBytewise } from '../../api/json-text.ts';
import type { CborWriter } from './cbor-writer.ts';
import { majorTypes, nullByte } from './major-types.ts';

/** Untyped data: integers where JSON has integers, maps in key order. */
export function writeAny(writer: CborWriter, value: JsonValue | undefined): void {
  switch (typeof value) {
    case 'string':
      return writer.string(value);
    case 'number':
      // `+ 0`: Go parses the JSON text "-0" as an integer.
      return Number.isSafeInteger(value) ? writer.integer(value + 0) : writer.float(value);
    case 'bigint':
      return writer.integer(value);
    case 'boolean':
      return writer.byte(value ? 0xf5 : 0xf4);
    case 'object':
      if (value === null) return writer.byte(nullByte);
      return Array.isArray(value) ? writeItems(writer, value) : writeEntries(writer, value);
    default:
      return writer.byte(nullByte);
  }
}

function writeItems(writer: CborWriter, items: readonly JsonValue[]): void {
  writer.head(majorTypes.array, items.length);
  for (const item of items) writeAny(writer, item);
}

function writeEntries(writer: CborWriter, object: Readonly<JsonObject>): void {
  const keys = keysInOrder(object);
  writer.head(majorTypes.map, keys.length);
  for (const key of keys) {
    writer.string(key);
    writeAny(writer, object[key]);
  }
}

/** Own keys with values, in the order of their encoded bytes (RFC 8949 section 4.2.1): shorter ones first. */
export function keysInOrder(object: Readonly<JsonObject>): string[] {
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
