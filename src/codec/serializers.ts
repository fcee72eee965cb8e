import { jsonSerializer } from './json-serializer.ts';
import { protobufSerializer } from './protobuf-serializer.ts';
import type { Serializer } from './serializer.ts';
import { yamlSerializer } from './yaml-serializer.ts';

/** All media types of bodies, in the order of error messages; the first is the default. */
export const serializers: readonly Serializer[] = [jsonSerializer, yamlSerializer, protobufSerializer];
