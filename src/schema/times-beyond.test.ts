import { expect, test } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import { schemaByName } from './kubernetes/definitions.ts';
import type { Schema } from './schema.ts';
import { timeBeyond } from './times-beyond.ts';

function schemaOf(name: string): Schema {
  return schemaByName(name) as Schema; // a built-in kind
}

const after = '10000-01-01T00:59:59Z';
const before = '-0001-12-31T23:00:00Z';
const inside = '9999-12-31T23:59:59Z';

test.each<readonly [schema: string, object: JsonObject, path: string]>([
  ['io.k8s.api.core.v1.Pod', { metadata: { name: 'a', creationTimestamp: after } }, 'metadata.creationTimestamp'],
  ['io.k8s.api.core.v1.Pod', { metadata: {}, status: { startTime: before } }, 'status.startTime'],
  [
    'io.k8s.api.core.v1.Pod',
    { status: { conditions: [{ lastProbeTime: inside }, { lastProbeTime: inside, lastTransitionTime: after }] } },
    'status.conditions[1].lastTransitionTime',
  ],
  ['io.k8s.api.coordination.v1.Lease', { spec: { renewTime: '10000-01-01T00:59:59.000000Z' } }, 'spec.renewTime'],
  [
    'io.k8s.api.apps.v1.Deployment',
    { spec: { template: { metadata: { managedFields: [{ time: before }] } } } },
    'spec.template.metadata.managedFields[0].time',
  ],
])('%s has a time that could not be read again', (schema, object, path) => {
  expect(timeBeyond(schemaOf(schema), object)?.path).toBe(path);
});

test('other texts and times that can be read are none', () => {
  const pod = { metadata: { name: after, annotations: { at: after }, creationTimestamp: inside }, status: {} };
  expect(timeBeyond(schemaOf('io.k8s.api.core.v1.Pod'), pod)).toBeUndefined();
  expect(timeBeyond(schemaOf('io.k8s.api.core.v1.ConfigMap'), { data: { a: after } })).toBeUndefined();
});
