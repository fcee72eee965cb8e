import type { JsonObject, JsonValue } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';

// Definitions that older releases accepted and this one would not: which checks apply to their updates.

const group = 'planted.example.com';
const text = { type: 'string' };
const schemaOf = (a: JsonValue): JsonObject => ({ type: 'object', properties: { a } });
const schemaPath = 'spec.versions.0.schema.openAPIV3Schema';
const newSchema = (schema: JsonValue): Mutation => ({ [schemaPath]: schema });

const labelled: Mutation = { 'metadata.labels': { a: 'b' } };
const nonStructural = { properties: { a: { anyOf: [{ type: 'string' }] } } };
const unknownType = schemaOf({ type: 'x' });
const objectSet = schemaOf({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' });
const looseKeys = (nullable: boolean): JsonObject =>
  schemaOf({
    type: 'array',
    items: { type: 'object', nullable, properties: { k: text } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  });
const unpruned = (field: string): JsonObject => schemaOf({ type: 'object', default: { [field]: 1 } });
const manyFields = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ jsonPath: `.a.k${index}` }));

/** Updates of every planted definition, besides its own. */
const common: readonly Mutation[] = [
  {},
  labelled,
  newSchema(schemaOf(text)),
  newSchema(nonStructural),
  newSchema(unknownType),
  newSchema(objectSet),
  newSchema(looseKeys(true)),
  newSchema(unpruned('x')),
  newSchema(schemaOf({ ...text, default: 'x' })),
  newSchema(schemaOf({ 'x-kubernetes-preserve-unknown-fields': true, anyOf: [{ type: 'x' }] })),
  { 'spec.versions.0.schema': undefined },
  { 'spec.preserveUnknownFields': false },
  { 'spec.preserveUnknownFields': true },
  { 'spec.preserveUnknownFields': true, 'spec.conversion': { strategy: 'Webhook' } },
  { 'spec.versions.0.served': false, 'spec.versions.0.schema': undefined },
];

function planted(plural: string, mutation: Mutation, updates: readonly Mutation[] = []): KindCases {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schemaOf(text) } };
  return {
    resource: 'apiextensions.k8s.io/v1/customresourcedefinitions',
    clusterScoped: true,
    base: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: { group, scope: 'Namespaced', names: { plural, kind: plural.toUpperCase() }, versions: [version] },
    },
    planted: mutation,
    update: [...common, ...updates],
  };
}

const map = { type: 'object', additionalProperties: text };

export const plantedDefinitionCases: readonly KindCases[] = [
  planted('nonstructural', { ...newSchema(nonStructural), 'spec.preserveUnknownFields': true }),
  planted('typed', { ...newSchema(unknownType), 'spec.preserveUnknownFields': true }),
  planted('without', { 'spec.versions.0.schema': undefined, 'spec.preserveUnknownFields': true }),
  planted('dropping', { 'spec.versions.0.schema': undefined }),
  planted('sets', newSchema(objectSet)),
  planted('keys', newSchema(looseKeys(false)), [newSchema(looseKeys(false))]),
  planted('unpruned', newSchema(unpruned('x')), [newSchema(unpruned('y'))]),
  planted('selecting', { ...newSchema(schemaOf(map)), 'spec.versions.0.selectableFields': manyFields(10) }, [
    { 'spec.versions.0.selectableFields': manyFields(9) },
    { 'spec.versions.0.selectableFields': manyFields(8) },
  ]),
];
