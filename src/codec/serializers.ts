import { jsonSerializer } from './json-serializer.ts';
import { protobufSerializer } from './protobuf-serializer.ts';
import type { Serializer } from './serializer.ts';
import { yamlSerializer } from './yaml-serializer.ts';

/** Every media type of bodies, in the order in which error messages list them; the first is the default. */
export const serializers: readonly Serializer[] = [jsonSerializer, yamlSerializer, protobufSerializer];
