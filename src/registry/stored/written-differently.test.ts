import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import { encodeForStorage } from '../../codec/stored-object.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import { areWrittenDifferently } from './written-differently.ts';

const text = (a: string): JsonObject => ({ metadata: { annotations: { a } } });
const container = (fields: JsonObject): JsonObject => ({ spec: { containers: [{ name: 'a', ...fields }] } });
const list = (...images: readonly string[]): JsonObject => ({
  spec: { containers: images.map((image) => ({ image })) },
});

const pod = builtInResources().find(({ kind, group }) => kind === 'Pod' && group === '');
if (pod === undefined) throw new Error('pods are built in');
const { schema } = pod;
const written = (object: JsonObject): Buffer =>
  encodeForStorage(schema, { kind: 'Pod', apiVersion: 'v1', metadata: {}, ...object });

test.each<readonly [string, JsonObject, JsonObject]>([
  ['texts', text('a'), text('b')],
  ['numbers', { spec: { priority: 1 } }, { spec: { priority: 2 } }],
  ['lists of different lengths', list('a'), list('a', 'b')],
  ['items', list('a', 'b'), list('a', 'c')],
])('%s that differ', (_, a, b) => {
  expect(areWrittenDifferently(a, b)).toBe(true);
  expect(written(a).equals(written(b))).toBe(false);
});

test.each<readonly [string, JsonObject, JsonObject]>([
  ['an empty list and none', container({ ports: [] }), container({})],
  ['an empty map and none', { metadata: { labels: {} } }, { metadata: {} }],
  ['an empty text and none', container({ image: '' }), container({})],
  ['unpaired surrogates', text('a\ud800'), text('a\ufffd')],
])('%s are written alike', (_, a, b) => {
  expect(written(a).equals(written(b))).toBe(true);
  for (const [left, right] of [[a, b] as const, [b, a] as const])
    expect(areWrittenDifferently(left, right)).toBe(false);
});

test.each<readonly [string, JsonValue | undefined, JsonValue | undefined]>([
  ['an integer of either type', 1n, 1],
  ['a text and none', 'a', undefined],
  ['null and an object', null, {}],
  ['a field of any name and none', {}, { constructor: 'a' }],
])('nothing is known about %s', (_, a, b) => {
  expect(areWrittenDifferently(a, b)).toBe(false);
  expect(areWrittenDifferently(b, a)).toBe(false);
});
