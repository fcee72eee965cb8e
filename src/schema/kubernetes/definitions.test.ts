import { describe, expect, test } from 'vitest';

import type { Field, Schema } from '../schema.ts';
import { definitionKind, definitionNames, schemaByName } from './definitions.ts';

const core = 'io.k8s.api.core.v1';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

function field(definition: string, name: string): Field {
  const found = schemaByName(definition)?.structure?.fields.get(name);
  if (found === undefined) throw new Error(`${definition} has no field ${name}`);
  return found;
}

function schemas(): Schema[] {
  return definitionNames().flatMap((name) => schemaByName(name) ?? []);
}

describe('schemaByName', () => {
  test('returns undefined for unknown names', () => {
    expect(schemaByName(`${core}.Nothing`)).toBeUndefined();
    expect(schemaByName(`${core}.RestartPolicy`)).toBeUndefined();
    expect(schemaByName('Pod')).toBeUndefined();
    expect(schemaByName('')).toBeUndefined();
  });

  test('returns the same object each time, and one structure for every use of a type', () => {
    expect(schemaByName(`${core}.PodSpec`)).toBe(schemaByName(`${core}.PodSpec`));
    expect(field(`${core}.Pod`, 'spec').schema.structure).toBe(
      field(`${core}.PodTemplateSpec`, 'spec').schema.structure,
    );
  });

  test('items of a type with a wire form of its own are one schema, for all that readers make of it', () => {
    const schema = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
    const { items } = field(schema, 'items').schema;
    expect(items?.name).toBe(schema);
    expect(field(schema, 'items').schema.items).toBe(items);
  });

  test('fields are in the order of the Go struct, kind and apiVersion first', () => {
    expect([...(schemaByName(`${core}.Pod`)?.structure?.fields.keys() ?? [])]).toEqual([
      'kind',
      'apiVersion',
      'metadata',
      'spec',
      'status',
    ]);
  });

  test('markers of a list', () => {
    expect(field(`${core}.PodSpec`, 'containers')).toMatchObject({
      required: true,
      pointer: false,
      omit: 'never',
      number: 2,
      schema: {
        type: 'array',
        goType: '[]v1.Container',
        listType: 'map',
        listMapKeys: ['name'],
        patchStrategies: ['merge'],
        patchMergeKey: 'name',
      },
    });
    expect(field(`${core}.Container`, 'ports').schema.listMapKeys).toEqual(['containerPort', 'protocol']);
    expect(field(`${core}.PodSpec`, 'volumes').schema.patchStrategies).toEqual(['merge', 'retainKeys']);
  });

  test('embedded structs are flattened and keep the path through their messages', () => {
    const volume = schemaByName(`${core}.Volume`)?.structure;
    expect(volume?.goName).toBe('Volume');
    expect([...(volume?.fields.keys() ?? [])].slice(0, 2)).toEqual(['name', 'hostPath']);
    expect(volume?.fields.get('hostPath')).toMatchObject({
      number: 1,
      messagePath: [2],
      embeddedIn: ['VolumeSource'],
      pointer: true,
    });
    expect(field(`${core}.Pod`, 'kind')).toMatchObject({ embeddedIn: ['TypeMeta'] });
    expect(volume?.fields.get('name')?.messagePath).toBeUndefined();
  });

  test.each([
    [
      `${core}.PodSpec`,
      'restartPolicy',
      { type: 'string', goType: 'v1.RestartPolicy', enum: ['Always', 'Never', 'OnFailure'] },
    ],
    [`${core}.ContainerPort`, 'protocol', { default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'] }],
    [
      `${core}.Secret`,
      'data',
      { type: 'map', goType: 'map[string][]uint8', items: { type: 'string', format: 'byte', goType: '[]uint8' } },
    ],
    [
      `${core}.ResourceRequirements`,
      'limits',
      { type: 'map', goType: 'v1.ResourceList', items: { type: 'string', format: 'quantity' } },
    ],
    [
      `${core}.PersistentVolumeClaimStatus`,
      'allocatedResourceStatuses',
      { goType: 'map[v1.ResourceName]v1.ClaimResourceStatus', mapType: 'granular' },
    ],
    [`${core}.ServicePort`, 'targetPort', { type: 'any', format: 'int-or-string', goType: 'intstr.IntOrString' }],
    [`${core}.ObjectReference`, 'uid', { type: 'string', goType: 'types.UID' }],
    [
      `${meta}.ObjectMeta`,
      'creationTimestamp',
      { type: 'string', format: 'date-time', goType: 'v1.Time', name: `${meta}.Time` },
    ],
    [`${meta}.TableRow`, 'cells', { type: 'array', goType: '[]interface {}', items: { type: 'any' } }],
    [`${meta}.APIResource`, 'verbs', { type: 'array', goType: 'v1.Verbs', protobufItems: true }],
    [
      'io.k8s.api.authorization.v1.SubjectAccessReviewSpec',
      'extra',
      { items: { goType: 'v1.ExtraValue', protobufItems: true } },
    ],
    ['io.k8s.api.coordination.v1.LeaseSpec', 'renewTime', { type: 'string', format: 'micro-time' }],
    ['io.k8s.api.apps.v1.ControllerRevision', 'data', { type: 'any', format: 'raw-extension' }],
    ['io.k8s.api.apps.v1.DeploymentSpec', 'strategy', { patchStrategies: ['retainKeys'] }],
  ])('%s.%s', (definition, name, expected) => {
    expect(field(definition, name).schema).toMatchObject(expected);
  });

  test('the unions of JSONSchemaProps refer to the schema within', () => {
    const definition = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
    const items = field(definition, 'items').schema;
    expect(items).toMatchObject({ type: 'any', format: 'schema-or-array' });
    expect(items.items?.structure).toBe(schemaByName(definition)?.structure);
  });

  test('how absent fields are written', () => {
    expect(field(`${core}.Pod`, 'status')).toMatchObject({ omit: 'empty', pointer: false });
    expect(field(`${core}.ReplicationControllerSpec`, 'replicas')).toMatchObject({
      pointer: true,
      schema: { default: 1 },
    });
    expect(field(`${meta}.Status`, 'metadata')).toMatchObject({ omit: 'empty', pointer: false });
    expect(field('io.k8s.api.rbac.v1.RoleBinding', 'roleRef')).toMatchObject({ omit: 'never', required: true });
  });
});

describe('the definitions table as a whole', () => {
  test('every type named by a field exists', () => {
    const fields = schemas().flatMap((schema) => [...(schema.structure?.fields.values() ?? [])]);
    expect(fields.length).toBeGreaterThan(3700);
    for (const each of fields) expect(each.schema.goType, each.name).toMatch(/^[\w.[\]{} ]+$/);
  });

  test('protobuf numbers are complete and unique in every type with a protobuf form', () => {
    for (const schema of schemas()) {
      const fields = [...(schema.structure?.fields.values() ?? [])];
      const numbered = fields.filter((each) => each.number !== undefined);
      if (numbered.length === 0) continue;
      const unnumbered = fields.filter((each) => each.number === undefined).map((each) => each.name);
      expect(
        unnumbered.every((name) => name === 'kind' || name === 'apiVersion'),
        `${schema.name}: ${unnumbered}`,
      ).toBe(true);
      const paths = numbered.map((each) => [...(each.messagePath ?? []), each.number].join('.'));
      expect(new Set(paths).size, schema.name).toBe(paths.length);
    }
  });
});

describe('definitionKind', () => {
  test('returns the kind that a definition is the schema of', () => {
    expect(definitionKind('io.k8s.api.apps.v1.Deployment')).toEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
    });
    expect(definitionKind(`${core}.Pod`)).toEqual({ group: '', version: 'v1', kind: 'Pod' });
    expect(definitionKind(`${core}.PodSpec`)).toBeUndefined();
    expect(definitionKind(`${core}.Nothing`)).toBeUndefined();
  });
});
