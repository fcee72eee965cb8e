import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json.ts';
import { DecodeError } from '../../src/schema/decode-errors.ts';
import { decodePlain } from '../../src/schema/decode.ts';
import { encodeWithoutVersion } from '../../src/schema/encode-json.ts';
import { fieldTexts } from '../../src/codec/stored-object.ts';
import { encodeStored, encodeStoredAround } from '../../src/schema/encode-stored.ts';
import { wireForm } from '../../src/schema/wire-form.ts';
import { awkward } from '../../tools/random-objects/awkward.ts';
import { familiar } from '../../tools/random-objects/familiar.ts';
import { builtInKinds, type KindWithSchema, randomObject } from '../../tools/random-objects/kinds.ts';
import { type Random, seeded } from '../../tools/random-objects/random.ts';

// For objects in wire form, JSON.stringify writes the same as our own encoder, which implements Go's rules for any
// form.

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const rounds = 3;

/** The same data with fields and keys in random order, as after a change. */
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

test(`objects written around stored fields are written as a whole would be (SEED=${seed})`, async () => {
  const random = seeded(seed);
  const wrong: string[] = [];
  let reused = 0;
  for (const each of kinds) {
    const { object } = decoded(each, randomObject(each, random, awkward));
    const before: JsonObject = { metadata: {}, ...object };
    const names = Object.keys(before).filter((name) => name !== 'metadata' && isJsonObject(before[name]));
    const texts = fieldTexts(encodeStored(each.schema, before), new Set(names));
    const after = { ...before, metadata: { name: 'changed', labels: { '<': '\ud800' } } };
    for (const kept of [texts, new Map([...texts].slice(1))]) {
      const [around, whole] = [await encodeStoredAround(each.schema, after, kept), encodeStored(each.schema, after)];
      if (!around.equals(whole)) wrong.push(`${each.kind.kind}\n${around.toString()}\n${whole.toString()}`);
      reused += kept.size;
    }
  }
  expect(wrong).toEqual([]);
  expect(reused).toBeGreaterThan(80);
});
