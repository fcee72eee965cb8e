import { wireTypes } from '../../api/bytes/wire-reader.ts';
import { written } from './encode.ts';
import type { MessageWriter } from './message-writer.ts';

/** A WatchEvent around an object in its envelope. */
export function writeWatchEvent(type: string, object: Uint8Array): Buffer {
  return written((writer) => writeEvent(writer, type, object));
}

/** As it is streamed: after its length in four bytes, big-endian. */
export function writeDelimitedEvent(type: string, object: Uint8Array): Buffer {
  return written((writer) => {
    writer.uint32(fieldSize(type.length) + fieldSize(fieldSize(object.length)));
    writeEvent(writer, type, object);
  });
}

/** The object is the `raw` of a RawExtension. */
function writeEvent(writer: MessageWriter, type: string, object: Uint8Array): void {
  writer.text(1, type);
  writer.tag(2, wireTypes.bytes);
  writer.varint(fieldSize(object.length));
  writer.tag(1, wireTypes.bytes);
  writer.varint(object.length);
  writer.long(object);
}

/** Bytes of a length-delimited field with a number below 16 and `length` bytes of content. */
export function fieldSize(length: number): number {
  let bytes = 2;
  for (let rest = length >>> 7; rest > 0; rest >>>= 7) bytes += 1;
  return bytes + length;
}

/** Writes such a field into `target` and returns the position after it. */
export function copyField(
  number: number,
  content: Uint8Array,
  { target, position }: { readonly target: Uint8Array; readonly position: number },
): number {
  let at = position;
  target[at++] = number * 8 + wireTypes.bytes;
  let rest = content.length;
  for (; rest > 127; rest >>>= 7) target[at++] = (rest & 127) | 128;
  target[at++] = rest;
  target.set(content, at);
  return at + content.length;
}
