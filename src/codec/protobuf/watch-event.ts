import { wireTypes } from '../../api/wire-reader.ts';
import { ReverseWriter } from './reverse-writer.ts';

/** A WatchEvent around an object in its envelope. */
export function writeWatchEvent(type: string, object: Uint8Array): Buffer {
  const writer = new ReverseWriter();
  const end = writer.size;
  writer.raw(object);
  writer.close(1, end);
  writer.close(2, end);
  const before = writer.size;
  writer.text(type);
  writer.close(1, before);
  return writer.finish();
}

/** As it stands in a stream: after its length, four bytes with the highest first. */
export function lengthDelimited(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(4 + message.length);
  framed.writeUInt32BE(message.length);
  framed.set(message, 4);
  return framed;
}

/** The field of a repeated message: what stands before `length` bytes of it. */
export function messageHead(number: number, length: number): Buffer {
  const writer = new ReverseWriter();
  writer.varint(length);
  writer.tag(number, wireTypes.bytes);
  return writer.finish();
}
