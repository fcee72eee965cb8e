import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import type { Resource } from '../schema/resource.ts';
import { longestStepRatio } from '../../test/cpu-time.ts';
import { schemaCodec } from './schema-codec.ts';
import { decodeInTurns, type StoredObject } from './stored-object.ts';

const many = (count: number, value: string): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, value]));
const managedFields = [
  { manager: 'm', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': { '.': {}, 'f:key-1': {} } } },
];
const env = Array.from({ length: 20_000 }, (_, i) => ({ name: `e${i}`, value: i % 2 === 0 ? '' : 'v' }));
const limits = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`r${i}`, '1000m']));

const objects: readonly (readonly [string, string, JsonObject])[] = [
  ['a config map of many keys', 'configmaps', { metadata: { name: 'a', managedFields }, data: many(50_000, '') }],
  ['many labels', 'configmaps', { metadata: { name: 'a', labels: many(50_000, ''), annotations: {} } }],
  ['a pod of many variables', 'pods', { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', env }] } }],
  ['a map whose values change', 'resourcequotas', { metadata: { name: 'a' }, spec: { hard: limits } }],
  ['a small one', 'configmaps', { metadata: { name: 'a', managedFields }, data: { a: 'b' } }],
];

/** Of a typical machine. */
const boundMs = 150;

describe.each(objects)('%s', (_, plural, rest) => {
  const resource = resourceOf(plural);
  const codec = schemaCodec(resource);
  // Not encoded by the schema: its contents must stay as unusual as they are.
  const value = Buffer.from(JSON.stringify({ kind: resource.kind, apiVersion: 'v1', ...rest }));
  const stored: StoredObject = { value, modRevision: 7 };

  test('decodes in turns as at once', async () => {
    const object: KubernetesObject = await decodeInTurns(codec, stored);
    expect(JSON.stringify(object)).toBe(JSON.stringify(codec.decode(stored)));
  });

  test('blocks the event loop only briefly', () => {
    expect(longestStepRatio(() => codec.read(stored), boundMs)).toBeLessThan(1);
  });
});

function resourceOf(plural: string): Resource {
  const found = builtInResources().find((resource) => resource.group === '' && resource.plural === plural);
  if (found === undefined) throw new Error(`no ${plural}`);
  return found;
}
