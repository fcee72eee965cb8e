import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../api/json.ts';
import { encodeJson } from './encode-json.ts';
import { schemaByName } from './kubernetes/definitions.ts';
import { writtenForm } from './written-form.ts';

const objects: { readonly [definition: string]: JsonObject } = {
  'io.k8s.api.core.v1.Pod': {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'a', labels: {}, annotations: { __proto__x: 'y' } },
    spec: { containers: [{ name: 'c', image: 'x', env: [{ name: 'A' }], ports: [{ containerPort: 0 }] }] },
  },
  'io.k8s.api.apps.v1.Deployment': { metadata: {}, spec: { replicas: 0, selector: {}, template: {} } },
  'io.k8s.api.core.v1.Service': { metadata: {}, spec: { ports: [{ port: 80, targetPort: 'http' }] } },
  'io.k8s.api.core.v1.ConfigMap': { metadata: {}, data: { a: '' }, immutable: false },
  'io.k8s.api.core.v1.Node': { metadata: {}, status: { capacity: { cpu: '4' } } },
};

describe('the written form', () => {
  it.each(Object.entries(objects))('of %s is what its JSON says', (definition, object) => {
    const schema = schemaByName(definition);
    if (schema === undefined) throw new Error('no such definition');
    expect(writtenForm(schema, object)).toEqual(JSON.parse(encodeJson(schema, object)));
    expect(writtenForm(schema, {})).toEqual(JSON.parse(encodeJson(schema, {})));
  });
});
