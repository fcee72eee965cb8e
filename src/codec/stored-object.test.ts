import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import { schemaByName } from '../schema/kubernetes/definitions.ts';
import type { Schema } from '../schema/schema.ts';
import {
  encodeForStorage,
  itemBytes,
  itemSize,
  locateVersion,
  metadataFields,
  metadataText,
  objectBytes,
  objectSize,
  uidOf,
} from './stored-object.ts';

function schemaNamed(name: string): Schema {
  const schema = schemaByName(name);
  if (schema === undefined) throw new Error(`no schema ${name}`);
  return schema;
}

const configMap = schemaNamed('io.k8s.api.core.v1.ConfigMap');
const custom: Schema = { type: 'object', goType: '' };

function configMapOf(metadata: JsonObject): JsonObject {
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { a: 'uid":"x"}' } };
}

const cases: readonly { name: string; metadata: JsonObject; whole: string; custom: string }[] = [
  {
    name: 'between uid and creationTimestamp',
    metadata: { name: 'a', uid: 'u', creationTimestamp: '2026-11-21T07:00:00Z' },
    whole: '{"name":"a","uid":"u","resourceVersion":"15","creationTimestamp":"2026-11-21T07:00:00Z"}',
    custom: '{"creationTimestamp":"2026-11-21T07:00:00Z","name":"a","resourceVersion":"15","uid":"u"}',
  },
  {
    name: 'after the last field',
    metadata: { name: '\u00e9"{' },
    whole: '{"name":"\u00e9\\"{","resourceVersion":"15"}',
    custom: '{"name":"\u00e9\\"{","resourceVersion":"15"}',
  },
  {
    name: 'before the first field',
    metadata: { selfLink: '', generation: 2 },
    whole: '{"resourceVersion":"15","generation":2}',
    custom: '{"generation":2,"resourceVersion":"15","selfLink":""}',
  },
  { name: 'alone', metadata: {}, whole: '{"resourceVersion":"15"}', custom: '{"resourceVersion":"15"}' },
  {
    name: 'instead of a stale one',
    metadata: { name: 'a', resourceVersion: '3', labels: { z: '1' } },
    whole: '{"name":"a","resourceVersion":"15","labels":{"z":"1"}}',
    custom: '{"labels":{"z":"1"},"name":"a","resourceVersion":"15"}',
  },
];

describe('stored objects', () => {
  it.each(cases)('get their resourceVersion $name', ({ metadata, whole }) => {
    const stored = locateVersion(encodeForStorage(configMap, configMapOf(metadata)));
    const data = '"data":{"a":"uid\\":\\"x\\"}"}';
    expect(objectBytes(stored, '15').toString()).toBe(
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":${whole},${data}}`,
    );
    expect(itemBytes(stored, '15').toString()).toBe(`{"metadata":${whole},${data}}`);
    expect(objectBytes(stored, '15').length).toBe(objectSize(stored, '15'));
    expect(itemBytes(stored, '15').length).toBe(itemSize(stored, '15'));
    expect(locateVersion(stored.bytes)).toEqual(stored);
  });

  it.each(cases)('of custom resources have sorted keys and get it $name', ({ metadata, custom: expected }) => {
    const object = { spec: { b: 1, a: [] }, ...configMapOf(metadata), data: {} };
    const stored = locateVersion(encodeForStorage(custom, object));
    const whole = `{"apiVersion":"v1","data":{},"kind":"ConfigMap","metadata":${expected},"spec":{"a":[],"b":1}}`;
    expect(objectBytes(stored, '15').toString()).toBe(whole);
    expect(itemBytes(stored, '15').toString()).toBe(whole);
    expect(locateVersion(stored.bytes)).toEqual(stored);
  });

  it('the uid is that of the object, wherever it is', () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'b', uid: 'other' }];
    const object = configMapOf({ name: 'a', labels: { uid: 'label' }, ownerReferences, uid: 'own' });
    for (const schema of [configMap, custom]) expect(uidOf(encodeForStorage(schema, object))).toBe('own');
    const without = configMapOf({ name: 'a', ownerReferences });
    for (const schema of [configMap, custom]) expect(uidOf(encodeForStorage(schema, without))).toBe('');
  });

  it.each([
    { name: 'a', uid: 'u', managedFields: [{ manager: 'm', fieldsV1: { 'f:data': { 'f:\u00e9"}': {} } } }] },
    { managedFields: [{ manager: 'm' }], name: '\u00e9', ownerReferences: [], uid: 'u' },
    { annotations: { managedFields: '"managedFields":[' }, managedFields: [{ manager: 'm' }], uid: 'u' },
    { managedFields: [] },
    { name: 'a', labels: { managedFields: 'b' } },
    {},
  ])('their metadata is read without managedFields: %j', (metadata: JsonObject) => {
    const { managedFields: _, ...rest } = metadata;
    const spec = { metadata: { managedFields: [1] } };
    for (const object of [{ kind: 'A', metadata, spec }, { metadata }, { apiVersion: 'v1', spec, metadata }]) {
      expect(metadataText(Buffer.from(JSON.stringify(object)))).toBe(JSON.stringify(rest));
    }
  });

  it('fields of their metadata are found, wherever they are', () => {
    const finalizers = ['a', 'finalizers'];
    const managedFields = [{ manager: 'm', fieldsV1: { finalizers: {} } }];
    const object = configMapOf({ name: 'uid', labels: { finalizers: 'b' }, finalizers, managedFields, uid: 'u' });
    for (const schema of [configMap, custom]) {
      const bytes = encodeForStorage(schema, object);
      const found = metadataFields(bytes, ['uid', 'deletionTimestamp', 'finalizers', 'ownerReferences']);
      const texts = found.map((place) => place && bytes.toString('utf8', place.value, place.next));
      expect(texts).toEqual(['"u"', undefined, '["a","finalizers"]', undefined]);
    }
    expect(metadataFields(Buffer.from('{}'), ['uid'])).toEqual([undefined]);
  });

  it('without metadata have no text of it', () => {
    for (const text of ['{"kind":"A","spec":{"metadata":{}}}', '{}', 'k8s']) {
      expect(metadataText(Buffer.from(text))).toBeUndefined();
    }
  });

  it('refuses bytes without metadata', () => {
    expect(() => locateVersion(Buffer.from('{"kind":"Status","apiVersion":"v1"}'))).toThrow(
      'the stored value is not an object with metadata',
    );
  });
});

it('stores the zeros of custom resources without a sign, and nothing else', () => {
  const free = { 'a:-0,': -0, b: [-0, -0.5, 0, ':-0}'], 'c\\': { d: -0, e: '[-0]\\",-0' } };
  const stored = encodeForStorage(custom, { metadata: {}, spec: free }).toString();
  expect(stored).toContain('"spec":{"a:-0,":0,"b":[0,-0.5,0,":-0}"],"c\\\\":{"d":0,"e":"[-0]\\\\\\",-0"}}');
  expect(JSON.parse(stored)).toEqual({ metadata: {}, spec: JSON.parse(JSON.stringify(free)) as JsonObject });
});
