import { cborSerializer } from '../../src/codec/cbor-serializer.ts';
import { jsonSerializer } from '../../src/codec/json-serializer.ts';
import { protobufSerializer } from '../../src/codec/protobuf-serializer.ts';
import type { Serializer } from '../../src/codec/serializer.ts';
import { yamlSerializer } from '../../src/codec/yaml-serializer.ts';

/** Those of all media types, whatever gates a server opens. */
export const allSerializers: readonly Serializer[] = [
  jsonSerializer,
  yamlSerializer,
  protobufSerializer,
  cborSerializer,
];
