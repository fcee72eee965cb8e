import { cborEncoding } from './cbor-encoding.ts';
import type { Encoding } from './encoding.ts';
import { jsonEncoding } from './json-encoding.ts';
import { protobufEncoding } from './protobuf-encoding.ts';
import { yamlEncoding } from './yaml-encoding.ts';

/** Media types of bodies and responses, in the order in which errors list them; the first is the default. */
export const encodingTable: readonly Encoding[] = [jsonEncoding, yamlEncoding, protobufEncoding, cborEncoding];
