import fc from 'fast-check';
import { expect, test } from 'vitest';
import { awkward, writtenJson } from '../../tools/random-objects/awkward.ts';
import { builtInKinds, type KindWithSchema, randomObject } from '../../tools/random-objects/kinds.ts';
import { seeded } from '../../tools/random-objects/random.ts';
import { allSerializers } from '../../tools/random-objects/serializers.ts';
import { encodeAny } from '../api/json/json-text.ts';
import type { JsonObject } from '../api/json/json.ts';
import { encodeJson } from '../schema/encode-json.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import { decodeBody, parseBody } from './decode-body.ts';
import { jsonSerializer } from './json-serializer.ts';
import { parseJson } from './json.ts';
import { encodeProtobuf } from './protobuf/encode.ts';
import { writeEnvelope } from './protobuf/envelope.ts';
import { writeProtobuf } from './protobuf-serializer.ts';
import type { Serializer } from './serializer.ts';

// fast-check prints failing numbers: they are the seeds of the objects, one of each kind.
const runs = { numRuns: 1, endOnFailure: true };
const slowTestMs = 60_000;

function read({ kind, schema }: KindWithSchema, serializer: Serializer, bytes: Uint8Array): JsonObject {
  const request = { bytes, serializer, expected: kind, fieldValidation: 'Strict' } as const;
  return decodeBody(request, parseBody(request), schema).object;
}

/** A random object of a kind in its in-memory form. */
function randomRead(of: KindWithSchema, seed: number): JsonObject {
  return read(of, jsonSerializer, Buffer.from(writtenJson(randomObject(of, seeded(seed), awkward))));
}

function render(serializer: Serializer, json: string): Buffer {
  return Buffer.from(serializer.write({ json: Buffer.from(json) }, { schemaOf: schemaOfKind }));
}

/** Ignores key order in free-form JSON, which some formats sort. */
function sortedText(json: string): string {
  return encodeAny(parseJson(Buffer.from(json)).value);
}

/** The reference writes a negative zero as `0` in YAML; in JSON, `-0` is read as an integer, which has no sign. */
function withoutNegativeZeros(json: string): string {
  return json.replaceAll(/(?<=[:,[])-0(?=[,\]}])/g, '0');
}

test.each(allSerializers)(
  'an object of any kind round-trips through $mediaType unchanged, with the same bytes whatever the field order',
  { timeout: slowTestMs },
  (serializer) => {
    const isYaml = serializer.mediaType === 'application/yaml';
    const isCbor = serializer.mediaType === 'application/cbor';
    const comparable = (json: string): string => (isYaml ? withoutNegativeZeros(sortedText(json)) : sortedText(json));
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        for (const of of builtInKinds) {
          const object = randomRead(of, seed);
          const text = encodeJson(of.schema, object);
          const body = render(serializer, text);
          expect(comparable(encodeJson(of.schema, read(of, serializer, body))), of.kind.kind).toBe(comparable(text));
          const reversed = Object.fromEntries(Object.entries(object).toReversed());
          const again = render(serializer, encodeJson(of.schema, reversed));
          // CBOR uses a random order.
          if (isCbor) expect(again.length, of.kind.kind).toBe(body.length);
          else expect(again.equals(body), of.kind.kind).toBe(true);
        }
      }),
      runs,
    );
  },
);

test('the message of an object is the same from memory and from JSON', { timeout: slowTestMs }, () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      for (const of of builtInKinds) {
        const text = withoutNegativeZeros(encodeJson(of.schema, randomRead(of, seed)));
        const object = read(of, jsonSerializer, Buffer.from(text));
        const { apiVersion, kind } = object;
        if (typeof apiVersion !== 'string' || typeof kind !== 'string') throw new Error('the kind is told');
        const direct = writeEnvelope({ apiVersion, kind, raw: encodeProtobuf(of.schema, object) });
        const json = Buffer.from(encodeJson(of.schema, object));
        expect(direct.equals(writeProtobuf({ json }, schemaOfKind)), kind).toBe(true);
      }
    }),
    runs,
  );
});
