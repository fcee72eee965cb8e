import { expect, test } from 'vitest';
import { formatApiVersion } from '../../src/api/meta/group-version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { cloneObject, type KubernetesObject } from '../../src/api/meta/object.ts';
import { forgetState, keepWritten, knownState } from '../../src/registry/stored/known-states.ts';
import { readForm, readState } from '../../src/registry/stored/read-forms.ts';
import { schemaCodec } from '../../src/registry/stored/schema-codec.ts';
import { shareUnchangedFields } from '../../src/registry/write/unchanged-fields.ts';
import { DecodeError } from '../../src/schema/decode-errors.ts';
import { decodePlain } from '../../src/schema/decode.ts';
import { builtInResources } from '../../src/schema/kubernetes/resources.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { awkward } from '../../tools/random-objects/awkward.ts';
import { familiar } from '../../tools/random-objects/familiar.ts';
import { randomObject } from '../../tools/random-objects/kinds.ts';
import { type Random, seeded } from '../../tools/random-objects/random.ts';

// What is known of an object that has been written is what reading its bytes would yield.

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const stored = builtInResources().filter(
  ({ storage, group, version }) => storage?.group === group && storage.version === version,
);

/** Decodes bodies; undefined for invalid values. */
function randomOf(resource: Resource, random: Random, values: typeof familiar): KubernetesObject | undefined {
  const { group, version, kind, schema } = resource;
  try {
    const { object } = decodePlain(schema, randomObject({ kind: resource, schema }, random, values));
    // Decoded by the schema of a kind.
    const metadata = { name: 'a', ...(isJsonObject(object['metadata']) ? object['metadata'] : {}) };
    return { ...object, kind, apiVersion: formatApiVersion(group, version), metadata } as unknown as KubernetesObject;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

type Change = (object: KubernetesObject, other: KubernetesObject) => KubernetesObject;

const changes: readonly Change[] = [
  (object) => object,
  (object) => ({ ...object, metadata: { ...object.metadata, annotations: { b: '<', a: 'ü' }, generation: 3 } }),
  (object) => ({ ...object, metadata: { ...object.metadata, labels: { '1': 'x', a: '\ud800' } } }),
  (object, { metadata }) => ({ ...object, metadata }),
  (object, { status }) => ({ ...object, ...(status === undefined ? {} : { status }) }),
  (object, { spec }) => withSpec(object, spec),
  ({ metadata }, other) => ({ ...other, metadata }),
  (object) => reversed(object),
  (object, { spec }) => reversed(withSpec(object, spec)),
];

/** The object with another spec, if there is one. */
function withSpec(object: KubernetesObject, spec: JsonValue | undefined): KubernetesObject {
  return { ...object, ...(spec === undefined ? {} : { spec }) };
}

/** The object with fields and keys in another order. */
function reversed(object: KubernetesObject): KubernetesObject {
  const reverse = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(reverse);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, item]) => [key, reverse(item)]),
    );
  };
  return reverse(object as unknown as JsonObject) as unknown as KubernetesObject; // objects are JSON-shaped
}

/** An object as one write after the other leaves it: what is known of it against what its bytes say. */
function* seriesOf(resource: Resource, random: Random): Generator<readonly [known: string, read: string]> {
  const codec = schemaCodec(resource);
  const key = `/registry/${resource.plural}/a`;
  const first = randomOf(resource, random, random() < 0.3 ? awkward : familiar);
  if (first === undefined) return;
  let value = codec.encode(first);
  for (let modRevision = 2; modRevision < 8; modRevision += 1) {
    const old = codec.decode({ key, value, modRevision }, 'change');
    const other = randomOf(resource, random, random() < 0.3 ? awkward : familiar) ?? first;
    const change = changes[Math.floor(random() * changes.length)] as Change; // within bounds
    const object = change(cloneObject(old), other);
    for (const name in object) if (object[name] === undefined) delete object[name];
    const alone = codec.encode(cloneObject(object));
    shareUnchangedFields(resource.schema, object, old);
    const before = shown(old);
    value = codec.encode(object, { object: old, bytes: value });
    yield [value.toString(), alone.toString()];
    yield [shown(old), before];
    keepWritten(key, value);
    const next = { key, value: Buffer.from(value), modRevision: modRevision + 1 };
    const [known, read] = [codec.decode(next, 'change'), schemaCodec(resource).decode(next, 'change')];
    yield [shown(known), shown(read)];
    yield [shown(identified(codec.decode(next, 'metadata'))), shown(identified(read))];
    const [form, readingForm] = [readForm(known), readForm(read)];
    // There is none of what only the exact decoder reads.
    if (readingForm !== undefined) yield [shown(form), shown(readingForm)];
  }
  forgetState(key);
}

function identified({ kind, apiVersion, metadata }: KubernetesObject): Partial<KubernetesObject> {
  return { kind, apiVersion, metadata };
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item)) ?? 'undefined';
}

test(`what is known of written objects is what their bytes say (SEED=${seed})`, () => {
  const random = seeded(seed);
  const wrong: string[] = [];
  for (const resource of stored) {
    for (const [known, read] of seriesOf(resource, random)) {
      if (known !== read) wrong.push(`${resource.kind}\n${known}\n${read}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(stored.length).toBeGreaterThan(60);
});

const [pods] = stored.filter(({ kind }) => kind === 'Pod');
if (pods === undefined) throw new Error('pods are stored');

test('of an object whose state is known only metadata are decoded for who asks for them', () => {
  const codec = schemaCodec(pods);
  const key = '/registry/pods/default/a';
  const spec = { containers: [{ name: 'a', image: 'a' }] };
  const value = codec.encode({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a', labels: { a: 'b' } }, spec });
  const stored = { key, value, modRevision: 2 };
  const metadata = { name: 'a', resourceVersion: '2', labels: { a: 'b' } };
  expect(codec.decode(stored, 'metadata')).toMatchObject({ metadata, spec });
  keepWritten(key, value);
  expect(codec.decode(stored, 'metadata')).toEqual({ kind: 'Pod', apiVersion: 'v1', metadata });
  expect(codec.decode(stored)).toMatchObject({ metadata, spec });
  forgetState(key);
});

test('a state is known by its key, its codec and its bytes', () => {
  const codec = schemaCodec(pods);
  const key = '/registry/pods/default/a';
  const bytes = (name: string) => codec.encode({ kind: 'Pod', apiVersion: 'v1', metadata: { name } });
  const old = codec.decode({ key, value: bytes('a'), modRevision: 1 }, 'change');
  const value = codec.encode({ ...old, metadata: { name: 'a', uid: 'u' } }, { object: old, bytes: bytes('a') });
  keepWritten(key, value);
  const next = { key, value, modRevision: 2 };
  const known = codec.decode(next, 'change');
  expect(codec.decode(next, 'change')).toBe(known);
  expect(codec.decode({ ...next, modRevision: 3 }, 'change').metadata.resourceVersion).toBe('3');
  expect(codec.decode(next)).not.toBe(known);
  expect(schemaCodec(pods).decode(next, 'change')).not.toBe(known);
  expect(knownState({ ...next, key: '/registry/pods/default/b' }, readState(known)?.codec ?? {})).toBeUndefined();
  expect(codec.decode({ ...next, value: bytes('other') }, 'change').metadata.name).toBe('other');
  forgetState(key);
  expect(codec.decode(next, 'change')).not.toBe(known);
});
