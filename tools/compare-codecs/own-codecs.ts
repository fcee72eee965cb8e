import type { GroupVersionKind } from '../../src/api/meta/group-version.ts';
import { StatusError } from '../../src/api/errors/status.ts';
import { cborSerializer, writeCbor } from '../../src/codec/cbor-serializer.ts';
import { decodeBody, parseBody } from '../../src/codec/decode-body.ts';
import type { Serializer } from '../../src/codec/serializer.ts';
import { encodeJsonBytes } from '../../src/schema/encode-json.ts';
import { schemaOfKind } from '../../src/schema/kubernetes/definitions.ts';
import { allSerializers } from '../random-objects/serializers.ts';
import type { Forms, Part, Question } from './reference-codecs.ts';

/** What Binnacle decodes from a body, in the wanted formats. */
export function ownForms(kind: GroupVersionKind, { mediaType, body, wanted }: Question): Forms {
  const serializer = allSerializers.find((each) => each.mediaType === mediaType);
  const schema = schemaOfKind(kind);
  if (serializer === undefined || schema === undefined) throw new Error(`no ${kind.kind} in ${mediaType}`);
  try {
    const request = { bytes: body, serializer, expected: kind, fieldValidation: 'Ignore' } as const;
    const parsed = parseBody(request);
    const json = encodeJsonBytes(schema, decodeBody(request, parsed, schemaOfKind(parsed.kind)).object);
    const written = allSerializers.filter((to) => wanted.includes(to.mediaType));
    return { bodies: new Map(written.map((to) => [to.mediaType, partOf(to, json)])) };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { error: error.message };
  }
}

function partOf(to: Serializer, json: Uint8Array): Part {
  try {
    // The reference is asked for its deterministic order of fields as well.
    if (to === cborSerializer) return { body: Buffer.from(writeCbor({ json }, schemaOfKind, 0)) };
    return { body: Buffer.from(to.write({ json }, { schemaOf: schemaOfKind })) };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { error: error.message };
  }
}
