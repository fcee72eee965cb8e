import fc from 'fast-check';
import { expect, test } from 'vitest';
import { awkward, writtenJson } from '../../../tools/random-objects/awkward.ts';
import { type KindWithSchema, randomObject } from '../../../tools/random-objects/kinds.ts';
import { type Random, seeded } from '../../../tools/random-objects/random.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { parseJson } from '../../codec/json.ts';
import { schemaCodec } from '../../registry/stored/schema-codec.ts';
import { noteReceived, noteWritten, writtenObject } from '../../registry/write/written-objects.ts';
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
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      for (const resource of stored) {
        const kind = { resource, codec: schemaCodec(resource) };
        const { apiVersion, kind: name, ...fields } = randomStored(resource, seeded(seed));
        const object = { ...fields, kind: name, apiVersion } as KubernetesObject;
        const created = kind.codec.encode(object);
        noteWritten(kind, created, object);
        expect(writtenObject(created), name).toBe(created.length > 65_536 ? undefined : object);
        expectSame(resource, created);
        const read = kind.codec.decode({ value: created, modRevision: 5 }, 'change');
        const changed = { ...read, metadata: { ...read.metadata, labels: { changed: 'true' } } };
        const updated = kind.codec.encode(changed, { object: read, bytes: created });
        noteWritten(kind, updated, changed);
        expectSame(resource, updated);
        // What is removed has been read.
        const removed = Buffer.from(updated);
        noteWritten(kind, removed, kind.codec.decode({ value: removed, modRevision: 5 }, 'change'));
        expectSame(resource, removed);
      }
    }),
    runs,
  );
});

function expectSame(resource: Resource, value: Buffer): void {
  const message = protobufObject({ value, modRevision: 7 }, resource);
  const copy = Buffer.from(value);
  expect(message.equals(protobufObject({ value: copy, modRevision: 7 }, resource)), resource.kind).toBe(true);
}

test('a message is made once of what is stored, also if the store returns other bytes', () => {
  const resource = stored.find(({ kind }) => kind === 'ConfigMap');
  if (resource === undefined) throw new Error('no config maps');
  const codec = schemaCodec(resource);
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', uid: 'u' }, data: { a: 'b' } };
  const value = codec.encode(object);
  noteWritten({ resource, codec }, value, object);
  const entry = new CacheEntry('/registry/configmaps/default/a', Buffer.from(value), 7);
  expect(writtenObject(entry.value)).toBeUndefined();
  noteReceived(entry.value, value);
  expect(writtenObject(entry.value)).toBe(object);
  expect(protobufMessage(entry, resource)).toBe(protobufMessage(entry, resource));
});

test('only the latest writes are known', () => {
  const resource = stored.find(({ kind }) => kind === 'ConfigMap');
  if (resource === undefined) throw new Error('no config maps');
  const codec = schemaCodec(resource);
  const values = Array.from({ length: 100 }, (_, index) => {
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: `a${index}`, uid: 'u' } };
    const value = codec.encode(object);
    noteWritten({ resource, codec }, value, object);
    return value;
  });
  const known = values.map((value) => writtenObject(value) !== undefined);
  expect(known.indexOf(true)).toBe(known.filter((is) => !is).length);
  expect(known.at(-1)).toBe(true);
  expect(known[0]).toBe(false);
});
