import type { JsonObject } from '../../../src/api/json/json.ts';
import type { CaseObject } from '../../case-objects.ts';
import type { CaseStep, PolicyCase } from '../policy-case.ts';
import { create, map, validation } from './writes.ts';

// Parameters, and what happens without any.

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const withMessage = validation('false', {
  messageExpression: "params == null ? 'no params' : params.kind + ' ' + params.metadata.name",
});
const param = (name: string, more: JsonObject = {}): CaseObject => ({
  path: 'configmaps',
  body: map(name, { data: { x: name }, ...more }),
});
const group = 'policies-CASE.example.com';
const definition = (scope: string): CaseObject => ({
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  body: definitionOf(scope),
});
const definitionOf = (scope: string): JsonObject => ({
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: `limits.${group}` },
  spec: {
    group,
    scope,
    names: { kind: 'Limit', plural: 'limits' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            most: { type: 'integer', default: 3 },
            ratio: { type: 'number' },
            any: { 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      },
    })),
  },
});
const limits = `/apis/${group}/v1/${''}namespaces/NS/limits`;
const clusterLimits = `/apis/${group}/v1/limits`;
const limit = (name: string, more: JsonObject = {}): JsonObject => ({
  kind: 'Limit',
  apiVersion: `${group}/v1`,
  metadata: { name },
  ...more,
});
const limitKind = { apiVersion: `${group}/v1`, kind: 'Limit' };

interface ParamCase {
  readonly kind?: JsonObject;
  readonly objects?: readonly CaseObject[];
  readonly policy?: JsonObject;
  readonly steps?: readonly CaseStep[];
}

const withParams = (
  name: string,
  paramRef: JsonObject | undefined,
  {
    kind = configMap,
    objects = [],
    policy = withMessage,
    steps = [create('one', { data: { a: '5' } })],
  }: ParamCase = {},
): PolicyCase => ({
  name,
  objects,
  steps,
  policies: [{ paramKind: kind, ...policy }],
  bindings: [paramRef === undefined ? {} : { paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } }],
});

const byName: readonly PolicyCase[] = [
  withParams('without a reference', undefined),
  withParams('by name, missing', { name: 'p' }),
  withParams('by name, missing, allowed', { name: 'p', parameterNotFoundAction: 'Allow' }),
  withParams('by name', { name: 'p' }, { objects: [param('p')] }),
  withParams('by name and namespace', { name: 'p', namespace: 'NS' }, { objects: [param('p')] }),
  withParams('in another namespace', { name: 'p', namespace: 'default' }, { objects: [param('p')] }),
  withParams('missing with Ignore', { name: 'p' }, { policy: { ...withMessage, failurePolicy: 'Ignore' } }),
  withParams('missing without paramKind', { name: 'p' }, { policy: { ...withMessage, ...validation('false') } }),
  {
    ...withParams('a reference nobody asked for', { name: 'p' }),
    policies: [validation('false', { message: 'none' })],
  },
];

const some = [
  param('p', { metadata: { name: 'p', labels: { use: 'x' } } }),
  param('q', { metadata: { name: 'q', labels: { use: 'y' } } }),
];
const bySelector: readonly PolicyCase[] = [
  withParams('by selector, none', { selector: { matchLabels: { use: 'z' } } }, { objects: some }),
  withParams(
    'by selector, none, allowed',
    { selector: { matchLabels: { use: 'z' } }, parameterNotFoundAction: 'Allow' },
    { objects: some },
  ),
  withParams('by selector, one', { selector: { matchLabels: { use: 'x' } } }, { objects: some }),
  withParams(
    'by selector, one of two fails',
    { selector: { matchExpressions: [{ key: 'use', operator: 'Exists' }] } },
    {
      objects: some,
      policy: validation("params.data.x != 'q'", { messageExpression: "'not with ' + params.data.x" }),
    },
  ),
  withParams(
    'by selector, both pass',
    { selector: {} },
    { objects: some, policy: validation("params.kind == 'ConfigMap'") },
  ),
];

const served: readonly PolicyCase[] = [
  withParams('of an unknown kind', { name: 'p' }, { kind: { apiVersion: 'nowhere.example.com/v1', kind: 'Nothing' } }),
  withParams(
    'of an unknown kind, Ignore',
    { name: 'p' },
    {
      kind: { apiVersion: 'nowhere.example.com/v1', kind: 'Nothing' },
      policy: { ...withMessage, failurePolicy: 'Ignore' },
    },
  ),
  withParams(
    'of an unknown kind, allowed',
    { name: 'p', parameterNotFoundAction: 'Allow' },
    {
      kind: { apiVersion: 'v1', kind: 'Nothing' },
    },
  ),
  withParams('of an unknown version', { name: 'p' }, { kind: { apiVersion: 'v7', kind: 'ConfigMap' } }),
  withParams('of a cluster-scoped kind', { name: 'NS' }, { kind: { apiVersion: 'v1', kind: 'Namespace' } }),
  withParams(
    'of a cluster-scoped kind with a namespace',
    { name: 'NS', namespace: 'NS' },
    {
      kind: { apiVersion: 'v1', kind: 'Namespace' },
    },
  ),
  withParams(
    'custom',
    { name: 'p' },
    {
      kind: limitKind,
      objects: [definition('Namespaced'), { path: limits, body: limit('p', { most: 2, ratio: 0.5, any: { k: [1] } }) }],
      policy: validation('int(object.data.a) <= params.most', {
        messageExpression: "'most ' + string(params.most) + ' ' + string(params.ratio) + ' ' + string(params.any.k[0])",
      }),
    },
  ),
  withParams(
    'custom, with defaults',
    { name: 'p' },
    {
      kind: limitKind,
      objects: [definition('Namespaced'), { path: limits, body: limit('p') }],
      policy: validation('int(object.data.a) <= params.most', { messageExpression: "'most ' + string(params.most)" }),
    },
  ),
  withParams(
    'custom, in another version',
    { name: 'p' },
    {
      kind: { ...limitKind, apiVersion: `${group}/v2` },
      objects: [definition('Namespaced'), { path: limits, body: limit('p') }],
      policy: validation('false', { messageExpression: 'params.apiVersion + string(params.most)' }),
    },
  ),
  withParams(
    'custom and cluster-scoped',
    { name: 'p' },
    {
      kind: limitKind,
      objects: [definition('Cluster'), { path: clusterLimits, body: limit('p', { most: 1 }) }],
      policy: validation('int(object.data.a) <= params.most', { messageExpression: "'most ' + string(params.most)" }),
    },
  ),
  withParams('custom, and missing', { name: 'p' }, { kind: limitKind, objects: [definition('Namespaced')] }),
];

const changing: readonly PolicyCase[] = [
  withParams(
    'that come and go',
    { name: 'p' },
    {
      steps: [
        create('one'),
        { ...create('p', { data: { x: 'y' } }), path: 'configmaps?dryRun=All' },
        { method: 'POST', path: '/api/v1/namespaces/NS/secrets', body: { metadata: { name: 'p' } }, settles: true },
        create('two'),
      ],
      kind: { apiVersion: 'v1', kind: 'Secret' },
    },
  ),
  withParams(
    'whose definition comes',
    { name: 'p' },
    {
      kind: limitKind,
      steps: [
        create('one'),
        {
          method: 'POST',
          path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
          body: definitionOf('Namespaced'),
          settles: true,
        },
        create('two'),
        { method: 'POST', path: limits, body: limit('p'), settles: true },
        create('three'),
      ],
    },
  ),
  withParams(
    'whose definition goes',
    { name: 'p' },
    {
      kind: limitKind,
      objects: [definition('Namespaced'), { path: limits, body: limit('p') }],
      steps: [
        create('one'),
        {
          method: 'DELETE',
          path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/limits.${group}`,
          settles: true,
        },
        create('two'),
      ],
    },
  ),
];

const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
const ofClusterScoped: readonly PolicyCase[] = [
  {
    ...withParams('namespaced, for a cluster-scoped object', { name: 'p' }),
    policies: [
      {
        ...withMessage,
        paramKind: configMap,
        matchConstraints: {
          resourceRules: [
            { operations: ['*'], apiGroups: ['scheduling.k8s.io'], apiVersions: ['*'], resources: ['priorityclasses'] },
          ],
          objectSelector: { matchLabels: { cased: 'CASE' } },
        },
      },
    ],
    steps: [
      {
        method: 'POST',
        path: classes,
        body: { metadata: { name: 'params-CASE', labels: { cased: 'CASE' } }, value: 3 },
      },
    ],
  },
  {
    ...withParams('namespaced, for a namespace', { name: 'p' }, { objects: [param('p')] }),
    policies: [
      {
        ...withMessage,
        paramKind: configMap,
        matchConstraints: {
          resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['namespaces'] }],
        },
      },
    ],
    steps: [
      {
        method: 'PATCH',
        path: '/api/v1/namespaces/NS',
        contentType: 'application/merge-patch+json',
        body: { metadata: { annotations: { a: 'b' } } },
      },
    ],
  },
];

export const parameterCases: readonly PolicyCase[] = [
  ...byName,
  ...bySelector,
  ...served,
  ...changing,
  ...ofClusterScoped,
];
