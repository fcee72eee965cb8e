import { ProtobufError, WireReader, wireTypes } from '../../api/wire-reader.ts';
import { ReverseWriter } from './reverse-writer.ts';

/** What every protobuf body of the API starts with (specification, "Protobuf envelope"). */
const prefix = Buffer.from('k8s\0', 'latin1');

/** The `Unknown` message around an object. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object's own message. */
  readonly raw: Uint8Array;
}

/** The envelope around `message`: type, object, and two empty texts that Go writes as well. */
export function writeEnvelope({ apiVersion, kind, raw }: Envelope): Buffer {
  const { head, tail } = envelopeParts({ apiVersion, kind }, raw.length);
  return Buffer.concat([head, raw, tail]);
}

/** What stands before and after an object of `rawBytes`. */
export function envelopeParts(
  { apiVersion, kind }: Pick<Envelope, 'apiVersion' | 'kind'>,
  rawBytes: number,
): { readonly head: Buffer; readonly tail: Buffer } {
  const tail = new ReverseWriter();
  tail.close(4, tail.size);
  tail.close(3, tail.size);
  const head = new ReverseWriter();
  head.varint(rawBytes);
  head.tag(2, wireTypes.bytes);
  const end = head.size;
  for (const [number, text] of [
    [2, kind],
    [1, apiVersion],
  ] as const) {
    const before = head.size;
    head.text(text);
    head.close(number, before);
  }
  head.close(1, end);
  head.raw(prefix);
  return { head: head.finish(), tail: tail.finish() };
}

/** Reads the envelope. Throws a ProtobufError. */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (Buffer.compare(bytes.subarray(0, prefix.length), prefix) !== 0) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${[...prefix].join(' ')}]`,
    );
  }
  const reader = new WireReader(bytes.subarray(prefix.length));
  let type = { apiVersion: '', kind: '' };
  let raw: Uint8Array = new Uint8Array();
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === wireTypes.bytes) type = readTypeMeta(reader.bytes());
    else if (number === 2 && wireType === wireTypes.bytes) raw = reader.bytes();
    else reader.skip(wireType);
  }
  return { ...type, raw };
}

function readTypeMeta(bytes: Uint8Array): { apiVersion: string; kind: string } {
  const type = { apiVersion: '', kind: '' };
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === wireTypes.bytes) type.apiVersion = Buffer.from(reader.bytes()).toString('utf8');
    else if (number === 2 && wireType === wireTypes.bytes) type.kind = Buffer.from(reader.bytes()).toString('utf8');
    else reader.skip(wireType);
  }
  return type;
}
