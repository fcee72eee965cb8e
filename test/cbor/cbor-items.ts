import type { JsonObject } from '../../src/api/json/json.ts';
import { decodeCborMap } from '../../src/codec/cbor-serializer.ts';
import { encodeCbor } from '../../src/codec/cbor/encode.ts';
import { ItemReader } from '../../src/codec/cbor/item-reader.ts';

export const cbor = 'application/cbor';
export const apply = 'application/apply-patch+cbor';

/** A body as decoded by a schemaless client. */
export function read(bytes: Uint8Array): JsonObject {
  return decodeCborMap(bytes);
}

/** The items of a sequence (RFC 8742). */
export function sequence(bytes: Uint8Array): JsonObject[] {
  const reader = new ItemReader(bytes);
  const items: JsonObject[] = [];
  while (reader.at < bytes.length) {
    const start = reader.at;
    reader.skip();
    items.push(read(bytes.subarray(start, reader.at)));
  }
  return items;
}

/** A body as encoded by a schemaless client. */
export function write(object: JsonObject): Uint8Array {
  return encodeCbor(undefined, object);
}
