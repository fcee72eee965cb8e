import { CborWriter } from './cbor-writer.ts';
import { majorTypes } from './major-types.ts';

const writer = new CborWriter();

/** A watch event around an encoded object, with a tag before each of the two. */
export function writeCborWatchEvent(type: string, object: Uint8Array): Buffer {
  writer.reset();
  writer.selfDescribed();
  writer.head(majorTypes.map, 2);
  writer.string('type');
  writer.string(type);
  writer.string('object');
  writer.raw(object);
  return writer.take();
}
