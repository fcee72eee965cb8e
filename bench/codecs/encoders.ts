import type { JsonObject } from '../../src/api/json/json.ts';
import { encodeCbor } from '../../src/codec/cbor/encode.ts';
import { cborSerializer } from '../../src/codec/cbor-serializer.ts';
import { encodeEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { protobufSerializer } from '../../src/codec/protobuf-serializer.ts';
import type { Serializer } from '../../src/codec/serializer.ts';
import { encodeJsonBytes } from '../../src/schema/encode-json.ts';
import type { Schema } from '../../src/schema/schema.ts';

/** Encodes a pod from its in-memory object. */
export type Encoder = (schema: Schema, object: JsonObject) => Uint8Array;

/** How a server encodes bodies of a media type: from JSON, unless there is a direct way. */
export function encoderOf(serializer: Serializer): Encoder {
  const direct = directEncoders[serializer.mediaType];
  if (direct !== undefined) return direct;
  return (schema, object) => serializer.write({ json: encodeJsonBytes(schema, object) }, { schemaOf: () => schema });
}

const directEncoders: { readonly [mediaType: string]: Encoder } = {
  [cborSerializer.mediaType]: encodeCbor,
  [protobufSerializer.mediaType]: (schema, object) => encodeEnvelope({ apiVersion: 'v1', kind: 'Pod' }, schema, object),
};
