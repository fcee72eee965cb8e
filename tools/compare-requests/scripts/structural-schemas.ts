import { definition, definitionsPath } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, patch, post, put, remove } from '../steps.ts';

const group = 'structural.example.com';
const options = { group, plural: 'forms', kind: 'Form' };
const path = `${definitionsPath}/forms.${group}`;

/** Schemas of a field below `spec`. */
const fields: { readonly [name: string]: unknown } = {
  'no type': {},
  'a description only': { description: 'd' },
  'an unknown type': { type: 'nope' },
  'types as a list': { type: ['string', 'null'] },
  'an array without items': { type: 'array' },
  'items that are a list': { type: 'array', items: [{ type: 'string' }] },
  'items without a type': { type: 'array', items: {} },
  'properties of a text': { type: 'string', properties: { a: { type: 'string' } } },
  'properties and additional ones': {
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: { type: 'string' },
  },
  'additional properties allowed': { type: 'object', additionalProperties: true },
  'additional properties forbidden': { type: 'object', additionalProperties: false },
  'pattern properties': { type: 'object', patternProperties: { a: { type: 'string' } } },
  'a reference': { $ref: '#/definitions/x' },
  'an identity': { type: 'string', id: 'x' },
  dependencies: { type: 'object', dependencies: { a: ['b'] } },
  definitions: { type: 'object', definitions: { a: { type: 'string' } } },
  'unique items': { type: 'array', items: { type: 'string' }, uniqueItems: true },
  'not with a type': { type: 'string', not: { type: 'string' } },
  'one of with properties': {
    type: 'object',
    properties: { a: { type: 'string' } },
    oneOf: [{ properties: { a: { type: 'string' } } }],
  },
  'one of with unknown properties': { type: 'object', oneOf: [{ properties: { z: { minLength: 1 } } }] },
  'one of with defaults': {
    type: 'object',
    properties: { a: { type: 'string' } },
    oneOf: [{ properties: { a: { default: 'x' } } }],
  },
  'any of an int or text': { anyOf: [{ type: 'integer' }, { type: 'string' }] },
  'any of an int or text, marked': {
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
  },
  'an int or text with a type': { type: 'string', 'x-kubernetes-int-or-string': true },
  'all of, then any of': {
    'x-kubernetes-int-or-string': true,
    allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'x' }],
  },
  'nullable in one of': { type: 'string', anyOf: [{ nullable: true }] },
  'a default of another type': { type: 'string', default: 5 },
  'a default that is null': { type: 'string', default: null },
  'a null default of a nullable': { type: 'string', nullable: true, default: null },
  'a default that breaks a limit': { type: 'string', maxLength: 1, default: 'xx' },
  'a default with unknown fields': { type: 'object', properties: { a: { type: 'string' } }, default: { b: 1 } },
  'a default with nested defaults': {
    type: 'object',
    properties: { a: { type: 'string', default: 'x' } },
    default: {},
  },
  'a bad pattern': { type: 'string', pattern: '(' },
  'a pattern with look-ahead': { type: 'string', pattern: '^(?!x)' },
  'an unknown format': { type: 'string', format: 'nope' },
  'an enum without values': { type: 'string', enum: [] },
  'an enum with a value twice': { type: 'string', enum: ['a', 'a'] },
  'an enum of other types': { type: 'string', enum: [1, 'a'] },
  'a negative length': { type: 'string', minLength: -1 },
  'limits that cross': { type: 'integer', minimum: 5, maximum: 1 },
  'a list of an unknown type': { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'nope' },
  'a set of objects': { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' },
  'a set of atomic objects': {
    type: 'array',
    items: { type: 'object', 'x-kubernetes-map-type': 'atomic' },
    'x-kubernetes-list-type': 'set',
  },
  'keys without a map': { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-map-keys': ['a'] },
  'a map without keys': { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' },
  'a map with an unknown key': {
    type: 'array',
    items: { type: 'object', properties: { b: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a'],
  },
  'a map whose key is optional': {
    type: 'array',
    items: { type: 'object', properties: { a: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a'],
  },
  'a map whose key is an object': {
    type: 'array',
    items: { type: 'object', required: ['a'], properties: { a: { type: 'object' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a'],
  },
  'a map with a key twice': {
    type: 'array',
    items: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a', 'a'],
  },
  'an unknown map type': { type: 'object', 'x-kubernetes-map-type': 'nope' },
  'a map type of a text': { type: 'string', 'x-kubernetes-map-type': 'atomic' },
  'an embedded object': { type: 'object', 'x-kubernetes-embedded-resource': true },
  'an embedded object that is kept': {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
  'an embedded object with metadata': {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { metadata: { type: 'object', properties: { name: { pattern: 'x' } } }, spec: { type: 'string' } },
  },
  'unknown fields pruned': { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
  'unknown fields of a text': { type: 'string', 'x-kubernetes-preserve-unknown-fields': true },
  'a validation': { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.size() < 5' }] },
  'a validation that cannot be parsed': { type: 'string', 'x-kubernetes-validations': [{ rule: 'self..' }] },
  'a validation without a rule': { type: 'string', 'x-kubernetes-validations': [{ message: 'x' }] },
  'an unknown keyword': { type: 'string', nope: 1 },
  'required twice': { type: 'object', required: ['a', 'a'], properties: { a: { type: 'string' } } },
  'required but unknown': { type: 'object', required: ['z'], properties: { a: { type: 'string' } } },
  'a title and an example': {
    type: 'string',
    title: 't',
    example: { a: 1 },
    externalDocs: { url: 'https://example.com' },
  },
};

const whole = (schema: unknown, more: object = {}): object =>
  definition({ ...options, version: { schema: { openAPIV3Schema: schema }, ...more } });
const below = (field: unknown): object => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { field } } },
});

const roots: { readonly [name: string]: unknown } = {
  'no schema': undefined,
  'an empty one': {},
  null: null,
  'a text': { type: 'string' },
  'properties of metadata': {
    type: 'object',
    properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } },
  },
  'other properties of metadata': {
    type: 'object',
    properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
  },
  'metadata that are a text': { type: 'object', properties: { metadata: { type: 'string' } } },
  'metadata that are required': {
    type: 'object',
    required: ['metadata'],
    properties: { metadata: { type: 'object' } },
  },
  'a kind that is a number': { type: 'object', properties: { kind: { type: 'integer' } } },
  'a nullable root': { type: 'object', nullable: true },
  'a root that keeps everything': { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  'a default of the root': { type: 'object', default: { a: 1 } },
  'additional properties': { type: 'object', additionalProperties: { type: 'string' } },
};

function fieldSteps(field: unknown, name: string): readonly Step[] {
  return [
    post(`a field with ${name}`, `${definitionsPath}?dryRun=All`, whole(below(field))),
    post(`items with ${name}`, `${definitionsPath}?dryRun=All`, whole(below({ type: 'array', items: field }))),
    patch(`a change to ${name}`, 'merge', `${path}?dryRun=All`, {
      spec: { versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: below(field) } }] },
    }),
  ];
}

/** Reports: definitions that controller-gen, cdk8s or people wrote, and what is wrong with their schemas. */
export const structuralSchemas = script(
  'structural-schemas',
  post('a definition', definitionsPath, whole(below({ type: 'string' }))),
  get('it is established', path, { until: 'InitialNamesAccepted' }),
  forEach(fields, fieldSteps),
  forEach(roots, (root, name) => post(`a root: ${name}`, `${definitionsPath}?dryRun=All`, whole(root))),
  forEach(
    {
      names: { names: { plural: 'forms', kind: 'form' } },
      group: { group: 'other.example.com' },
      scope: { scope: 'Cluster' },
      plural: { names: { plural: 'Forms', kind: 'Form' } },
      'unknown scope': { scope: 'Nope' },
      preserving: { preserveUnknownFields: true },
      conversion: { conversion: { strategy: 'Webhook' } },
      'unknown conversion': { conversion: { strategy: 'Nope' } },
      'short names': {
        names: { plural: 'forms', kind: 'Form', shortNames: ['F', 'forms'], categories: ['All', 'all'] },
      },
    },
    (spec, name) => [
      patch(`changed: ${name}`, 'merge', `${path}?dryRun=All`, { spec }),
      post(
        `created: ${name}`,
        `${definitionsPath}?dryRun=All`,
        definition({ ...options, plural: 'others', properties: {}, spec }),
      ),
    ],
  ),
  put('the definition without a version', path, definition({ ...options, properties: {} })),
  post('of v1beta1', '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions', {}),
  remove('delete it', path),
);
