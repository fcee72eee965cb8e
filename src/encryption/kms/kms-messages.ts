import { WireReader } from '../../api/bytes/wire-reader.ts';
import { WireWriter } from '../../api/bytes/wire-writer.ts';

// Messages of the plugins' services, `v1beta1` and `v2` of k8s.io/kms, by field number.

export type Annotations = ReadonlyMap<string, Uint8Array>;

/** Every field that is not empty, in their order. */
export function writeMessage(fields: { readonly [number: number]: string | Uint8Array | Annotations }): Buffer {
  const writer = new WireWriter();
  for (const [number, value] of Object.entries(fields)) {
    if (value instanceof Map) writeAnnotations(writer, Number(number), value as Annotations);
    else writeBytes(writer, Number(number), value as string | Uint8Array); // the other types of a field
  }
  return writer.finish();
}

/** proto3 leaves out what is empty. */
function writeBytes(writer: WireWriter, number: number, value: string | Uint8Array): void {
  if (value.length > 0) writer.bytes(number, typeof value === 'string' ? Buffer.from(value) : value);
}

function writeAnnotations(writer: WireWriter, number: number, annotations: Annotations): void {
  for (const [key, value] of annotations) {
    const entry = new WireWriter();
    writer.message(number, entry.bytes(1, Buffer.from(key)).bytes(2, value));
  }
}

/** The fields of a message as they are read one by one. */
export interface MessageFields {
  readonly bytes?: (number: number, value: Uint8Array) => void;
  readonly integer?: (number: number, value: number) => void;
}

/** Throws a ProtobufError. */
export function readMessage(message: Uint8Array, fields: MessageFields): void {
  const reader = new WireReader(message);
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    if (wireType === 2) fields.bytes?.(number, reader.bytes());
    else if (wireType === 0) fields.integer?.(number, reader.integer());
    else reader.skip(wireType);
  }
}

/** The text and byte fields of a message; the last of several wins. */
export function bytesByNumber(message: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  readMessage(message, { bytes: (number, value) => found.set(number, value) });
  return found;
}

/** One entry of a map. */
export function readAnnotation(entry: Uint8Array): readonly [key: string, value: Uint8Array] {
  const fields = bytesByNumber(entry);
  return [Buffer.from(fields.get(1) ?? []).toString(), Buffer.from(fields.get(2) ?? [])];
}
