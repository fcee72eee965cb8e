import { WireReader } from '../../src/api/bytes/wire-reader.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import { decodeProtobuf } from '../../src/codec/protobuf/decode.ts';
import { encodeProtobuf } from '../../src/codec/protobuf/encode.ts';
import { readEnvelope, writeEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { schemaOfAnyKind } from '../../src/schema/kubernetes/unserved-kinds.ts';
import type { Schema } from '../../src/schema/schema.ts';

export const protobuf = 'application/vnd.kubernetes.protobuf';

/** The object in an envelope. */
export function read(bytes: Uint8Array): JsonObject {
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  return { kind, apiVersion, ...decodeProtobuf(schemaOf(apiVersion, kind), raw) };
}

/** Encodes an object, with kind and apiVersion, in its envelope. */
export function write(object: JsonObject & { readonly apiVersion: string; readonly kind: string }): Buffer {
  const { apiVersion, kind } = object;
  return writeEnvelope({ apiVersion, kind, raw: encodeProtobuf(schemaOf(apiVersion, kind), object) });
}

function schemaOf(apiVersion: string, kind: string): Schema {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const schema = schemaOfAnyKind({ group, version, kind });
  if (schema === undefined) throw new Error(`${apiVersion} ${kind}`);
  return schema;
}

/** Watch events: length-delimited messages. */
export function readEvents(bytes: Buffer): { readonly type: string; readonly object: JsonObject }[] {
  const events: { type: string; object: JsonObject }[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    const event = new WireReader(bytes.subarray(at + 4, end));
    const [type, extension] = [fieldOf(event, 1), new WireReader(fieldOf(event, 2))];
    events.push({ type: Buffer.from(type).toString(), object: read(fieldOf(extension, 1)) });
    at = end;
  }
  return events;
}

/** The next field, which must have this number and a length. */
function fieldOf(reader: WireReader, number: number): Uint8Array {
  const tag = reader.tag();
  if (tag.number !== number || tag.wireType !== 2) throw new Error(`field ${tag.number} where ${number} belongs`);
  return reader.bytes();
}
