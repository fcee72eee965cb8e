import { plainSource } from '../api/json-tree.ts';
import { decodeProtobuf } from './protobuf/decode.ts';
import { readEnvelope } from './protobuf/envelope.ts';
import { ProtobufError } from '../api/wire-reader.ts';
import { BodySyntaxError, type DecodedBody, type Serializer } from './serializer.ts';

/** Requests in protobuf: Go clients write it by default. Answers to them go out in JSON, which they accept as well. */
export const protobufSerializer: Serializer = { mediaType: 'application/vnd.kubernetes.protobuf', decode };

function decode(bytes: Uint8Array): DecodedBody {
  return refuseAsBody(() => {
    const { apiVersion, kind, raw } = readEnvelope(bytes);
    return {
      source: plainSource({ apiVersion, kind }),
      strictErrors: [],
      typed: (schema) => refuseAsBody(() => plainSource({ ...decodeProtobuf(schema, raw), apiVersion, kind })),
    };
  });
}

function refuseAsBody<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ProtobufError ? new BodySyntaxError(error.message) : error;
  }
}
