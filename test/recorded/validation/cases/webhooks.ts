import type { JsonObject } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';
const rule = { operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['nothings'] };
const service = { name: 'hook', namespace: 'default' };
const hook = {
  name: 'a.example.com',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  clientConfig: { service },
  rules: [rule],
};

const long = 'a'.repeat(64);
const first = (field: string, ...list: Parameters<typeof values>[1][]): Mutation[] =>
  values(`webhooks.0.${field}`, ...list);
const rules = (...list: JsonObject[]): Mutation[] => first('rules', ...list.map((fields) => [{ ...rule, ...fields }]));
const resources = (...list: string[][]): Mutation[] => rules(...list.map((names) => ({ resources: names })));

const ruleMutations = [
  ...first('rules', undefined, [], [{}], [rule, {}]),
  ...rules(
    { operations: ['*', 'CREATE'] },
    { operations: ['create', 'PATCH', 'DELETE', 'CONNECT', 'UPDATE'] },
    { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['x'], scope: 'Cluster' },
    { apiGroups: ['*', ''], apiVersions: ['*', 'v1', ''], scope: 'cluster' },
    { apiGroups: [''], apiVersions: [''], scope: '' },
    { scope: 'Namespaced' },
  ),
  ...resources(
    [''],
    ['', '*', 'a'],
    ['*', 'a'],
    ['a', '*'],
    ['*', 'a/b'],
    ['*/*', 'a'],
    ['a/*', 'a/b', 'a/c'],
    ['*/b', 'a/b', 'c/b'],
    ['*/*', '*/b', 'a/*'],
    ['a/b', 'a/*'],
    ['a/b/c', 'a/*'],
    ['*/b', '*/*', 'a/b'],
  ),
  ...rules(
    { apiGroups: ['admissionregistration.k8s.io'], resources: ['validatingwebhookconfigurations'] },
    {
      apiGroups: ['authentication.k8s.io', 'authorization.k8s.io'],
      resources: ['tokenreviews', 'subjectaccessreviews'],
    },
    { apiGroups: ['authentication.k8s.io', '*'], resources: ['tokenreviews'] },
  ),
];

const clientMutations = [
  ...first('clientConfig', undefined, {}, { url: 'https://a', service }),
  ...[
    '',
    'https://example.com',
    'https://example.com/a/b',
    'http://example.com',
    'example.com',
    'https://',
    'https:///a',
    'https://user:pass@example.com',
    'https://user@example.com/#a',
    'https://example.com?a=b',
    'https://example.com?',
    'https://example.com#',
    'ftp://a b/',
    'https://a b/',
    'https://a:x',
    'https://a:1:2',
    'https://[::1]:443/',
    'https://[::1',
    'https://[::1]a',
    'https://a[b]',
    'https://[1.2.3.4]',
    'https://a/%zz',
    'https://a%zz/',
    'https://a%20b/',
    'https://a/#%z',
    ':a',
    'a:b/c',
    '1:b/c',
    'mailto:a@b',
    '//example.com',
    '///a',
    'HTTPS://a',
    'https://a\u0001',
    'https://us er@a',
    'https://%zz@a',
    '*',
    '/a',
    'https://a_b.c',
    'https://ä.example.com/ä',
  ].flatMap((url) => first('clientConfig', { url })),
  ...[
    {},
    { name: 'a' },
    { namespace: 'b' },
    { ...service, port: 0 },
    { ...service, port: 65536 },
    { ...service, port: -1 },
    { ...service, port: 1 },
    { ...service, path: '' },
    { ...service, path: '/' },
    { ...service, path: '//' },
    { ...service, path: 'a' },
    { ...service, path: 'abc/def/' },
    { ...service, path: '/a//b/' },
    { ...service, path: '/a/B_/c/' },
    { ...service, path: '/a//' },
    { ...service, path: '/.' },
  ].flatMap((value) => first('clientConfig', { service: value })),
  ...first('clientConfig', { service, caBundle: 'YQ==' }, { service, caBundle: '%' }),
];

const conditionMutations = first(
  'matchConditions',
  [{}],
  [{ name: '', expression: ' ' }],
  [{ name: 'a b', expression: 'true' }],
  [{ name: 'a/b/c', expression: 'true' }],
  [
    { name: 'a', expression: 'true' },
    { name: 'a', expression: 'false' },
    { name: 'a', expression: '\n' },
  ],
  Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
  Array.from({ length: 64 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
);

const selectors = [
  {},
  { matchLabels: { 'a b': 'c d' } },
  { matchExpressions: [{ key: 'a', operator: 'In' }] },
  { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
  { matchExpressions: [{ key: 'a', operator: 'x' }] },
  { matchExpressions: [{ key: '', operator: 'NotIn', values: ['-', 'a'] }] },
];

const mutations = [
  {},
  ...values('webhooks', undefined, [{}], [hook, hook], [hook, { ...hook, name: 'b.example.com' }]),
  ...first('name', '', 'A', 'a.b', 'a.b.c', 'a..b.c', `${long}.b.c`, undefined, `${'abc.'.repeat(70)}d`),
  ...ruleMutations,
  ...first('failurePolicy', '', 'x', 'Ignore'),
  ...first('matchPolicy', '', 'x', 'Exact'),
  ...first('sideEffects', undefined, '', 'x', 'Unknown', 'Some', 'NoneOnDryRun'),
  ...first('timeoutSeconds', 0, 1, 30, 31, -1),
  ...first('namespaceSelector', ...selectors),
  ...first('objectSelector', ...selectors.slice(1, 3)),
  ...clientMutations,
  ...conditionMutations,
  ...first('admissionReviewVersions', undefined, [], ['x'], ['v2', 'v1beta1'], ['v1', 'v1'], ['X', 'X', 'v1', '']),
];

const kindMutations: readonly Mutation[] = [
  ...mutations,
  { 'metadata.name': 'a.static.k8s.io' },
  { 'metadata.finalizers': ['x'] },
];

const updates: readonly Mutation[] = [
  {},
  { 'metadata.resourceVersion': undefined },
  { 'metadata.labels': { a: 'b' } },
  ...values('webhooks', undefined, [hook, hook], [{ ...hook, name: 'b.example.com' }]),
  ...first('sideEffects', 'Some', undefined),
  ...first('admissionReviewVersions', ['x']),
  ...first('namespaceSelector', selectors[5]),
  ...first('matchConditions', [{ name: 'a', expression: 'true' }], [{ name: '', expression: '' }]),
  ...first('timeoutSeconds', 5, 50),
  ...first('clientConfig', {}),
  ...resources(['*', 'a']),
  ...rules({ apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'] }),
];

const kindOf = (kind: string, resource: string): KindCases => ({
  resource: `${apiVersion}/${resource}`,
  clusterScoped: true,
  base: { apiVersion, kind, metadata: { name: 'recorded' }, webhooks: [hook] },
  createWith: { 'metadata.name': 'other' },
  create: kindMutations,
  update: updates,
});

const validating = kindOf('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations');
const mutating = kindOf('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations');

export const webhookCases: readonly KindCases[] = [
  validating,
  {
    ...mutating,
    // What both kinds share is recorded once.
    create: [
      {},
      ...first('reinvocationPolicy', '', 'x', 'IfNeeded'),
      ...values('webhooks', [{}], [hook, hook], undefined),
      { 'metadata.name': 'a.static.k8s.io' },
      ...rules({ apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'] }),
    ],
  },
];
