import { ProtobufError, WireReader, wireTypes } from '../../api/wire-reader.ts';

/** What every protobuf body of the API starts with (specification, "Protobuf envelope"). */
const prefix = Buffer.from('k8s\0', 'latin1');

/** The `Unknown` message around an object. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object's own message. */
  readonly raw: Uint8Array;
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
