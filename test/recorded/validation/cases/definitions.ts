import type { JsonObject, JsonValue } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { defaultCases } from './definition-defaults.ts';
import { schemaCases } from './definition-schemas.ts';
import { values } from './values.ts';

const apiVersion = 'apiextensions.k8s.io/v1';
const group = 'recorded.example.com';
const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
const version = { name: 'v1', served: true, storage: true, schema };
const second = { name: 'v2', served: true, storage: false, schema };
const spec = (...list: (JsonValue | undefined)[]): Mutation[] => values('spec', ...list);
const first = (field: string, ...list: (JsonValue | undefined)[]): Mutation[] =>
  values(`spec.versions.0.${field}`, ...list);

function definition(plural: string, kind: string): JsonObject {
  return {
    apiVersion,
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, kind }, versions: [version] },
  };
}

const nameCases: readonly Mutation[] = [
  {},
  ...values('metadata.name', 'x', 'gadgets', 'A b'),
  { 'metadata.finalizers': ['x'] },
  { 'metadata.generateName': 'x' },
  ...spec({}, undefined),
  ...values('spec.group', '', undefined, 'A', 'example', 'other.example.com'),
  ...values('spec.scope', '', undefined, 'cluster', 'Cluster'),
  ...values('spec.names', {}, undefined, { plural: 'gadgets' }, { plural: 'gadgets', kind: '' }),
  ...values('spec.names.plural', 'Gadgets', '', 'a b'),
  ...values('spec.names.singular', 'Gadget', '', undefined, 'x y'),
  ...values('spec.names.kind', 'gadget', 'Gad get', '1', undefined),
  ...values('spec.names.listKind', 'Gadget', 'x y', '', undefined, 'gadgetlist'),
  ...values('spec.names.shortNames', ['a', 'B', '']),
  ...values('spec.names.categories', ['all', 'B_', '']),
];

const protectedGroup = (annotations?: JsonObject): Mutation => ({
  'metadata.name': 'gadgets.sub.k8s.io',
  'spec.group': 'sub.k8s.io',
  ...(annotations === undefined ? {} : { 'metadata.annotations': annotations }),
});
const approved = 'api-approved.kubernetes.io';

const approvalCases: readonly Mutation[] = [
  protectedGroup(),
  protectedGroup({ [approved]: '' }),
  protectedGroup({ [approved]: 'x' }),
  protectedGroup({ [approved]: 'unapproved, experimental' }),
  protectedGroup({ [approved]: 'https://github.com/kubernetes/enhancements/pull/1' }),
  protectedGroup({ [approved]: '/a' }),
  { 'metadata.name': 'gadgets.kubernetes.io', 'spec.group': 'kubernetes.io' },
  { 'metadata.name': 'gadgets.xk8s.io', 'spec.group': 'xk8s.io' },
];

const versionCases: readonly Mutation[] = [
  ...values(
    'spec.versions',
    undefined,
    [{}],
    [{ name: 'v1' }],
    [{ ...version, storage: false }],
    [version, { ...second, storage: true }],
    [version, second],
    [version, version],
    [{ ...version, served: false }],
    [{ ...version, name: '' }],
    [{ ...version, name: 'V1' }],
    [{ ...version, schema: undefined as never }],
    [{ ...version, schema: {} }],
    [version, { ...second, schema: {} }],
    [
      { ...version, subresources: { status: {} } },
      { ...second, schema: { openAPIV3Schema: { type: 'object', nullable: true, maxProperties: 2 } } },
    ],
    [version, { ...second, name: 'v1', deprecated: true, deprecationWarning: '', subresources: { scale: {} } }],
  ),
  ...first('deprecationWarning', 'x', ''),
  { 'spec.versions.0.deprecated': true, 'spec.versions.0.deprecationWarning': '' },
  { 'spec.versions.0.deprecated': true, 'spec.versions.0.deprecationWarning': 'a'.repeat(257) },
  { 'spec.versions.0.deprecated': true, 'spec.versions.0.deprecationWarning': 'öl\n' },
  { 'spec.versions.0.deprecated': true, 'spec.versions.0.deprecationWarning': 'fine ✓' },
  ...first(
    'subresources',
    {},
    { status: {} },
    { scale: {} },
    { scale: { specReplicasPath: 'a', statusReplicasPath: 'b', labelSelectorPath: 'c' } },
    { scale: { specReplicasPath: '.a', statusReplicasPath: '.spec.b', labelSelectorPath: '.c' } },
    { scale: { specReplicasPath: '.spec', statusReplicasPath: '.status', labelSelectorPath: '' } },
    { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.b', labelSelectorPath: '.spec.c' } },
  ),
  ...first(
    'additionalPrinterColumns',
    [{}],
    [{ name: 'a', type: 'x', format: 'y', jsonPath: 'z' }],
    [{ name: 'a', type: 'date', format: 'date-time', jsonPath: '.z' }],
    [{ name: 'a', type: 'integer', format: 'password', jsonPath: '.' }],
  ),
  ...values('spec.preserveUnknownFields', true, false),
  { 'spec.preserveUnknownFields': true, 'spec.conversion': { strategy: 'Webhook' } },
];

const selectable = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        color: { type: 'string', enum: ['red'] },
        size: { type: 'integer' },
        on: { type: 'boolean' },
        ratio: { type: 'number' },
        list: { type: 'array', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        any: { 'x-kubernetes-int-or-string': true },
        day: { type: 'string', format: 'date' },
      },
    },
    metadata: { type: 'object', properties: { name: { type: 'string' } } },
  },
};

const fieldLists: readonly (readonly string[])[] = [
  ['.spec.color', '.spec.size', '.spec.on', '.spec.day'],
  [''],
  ['spec.color'],
  ['.spec'],
  ['.spec.ratio'],
  ['.spec.list'],
  ['.spec.list[0]'],
  ['.spec.map.x'],
  ["['spec'].color"],
  ['.spec.any'],
  ['.spec.missing'],
  ['.metadata.name'],
  ['.status.x'],
  ['.spec.color', '.spec.color'],
  ['.'],
  ['.spec.color.x'],
  ['.spec..color'],
  ['.spec.color.'],
  Array.from({ length: 9 }, (_, index) => `.spec.map.k${index}`),
  Array.from({ length: 8 }, (_, index) => `.spec.map.k${index}`),
];

const selectableCases: readonly Mutation[] = [
  ...fieldLists.map((paths) => ({
    'spec.versions.0.schema.openAPIV3Schema': selectable,
    'spec.versions.0.selectableFields': paths.map((jsonPath) => ({ jsonPath })),
  })),
  ...first('selectableFields', [{}], [{ jsonPath: '.spec.x' }]),
  {
    'spec.versions.0.schema.openAPIV3Schema': { type: 'object', id: 'x' },
    'spec.versions.0.selectableFields': [{ jsonPath: 'spec' }],
  },
  {
    'spec.versions.0.subresources': { status: {} },
    'spec.versions.0.schema.openAPIV3Schema': {
      type: 'object',
      default: 'x',
      enum: [1],
      example: { a: 1 },
      maxProperties: 2,
    },
  },
  {
    'spec.versions': [
      { ...version, schema: { openAPIV3Schema: selectable }, selectableFields: [{ jsonPath: '.spec.missing' }] },
      { ...second, selectableFields: [{ jsonPath: '.spec.color' }] },
    ],
  },
];

const service = { name: 'a', namespace: 'b' };
const webhook = { clientConfig: { service }, conversionReviewVersions: ['v1'] };
const pem = (text: string): string => Buffer.from(text).toString('base64');
const block = '-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n';

const conversions: readonly JsonValue[] = [
  {},
  { strategy: 'None' },
  { strategy: 'x' },
  { strategy: 'None', webhook },
  { strategy: 'None', webhook: {} },
  { strategy: 'Webhook' },
  { strategy: 'Webhook', webhook: {} },
  { strategy: 'Webhook', webhook },
  { strategy: 'Webhook', webhook: { ...webhook, conversionReviewVersions: ['v2', 'v2', 'A'] } },
  { strategy: 'Webhook', webhook: { ...webhook, conversionReviewVersions: ['v2', 'v1beta1'] } },
  { strategy: 'Webhook', webhook: { ...webhook, clientConfig: {} } },
  { strategy: 'Webhook', webhook: { ...webhook, clientConfig: { service, url: 'https://a' } } },
  { strategy: 'Webhook', webhook: { ...webhook, clientConfig: { url: 'http://a' } } },
  { strategy: 'Webhook', webhook: { ...webhook, clientConfig: { service: {} } } },
  { strategy: 'Webhook', webhook: { ...webhook, clientConfig: { service: { ...service, path: 'x', port: 0 } } } },
  { strategy: 'Webhook', webhook: { ...webhook, clientConfig: { service, caBundle: pem('x') } } },
  {
    strategy: 'Webhook',
    webhook: { ...webhook, clientConfig: { service, caBundle: pem(block.replaceAll('CERT', 'X')) } },
  },
];

const updates: readonly Mutation[] = [
  {},
  { 'metadata.resourceVersion': undefined },
  { 'metadata.finalizers': ['x'] },
  ...values('spec.group', 'other.example.com', ''),
  ...values('spec.names.plural', 'others', ''),
  ...values('spec.names.kind', 'Other'),
  ...values('spec.names.singular', 'other'),
  ...values('spec.scope', 'Cluster', 'x'),
  ...values(
    'spec.versions',
    [version, second],
    [
      { ...version, storage: false },
      { ...second, storage: true },
    ],
    [{ ...second, storage: true }],
    undefined,
  ),
  ...first('subresources', { status: {} }),
  ...first(
    'schema.openAPIV3Schema.properties.spec',
    { type: 'string', format: 'x' },
    { type: 'array', items: { type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': 'set' },
  ),
  ...first('schema', undefined, { openAPIV3Schema: { type: 'string' } }),
  ...conversions.slice(-3).flatMap((value) => values('spec.conversion', value)),
  ...values('spec.preserveUnknownFields', true),
  ...values('status', undefined, {}, { storedVersions: ['v9'] }),
];

const statuses: readonly Mutation[] = [
  ...values('status.storedVersions', undefined, [], ['v1', 'v2'], ['v9']),
  ...values(
    'status.acceptedNames',
    {},
    { plural: 'A', singular: 'B', kind: 'c d', listKind: 'e f', shortNames: ['G'], categories: ['H'] },
    { plural: 'a', kind: 'A', listKind: 'A' },
  ),
  ...values('status.conditions', [{ type: 'x', status: 'y' }]),
  {
    'metadata.labels': { a: 'b' },
    'metadata.annotations': { a: 'b' },
    'metadata.finalizers': ['a'],
    'spec.scope': 'Cluster',
  },
];

export const definitionCases: readonly KindCases[] = [
  {
    resource: `${apiVersion}/customresourcedefinitions`,
    clusterScoped: true,
    base: definition('widgets', 'Widget'),
    createWithout: ['status'],
    createWith: {
      'metadata.name': `gadgets.${group}`,
      'spec.names': { plural: 'gadgets', kind: 'Gadget', singular: 'gadget', listKind: 'GadgetList' },
    },
    create: [
      ...nameCases,
      ...approvalCases,
      ...versionCases,
      ...selectableCases,
      ...conversions.flatMap((value) => values('spec.conversion', value)),
      ...[...schemaCases, ...defaultCases].flatMap((value) => first('schema.openAPIV3Schema', value)),
    ],
    update: updates,
    status: statuses,
  },
];
