import { protobufSerializer, writeProtobuf } from '../src/codec/protobuf-serializer.ts';
import { schemaOfKind } from '../src/schema/kubernetes/definitions.ts';

export const protobufType = protobufSerializer.mediaType;

/** What is sent of a body that is told in JSON. */
export function bodyIn(contentType: string | undefined, json: string): string | Uint8Array {
  return contentType === protobufType ? writeProtobuf({ json: Buffer.from(json) }, schemaOfKind) : json;
}
