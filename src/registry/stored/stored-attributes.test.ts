import { expect, test } from 'vitest';
import { attributeReader } from '../read/selection.ts';

const read = attributeReader({
  selectableFields: { 'spec.count': (object) => String((object['spec'] as unknown as Spec).count) },
});

interface Spec {
  readonly count: number | bigint;
}

const ordinary = { name: 'a', namespace: 'n', uid: 'u' };

test.each([
  ['none', ordinary, {}],
  ['some', { ...ordinary, labels: { app: 'web', b: '' } }, { app: 'web', b: '' }],
  ['escaped ones', { labels: { 'a"b': 'c\\d', e: '\u00fc' }, ...ordinary }, { 'a"b': 'c\\d', e: '\u00fc' }],
  [
    'those after other fields',
    { ...ordinary, annotations: { labels: '{"labels":{}}' }, labels: { a: 'b' } },
    { a: 'b' },
  ],
])('labels are read from the metadata: %s', (_, metadata, labels) => {
  for (const object of [
    { kind: 'A', apiVersion: 'v1', metadata, spec: { count: 1 } },
    { apiVersion: 'v1', kind: 'A', spec: { labels: {}, count: 1 }, metadata },
  ]) {
    const attributes = read(Buffer.from(JSON.stringify(object)));
    expect(attributes.labels).toEqual(labels);
    expect(attributes.fields).toEqual({
      'metadata.name': 'a',
      'metadata.namespace': 'n',
      'metadata.uid': 'u',
      'spec.count': '1',
    });
  }
});

test('integers in fields of a kind are exact', () => {
  const text = '{"kind":"A","apiVersion":"v1","metadata":{"name":"a"},"spec":{"count":9007199254740993}}';
  const { fields } = read(Buffer.from(text));
  expect(fields).toEqual({
    'metadata.name': 'a',
    'metadata.namespace': '',
    'metadata.uid': '',
    'spec.count': '9007199254740993',
  });
});
