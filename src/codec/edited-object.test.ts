import { expect, it } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import { editedObject } from './edited-object.ts';

const schema = schemaOfKind({ group: '', version: 'v1', kind: 'ConfigMap' });
const data = { a: '{"metadata":{"uid":1}}' };
const text = '"data":{"a":"{\\"metadata\\":{\\"uid\\":1}}"}';

/** What becomes of an object stored with this metadata, a text in or out of wire order. */
function edited(stored: string, metadata: JsonObject, more: JsonObject = {}): string | undefined {
  if (schema === undefined) throw new Error('there are config maps');
  const json = `{"kind":"ConfigMap","apiVersion":"v1","metadata":${stored},${text}}`;
  const parsed = JSON.parse(json) as JsonObject; // of an object
  const read = { bytes: Buffer.from(json), parsed, object: { ...parsed, data } };
  return editedObject(schema, { ...parsed, data, metadata, ...more }, read)?.bytes.toString();
}

it.each([
  ['in between', '{"name":"a","labels":{"b":"ü"}}', { uid: 'u', generation: 2 }],
  ['before others', '{"labels":{"b":"c"}}', { name: 'a' }],
  ['after others', '{"name":"a"}', { labels: { b: '<' }, finalizers: ['f'] }],
  ['into nothing', '{}', { name: 'a', uid: 'u' }],
  ['in place of others', '{"name":"a","uid":"old","generation":1,"labels":{"b":"c"}}', { uid: 'u', generation: 2 }],
])('fields are written %s', (_, stored, changes) => {
  const before = JSON.parse(stored) as JsonObject; // of an object
  const order = ['name', 'uid', 'generation', 'labels', 'finalizers'];
  const after = Object.fromEntries(
    Object.entries({ ...before, ...changes }).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)),
  );
  const written = JSON.stringify(after).replace('<', '\\u003c');
  expect(edited(stored, { ...before, ...changes })).toBe(
    `{"kind":"ConfigMap","apiVersion":"v1","metadata":${written},${text}}`,
  );
});

it('the resource version is not stored', () => {
  expect(edited('{"name":"a"}', { name: 'a', resourceVersion: '5' })).toContain('"metadata":{"name":"a"}');
});

it('fields beside the metadata are written in wire order', () => {
  const [before, after] = ['"immutable":true', '"binaryData":{"b":"AA=="}'];
  expect(edited('{"name":"a"}', { name: 'a' }, { binaryData: { b: 'AA==' }, immutable: true })).toBe(
    `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},${before},${text},${after}}`,
  );
});

it.each([
  ['a field was removed', '{"name":"a","uid":"u"}', { name: 'a' }, {}],
  ['a field is not stored', '{"name":"a"}', { name: 'a', labels: {} }, {}],
  ['a field is elsewhere', '{"uid":"u","name":"a"}', { name: 'b', uid: 'u' }, {}],
  ['nothing is shared', '{"name":"a"}', { name: 'a' }, { data: { a: 'b' } }],
])('the object is written as a whole if %s', (_, stored, metadata, more) => {
  expect(edited(stored, metadata, more)).toBeUndefined();
});
