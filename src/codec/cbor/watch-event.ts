import { CborWriter } from './cbor-writer.ts';
import { majorTypes } from './major-types.ts';

const writer = new CborWriter();

/** A watch event around an encoded object, with a tag before each of the two; the object comes first or last. */
export function writeCborWatchEvent(type: string, object: Uint8Array, objectFirst = false): Buffer {
  writer.reset();
  writer.selfDescribed();
  writer.head(majorTypes.map, 2);
  if (objectFirst) writeMember('object', () => writer.long(object));
  writeMember('type', () => writer.string(type));
  if (!objectFirst) writeMember('object', () => writer.long(object));
  return writer.take();
}

function writeMember(name: string, value: () => void): void {
  writer.string(name);
  value();
}
