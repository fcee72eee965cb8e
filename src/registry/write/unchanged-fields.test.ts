import { expect, test } from 'vitest';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { noteEmpty } from '../../api/json/written-notes.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import { schemaCodec } from '../stored/schema-codec.ts';
import { shareUnchangedFields, unchangedFields } from './unchanged-fields.ts';

function resourceOf(name: string) {
  const found = builtInResources().find(({ kind, version }) => kind === name && version === 'v1');
  if (found === undefined) throw new Error(`no kind ${name}`);
  return found;
}

function readOf(name: string, text: string): KubernetesObject {
  return schemaCodec(resourceOf(name)).decode({ value: Buffer.from(text), modRevision: 5 }, 'change');
}

const { schema } = resourceOf('ConfigMap');
const old = readOf(
  'ConfigMap',
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","labels":{"a":"b","c":"d"}},"data":{"a":"1","b":"2"}}',
);

test('fields with the same values are shared, also within the metadata', () => {
  const object: KubernetesObject = {
    ...old,
    metadata: { name: 'a', labels: { c: 'd', a: 'b' }, annotations: { a: 'b' } },
    data: { b: '2', a: '1' },
  };
  shareUnchangedFields(schema, object, old);
  expect(object['data']).toBe(old['data']);
  expect(object.metadata.labels).toBe(old.metadata.labels);
  expect(object.metadata.annotations).toEqual({ a: 'b' });
});

test.each([
  ['another value', { a: '1', b: '3' }],
  ['one value more', { a: '1', b: '2', c: '3' }],
  ['one value less', { a: '1' }],
])('a field with %s is not', (_, data) => {
  expect(unchangedFields(schema, { ...old, data }, old)).not.toContain('data');
});

test('a field with `fieldsV1` in another order is not', () => {
  const resource = resourceOf('DaemonSet');
  const objectOf = (fieldsV1: object): KubernetesObject => {
    const spec = { template: { metadata: { managedFields: [{ fieldsV1 }] } } } as JsonObject;
    const object = { kind: 'DaemonSet', apiVersion: 'apps/v1', metadata: { name: 'a' }, spec, status: {} };
    return readOf('DaemonSet', schemaCodec(resource).encode(object).toString());
  };
  const unchanged = (fieldsV1: object) =>
    unchangedFields(resource.schema, objectOf(fieldsV1), objectOf({ '.': {}, 'f:a': {} }));
  expect(unchanged({ '.': {}, 'f:a': {} })).toContain('spec');
  expect(unchanged({ 'f:a': {}, '.': {} })).not.toContain('spec');
});

test('a field with notes is not', () => {
  const data = { a: '1', b: '2' };
  noteEmpty(data, 'c', 'bytes');
  expect(unchangedFields(schema, { ...old, data }, old)).not.toContain('data');
});

test('a field with free-form JSON is not', () => {
  const revision = readOf(
    'ControllerRevision',
    '{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{"name":"a"},"data":{"a":{"b":1}},"revision":1}',
  );
  const names = unchangedFields(
    resourceOf('ControllerRevision').schema,
    { ...revision, data: { a: { b: 1 } } },
    revision,
  );
  expect(names).not.toContain('data');
});

test('nothing is shared with what is stored in another form, or was not read for a change', () => {
  const other = readOf(
    'ConfigMap',
    '{"kind":"ConfigMap","apiVersion":"v1","data":{"b":"2","a":"1"},"metadata":{"name":"a"}}',
  );
  expect(unchangedFields(schema, { ...other }, other)).toEqual([]);
  expect(unchangedFields(schema, { ...old }, { ...old })).toEqual([]);
});
