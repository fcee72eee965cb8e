import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { DecodeError } from '../../src/schema/decode-errors.ts';
import { decodePlain } from '../../src/schema/decode.ts';
import { encodeWithoutVersion } from '../../src/schema/encode-json.ts';
import { editedObject } from '../../src/codec/edited-object.ts';
import { encodeStored } from '../../src/schema/encode-stored.ts';
import { wireForm } from '../../src/schema/wire-form.ts';
import { awkward } from '../../tools/random-objects/awkward.ts';
import { familiar } from '../../tools/random-objects/familiar.ts';
import { builtInKinds, type KindWithSchema, randomObject } from '../../tools/random-objects/kinds.ts';
import { type Random, seeded } from '../../tools/random-objects/random.ts';

// For objects in wire form, JSON.stringify writes the same as our own encoder, which implements Go's rules for any
// form.

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const rounds = 3;

/** A copy of the data with fields and keys in random order, as after a change. */
function shuffled(random: Random, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => shuffled(random, item));
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value);
  if (random() < 0.5) keys.reverse();
  return Object.fromEntries(keys.map((key) => [key, shuffled(random, value[key] ?? null)]));
}

/** Decodes bodies; invalid values are dropped. */
function decoded({ schema }: KindWithSchema, value: JsonObject): { readonly object: JsonObject } {
  try {
    return decodePlain(schema, value);
  } catch (error) {
    if (error instanceof DecodeError) return { object: {} };
    throw error;
  }
}

const kinds = builtInKinds.filter(
  ({ schema }) => schema.structure?.fields.get('metadata')?.schema.goType === 'v1.ObjectMeta',
);

test(`stored bytes of all kinds are those of the encoder (SEED=${seed})`, () => {
  const random = seeded(seed);
  const wrong: string[] = [];
  for (const each of kinds) {
    for (let round = 0; round < rounds; round++) {
      const { object } = decoded(each, randomObject(each, random, round === 0 ? awkward : familiar));
      const whole: JsonObject = { metadata: {}, ...object };
      const changed = shuffled(random, whole);
      if (!isJsonObject(changed)) throw new Error('objects stay objects');
      for (const form of [whole, changed, wireForm(each.schema, changed)]) {
        const [stored, exact] = [encodeStored(each.schema, form), encodeWithoutVersion(each.schema, form)];
        if (!stored.equals(exact)) wrong.push(`${each.kind.kind}\n${stored.toString()}\n${exact.toString()}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(kinds.length).toBeGreaterThan(80);
});

/** What deletions, status writes and changes of metadata do to an object. */
const changes: readonly ((object: JsonObject, metadata: JsonObject, other: JsonObject) => JsonObject)[] = [
  (object) => ({ ...object }),
  (object, metadata) => ({ ...object, metadata: { ...metadata, ...marks } }),
  (object, metadata) => ({ ...object, metadata: { ...metadata, ...marks, finalizers: ['example.com/a', 'b'] } }),
  (object, metadata) => ({ ...object, metadata: { ...metadata, labels: { '<': '\ud800' } } }),
  (object) => ({ ...object, metadata: { name: 'other', labels: { '<': '\ud800' } } }),
  (object, _, { status }) => (status === undefined ? object : { ...object, status }),
  (object, metadata, { spec }) =>
    spec === undefined ? object : { ...object, metadata: { ...metadata, generation: 2 }, spec },
];
const marks = { generation: 7, deletionTimestamp: '2026-11-21T07:00:00Z', deletionGracePeriodSeconds: 0 };

test(`objects edited as stored are written as a whole would be (SEED=${seed})`, () => {
  const random = seeded(seed);
  const wrong: string[] = [];
  let edits = 0;
  for (const each of kinds) {
    const [before, other] = [awkward, familiar].map((values) => {
      const { object } = decoded(each, randomObject(each, random, values));
      return { metadata: {}, ...object } as JsonObject; // of JSON
    });
    const metadata = before?.['metadata'];
    if (before === undefined || other === undefined || !isJsonObject(metadata))
      throw new Error('objects have metadata');
    const bytes = encodeStored(each.schema, before);
    const parsed = JSON.parse(bytes.toString()) as JsonObject; // of an object
    for (const change of changes) {
      const after = change(before, metadata, other);
      const [edited, whole] = [
        editedObject(each.schema, after, { object: before, bytes, parsed }),
        encodeStored(each.schema, after),
      ];
      if (edited === undefined) continue;
      if (!edited.bytes.equals(whole)) wrong.push(`${each.kind.kind}\n${edited.bytes.toString()}\n${whole.toString()}`);
      edits++;
    }
  }
  expect(wrong).toEqual([]);
  expect(edits).toBeGreaterThan(200);
});
