import { cborSerializer } from '../../src/codec/cbor-serializer.ts';
import { jsonSerializer } from '../../src/codec/json-serializer.ts';
import { protobufSerializer } from '../../src/codec/protobuf-serializer.ts';
import type { Serializer } from '../../src/codec/serializer.ts';
import { yamlSerializer } from '../../src/codec/yaml-serializer.ts';

/** For all media types, whichever gates a server enables. */
export const allSerializers: readonly Serializer[] = [
  jsonSerializer,
  yamlSerializer,
  protobufSerializer,
  cborSerializer,
];
