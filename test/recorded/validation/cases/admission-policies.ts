import type { JsonObject, JsonValue } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

// All expressions are valid: invalid ones would be refused by the reference's compiler.

const apiVersion = 'admissionregistration.k8s.io/v1';
const rule = { operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['nothings'] };
const matchConstraints = { resourceRules: [rule] };
const validation = { expression: 'true' };
const spec = (field: string, ...list: (JsonValue | undefined)[]): Mutation[] => values(`spec.${field}`, ...list);
const repeat = (count: number, make: (index: number) => JsonObject): JsonObject[] =>
  Array.from({ length: count }, (_, index) => make(index));

const metadata: readonly Mutation[] = [
  {},
  { 'metadata.name': 'a.static.k8s.io' },
  { 'metadata.finalizers': ['x'] },
  ...values('spec', {}, undefined),
];

const resourceMutations = (field: string): Mutation[] => [
  ...spec(
    field,
    undefined,
    {},
    { resourceRules: [] },
    { resourceRules: [{}] },
    { ...matchConstraints, matchPolicy: 'x' },
    { ...matchConstraints, matchPolicy: '' },
    { ...matchConstraints, matchPolicy: 'Exact', namespaceSelector: {}, objectSelector: {} },
    { ...matchConstraints, namespaceSelector: { matchLabels: { 'a b': '-' } } },
    { ...matchConstraints, objectSelector: { matchExpressions: [{ key: 'a', operator: 'x' }] } },
    { ...matchConstraints, excludeResourceRules: [{}] },
    { resourceRules: [{ ...rule, resourceNames: ['a', 'a/b', '..', 'a'] }] },
    { resourceRules: [{ ...rule, operations: ['DELETE', '*', 'x'] }] },
    { resourceRules: [{ ...rule, resources: ['*', 'a', 'b/*', 'b/c'], scope: 'x' }] },
  ),
];

const params = [
  {},
  { apiVersion: 'v1' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'a/b/c', kind: 'Con_fig' },
  { apiVersion: 'A_/V1', kind: 'x' },
  { apiVersion: '/', kind: 'x' },
  { apiVersion: 'a/', kind: 'x' },
  { apiVersion: '/v1', kind: '1' },
  { apiVersion: 'example.com/v1', kind: 'Nothing' },
];

const policyMutations: readonly Mutation[] = [
  ...spec('failurePolicy', undefined, '', 'x', 'Ignore'),
  ...spec('paramKind', ...params),
  ...resourceMutations('matchConstraints'),
  ...spec(
    'matchConditions',
    [{}],
    [{ name: 'a b', expression: 'true' }],
    [
      { name: 'a', expression: 'true' },
      { name: 'a', expression: ' ' },
    ],
    repeat(65, (index) => ({ name: `c${index}`, expression: 'true' })),
  ),
  ...spec(
    'variables',
    [{}],
    [{ name: ' ', expression: '\n' }],
    [{ name: 'a-b', expression: 'true' }],
    [{ name: 'while', expression: 'true' }],
    [{ name: '_a1', expression: 'true' }],
  ),
];

const annotation = (key: string, valueExpression = '"x"'): JsonObject => ({ key, valueExpression });

const validatingMutations: readonly Mutation[] = [
  ...spec(
    'validations',
    undefined,
    [{}],
    [{ expression: ' ' }],
    [{ ...validation, message: ' ' }],
    [{ ...validation, message: 'a\nb' }],
    [{ ...validation, message: '\na\n' }],
    [{ ...validation, messageExpression: ' ' }],
    [{ ...validation, messageExpression: '"x"', message: 'x' }],
    [{ ...validation, reason: 'x' }],
    [{ ...validation, reason: '' }],
    [{ ...validation, reason: 'Unauthorized' }],
    [{ ...validation, reason: 'RequestEntityTooLarge' }],
    [{ expression: 'true\n||\ntrue' }],
  ),
  ...spec(
    'auditAnnotations',
    [{}],
    [annotation('a b')],
    [annotation('a', ' ')],
    [annotation('a'), annotation('a')],
    [annotation('a/b')],
    [annotation('a', `"${'x'.repeat(5200)}"`)],
    repeat(21, (index) => annotation(`a${index}`)),
  ),
  { 'spec.validations': undefined, 'spec.auditAnnotations': [annotation('a')] },
];

const apply = { expression: 'Object{}' };
const patch = { expression: '[JSONPatch{op: "test", path: "/a", value: "b"}]' };
const applied = { patchType: 'ApplyConfiguration', applyConfiguration: apply };

const mutatingMutations: readonly Mutation[] = [
  ...spec(
    'mutations',
    undefined,
    [{}],
    [{ patchType: 'x' }],
    [{ patchType: 'JSONPatch' }],
    [{ patchType: 'ApplyConfiguration' }],
    [{ patchType: 'JSONPatch', jsonPatch: {} }],
    [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: ' ' } }],
    [{ patchType: 'JSONPatch', jsonPatch: patch, applyConfiguration: apply }],
    [{ ...applied, jsonPatch: patch }],
    [{ patchType: 'JSONPatch', applyConfiguration: {} }],
    [applied, applied],
  ),
  ...spec('reinvocationPolicy', undefined, '', 'x', 'Never'),
];

const bindingMutations: readonly Mutation[] = [
  ...spec('policyName', undefined, '', 'A', 'a/b', 'missing'),
  ...spec(
    'paramRef',
    {},
    { name: 'a' },
    { name: 'a/b', parameterNotFoundAction: 'Deny' },
    { name: '..', parameterNotFoundAction: 'x' },
    { name: 'a', selector: {}, parameterNotFoundAction: 'Allow' },
    { selector: { matchLabels: { 'a b': 'c' } }, parameterNotFoundAction: '' },
    { selector: {}, namespace: 'a', parameterNotFoundAction: 'Allow' },
  ),
  ...resourceMutations('matchResources'),
];

const actionMutations = spec(
  'validationActions',
  undefined,
  [],
  ['x'],
  ['Deny', 'Deny'],
  ['Deny', 'Warn'],
  ['Deny', 'Audit'],
  ['Warn', 'Audit', ''],
);

const now = '2026-01-01T00:00:00Z';
const condition = { type: 'a', status: 'True', reason: 'b', message: '', lastTransitionTime: now };

const policyStatuses: readonly Mutation[] = [
  ...values(
    'status',
    undefined,
    { observedGeneration: 5, typeChecking: { expressionWarnings: [{ fieldRef: 'spec.a', warning: 'x' }] } },
    { typeChecking: { expressionWarnings: [{}, { fieldRef: ' ', warning: '' }] } },
    { conditions: [condition] },
    { conditions: [{}] },
    { conditions: [condition, condition] },
    { conditions: [{ ...condition, type: 'a b', status: 'x', reason: '1', observedGeneration: -1 }] },
    { conditions: [{ ...condition, reason: 'a'.repeat(1025), message: 'b'.repeat(32769) }] },
  ),
  { 'metadata.labels': { a: 'b' }, 'metadata.annotations': { a: 'b' }, 'metadata.finalizers': ['a'] },
];

interface Kind {
  readonly kind: string;
  readonly plural: string;
  readonly spec: JsonObject;
}

/** The reference's controller writes the statuses of policies. */
function cases({ kind, plural, spec: base }: Kind, rest: Pick<KindCases, 'create' | 'update' | 'status'>): KindCases {
  return {
    resource: `${apiVersion}/${plural}`,
    clusterScoped: true,
    base: { apiVersion, kind, metadata: { name: 'recorded' }, spec: base },
    createWithout: ['status'],
    createWith: { 'metadata.name': 'other' },
    ...rest,
  };
}

const commonUpdates: readonly Mutation[] = [
  {},
  { 'metadata.resourceVersion': undefined },
  { 'metadata.labels': { a: 'b' } },
];

export const policyKindCases: readonly KindCases[] = [
  cases(
    {
      kind: 'ValidatingAdmissionPolicy',
      plural: 'validatingadmissionpolicies',
      spec: { matchConstraints, validations: [validation] },
    },
    {
      create: [...metadata, ...policyMutations, ...validatingMutations],
      update: [
        ...commonUpdates,
        ...spec('failurePolicy', 'Ignore', 'x'),
        ...spec('validations', [{}], [{ expression: 'false' }]),
        ...spec('matchConditions', [{}], [{ name: 'a', expression: 'true' }]),
      ],
      status: policyStatuses,
    },
  ),
  cases(
    {
      kind: 'ValidatingAdmissionPolicyBinding',
      plural: 'validatingadmissionpolicybindings',
      spec: { policyName: 'recorded', validationActions: ['Deny'] },
    },
    {
      create: [...metadata, ...bindingMutations, ...actionMutations],
      update: [...commonUpdates, ...spec('policyName', '', 'other'), ...actionMutations],
    },
  ),
  cases(
    {
      kind: 'MutatingAdmissionPolicy',
      plural: 'mutatingadmissionpolicies',
      spec: { matchConstraints, mutations: [applied], reinvocationPolicy: 'IfNeeded' },
    },
    {
      create: [...metadata, ...policyMutations, ...mutatingMutations],
      update: [...commonUpdates, ...spec('reinvocationPolicy', 'Never', 'x'), ...spec('mutations', [{}])],
    },
  ),
  cases(
    {
      kind: 'MutatingAdmissionPolicyBinding',
      plural: 'mutatingadmissionpolicybindings',
      spec: { policyName: 'recorded' },
    },
    {
      create: [...metadata, ...bindingMutations],
      update: [...commonUpdates, ...spec('policyName', '', 'other')],
    },
  ),
];
