import { expect, test } from 'vitest';
import type { JsonObject } from '../../api/json/json.ts';
import { schemaOfKind } from '../../schema/kubernetes/definitions.ts';
import { withOldQuantities } from './old-quantities.ts';

const schema = schemaOfKind({ group: '', version: 'v1', kind: 'Pod' });

const podWith = (memory: string, more: object = {}): JsonObject => ({
  spec: { containers: [{ name: 'c', resources: { limits: { memory } }, ...more }] },
});

test.each([
  ['1Gi', '1073741824'],
  ['1', '1000m'],
  ['1E3', '1k'],
])('%s means the same as %s', (value, old) => {
  expect(schema && withOldQuantities(schema, podWith(value), podWith(old))).toEqual(podWith(old));
});

test('other quantities and other texts stay', () => {
  const [value, old] = [podWith('2', { args: ['1000m'] }), podWith('1', { args: ['1'] })];
  expect(schema && withOldQuantities(schema, value, old)).toBe(value);
});

test('an item that is not there before stays', () => {
  const value = podWith('1');
  expect(schema && withOldQuantities(schema, value, { spec: { containers: [] } })).toBe(value);
});
