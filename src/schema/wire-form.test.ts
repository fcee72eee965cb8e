import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import { encodeJson } from './encode-json.ts';
import { encodeStored } from './encode-stored.ts';
import { schemaByName } from './kubernetes/definitions.ts';
import { wireForm } from './wire-form.ts';

function schemaOf(definition: string) {
  const schema = schemaByName(definition);
  if (schema === undefined) throw new Error(`no definition ${definition}`);
  return schema;
}

const objects: { readonly [definition: string]: JsonObject } = {
  'io.k8s.api.core.v1.Pod': {
    spec: {
      containers: [{ image: 'x', name: 'c', env: [{ name: 'A' }], ports: [{ containerPort: 0 }] }],
      hostname: '',
    },
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'a', labels: {}, annotations: { b: 'x', __proto__x: 'y', a: '<' } },
    status: { conditions: [{ status: 'True', type: 'Ready' }, { lastProbeTime: '0001-01-01T00:00:00Z' }] },
  },
  'io.k8s.api.apps.v1.Deployment': { metadata: {}, spec: { replicas: 0, selector: {}, template: {} } },
  'io.k8s.api.core.v1.Service': { spec: { ports: [{ targetPort: 'http', port: 80 }] }, metadata: {} },
  'io.k8s.api.core.v1.ConfigMap': { metadata: {}, data: { a: '', 10: 'x', 9: 'y' }, immutable: false },
  'io.k8s.api.core.v1.Node': { metadata: {}, status: { capacity: { memory: '1Gi', cpu: '4' } } },
  'io.k8s.api.rbac.v1.Role': { metadata: {}, rules: [{ verbs: [] }, {}] },
};

const cases = Object.entries(objects);

describe('the wire form', () => {
  it.each(cases)('of %s matches its JSON', (definition, object) => {
    const schema = schemaOf(definition);
    // Empty lists are not stored, but owned all the same.
    if (!definition.endsWith('Role')) expect(wireForm(schema, object)).toEqual(JSON.parse(encodeJson(schema, object)));
    expect(wireForm(schema, {})).toEqual(JSON.parse(encodeJson(schema, {})));
  });

  it.each(cases)('of %s is idempotent', (definition, object) => {
    const schema = schemaOf(definition);
    const formed = wireForm(schema, object);
    const again = wireForm(schema, formed);
    // JavaScript does not keep integer-like keys in byte order.
    if (definition.endsWith('ConfigMap')) expect(again).toEqual(formed);
    else expect(again).toBe(formed);
  });

  it.each(cases)('of %s does not modify the object', (definition, object) => {
    const before = JSON.stringify(object);
    wireForm(schemaOf(definition), object);
    expect(JSON.stringify(object)).toBe(before);
  });

  it('keeps empty lists that are always written, which are not stored', () => {
    const role = { metadata: {}, rules: [{ verbs: [] }] };
    const schema = schemaOf('io.k8s.api.rbac.v1.Role');
    expect(wireForm(schema, role)).toBe(role);
    expect(encodeStored(schema, role).toString()).toBe('{"metadata":{},"rules":[{"verbs":null}]}');
  });

  it('shares parts already in wire form', () => {
    const container = { name: 'c', image: 'x', resources: {} };
    const formed = wireForm(schemaOf('io.k8s.api.core.v1.PodSpec'), { hostname: 'h', containers: [container] });
    expect(JSON.stringify(formed)).toBe('{"containers":[{"name":"c","image":"x","resources":{}}],"hostname":"h"}');
    expect((formed['containers'] as JsonObject[])[0]).toBe(container);
  });
});

describe('the stored form', () => {
  it.each(cases)('of %s matches the encoder', (definition, object) => {
    const schema = schemaOf(definition);
    expect(encodeStored(schema, object).toString()).toBe(encodeJson(schema, object));
  });

  it.each<readonly [string, JsonObject]>([
    ['half a surrogate', { data: { a: '\ud83d', b: '😀' } }],
    ['what HTML minds', { data: { a: '<&>\u2028' } }],
    ['a backslash before what looks like a surrogate', { data: { a: '\\ud83d' } }],
    ['keys that look like numbers', { data: { 10: '', 9: '', a: '' } }],
    ['unknown fields', { data: {}, other: 1 }],
    ['undefined', { data: undefined as unknown as JsonObject }],
  ])('with %s matches the encoder', (_, object) => {
    const schema = schemaOf('io.k8s.api.core.v1.ConfigMap');
    expect(encodeStored(schema, object).toString()).toBe(encodeJson(schema, object));
  });

  it('keeps 64-bit integers and negative zero', () => {
    const pod = { metadata: { generation: 2n ** 62n }, spec: { containers: [] } };
    const schema = schemaOf('io.k8s.api.core.v1.Pod');
    expect(encodeStored(schema, pod).toString()).toBe(encodeJson(schema, pod));
    const props = schemaOf('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    expect(encodeStored(props, { maximum: -0 }).toString()).toBe('{"maximum":-0}');
  });
});
