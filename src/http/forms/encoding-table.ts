import { cborEncoding } from './cbor-encoding.ts';
import type { Encoding } from './encoding.ts';
import { jsonEncoding } from './json-encoding.ts';
import { protobufEncoding } from './protobuf-encoding.ts';
import { yamlEncoding } from './yaml-encoding.ts';

/** The media types of bodies and answers, in the order in which errors tell them; the first is the default. */
export const encodingTable: readonly Encoding[] = [jsonEncoding, yamlEncoding, protobufEncoding, cborEncoding];
