import fc from 'fast-check';
import { expect, test } from 'vitest';
import { awkward, writtenJson } from '../../../tools/random-objects/awkward.ts';
import { type KindWithSchema, randomObject } from '../../../tools/random-objects/kinds.ts';
import { type Random, seeded } from '../../../tools/random-objects/random.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { parseJson } from '../../codec/json.ts';
import { parseStored } from '../../codec/stored-json.ts';
import { keepWritten, knownJson } from '../../registry/stored/known-states.ts';
import { keepRead } from '../../registry/stored/read-forms.ts';
import { schemaCodec } from '../../registry/stored/schema-codec.ts';
import { decodeObject } from '../../schema/decode.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import type { Resource } from '../../schema/resource.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { protobufMessage, protobufObject } from './stored-message.ts';

// fast-check prints failing numbers: they are the seeds of the objects, one of each kind.
const runs = { numRuns: 2, endOnFailure: true };
const slowTestMs = 60_000;
const stored = builtInResources().filter(({ storage }) => storage !== undefined);

function randomStored(resource: Resource, random: Random): KubernetesObject {
  const { group, version, kind, schema } = resource;
  const of: KindWithSchema = { kind: { group, version, kind }, schema };
  const json = writtenJson(randomObject(of, random, awkward));
  const { object } = decodeObject(schema, parseJson(Buffer.from(json)));
  const metadata = { name: 'a', uid: 'u', ...(object['metadata'] as JsonObject | undefined) };
  return { ...object, metadata } as unknown as KubernetesObject; // decoded by the schema of a kind
}

test('the message of what has been written is the same from memory and from its bytes', { timeout: slowTestMs }, () => {
  let known = 0;
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      for (const resource of stored) {
        const codec = schemaCodec(resource);
        const { apiVersion, kind: name, ...fields } = randomStored(resource, seeded(seed));
        const object = { ...fields, kind: name, apiVersion } as KubernetesObject;
        const created = codec.encode(object);
        if (expectSame(resource, created)) known += 1;
        const read = codec.decode({ key, value: created, modRevision: 5 }, 'change');
        const changed = { ...read, metadata: { ...read.metadata, labels: { changed: 'true' } } };
        if (expectSame(resource, codec.encode(changed, { object: read, bytes: created }))) known += 1;
        // What is removed has been read.
        const removed = codec.encode({ ...changed, metadata: { ...changed.metadata, labels: { removed: 'true' } } });
        keepRead({ resource }, key, codec.decode({ key, value: Buffer.from(removed), modRevision: 6 }, 'change'));
        expectSameMessage(resource, Buffer.from(removed));
      }
    }),
    runs,
  );
  // Others have values that only the encoder that knows Go's rules writes.
  expect(known).toBeGreaterThan(stored.length);
});

const key = '/registry/random/a';

/** Whether it is known. */
function expectSame(resource: Resource, written: Buffer): boolean {
  keepWritten(key, written);
  expectSameMessage(resource, Buffer.from(written));
  const json = knownJson({ key, value: written, modRevision: 7 });
  if (json !== undefined) expect(shown(json)).toBe(shown(parseStored(written).value));
  return json !== undefined;
}

/** As text, which is compared faster than objects are. */
function shown(value: unknown): string | undefined {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));
}

function expectSameMessage(resource: Resource, value: Buffer): void {
  const message = protobufObject({ key, value, modRevision: 7 }, resource);
  expect(message.equals(protobufObject({ value, modRevision: 7 }, resource)), resource.kind).toBe(true);
}

test('a message is made once of what is stored, also if the store returns other bytes', () => {
  const resource = stored.find(({ kind }) => kind === 'ConfigMap');
  if (resource === undefined) throw new Error('no config maps');
  const codec = schemaCodec(resource);
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', uid: 'u' }, data: { a: 'b' } };
  const value = codec.encode(object);
  const entry = new CacheEntry('/registry/configmaps/default/a', Buffer.from(value), 7);
  expect(knownJson(entry)).toBeUndefined();
  keepWritten(entry.key, value);
  expect(knownJson(entry)).toEqual(object);
  expect(protobufMessage(entry, resource)).toBe(protobufMessage(entry, resource));
});
