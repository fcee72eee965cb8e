import type { JsonValue } from '../../api/json/json.ts';
import type { CborWriter } from './cbor-writer.ts';
import { nullByte } from './major-types.ts';
import { type ItemType, writeEntries, writeItems } from './write-collections.ts';

interface AnyType extends ItemType<AnyType> {}

/** The encoder of untyped data. */
export const anyType: AnyType = { write: writeAny };

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
      return Array.isArray(value) ? writeItems(writer, value, anyType) : writeEntries(writer, value, anyType);
    default:
      return writer.byte(nullByte);
  }
}
