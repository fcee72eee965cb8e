import type { JsonObject } from '../../../../src/api/json/json.ts';
import { samplesOf } from '../sample.ts';

function webhook(name: string): JsonObject {
  return {
    name,
    clientConfig: { url: 'https://hooks.example.com/' },
    rules: [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things'] }],
    failurePolicy: 'Ignore',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
}

const hooks = [{ body: {} }, { body: { webhooks: [webhook('a.example.com'), webhook('b.example.com')] } }];

const matchConstraints = {
  resourceRules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
};
const paramKind = { apiVersion: 'example.com/v1', kind: 'Param' };
const validation = { expression: 'object.spec.replicas <= 5' };
const mutation = {
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'a': 'b'}}}" },
};

const paramRefs: readonly (JsonObject | undefined)[] = [
  undefined,
  { name: 'p', parameterNotFoundAction: 'Deny' },
  { name: 'p', namespace: 'tables', parameterNotFoundAction: 'Deny' },
  { selector: { matchLabels: { b: '2', a: '1' } }, parameterNotFoundAction: 'Allow' },
  {
    selector: {
      matchExpressions: [
        { key: 'a', operator: 'In', values: ['x', 'y'] },
        { key: 'b', operator: 'Exists' },
      ],
    },
    parameterNotFoundAction: 'Allow',
  },
];

function bindings(more: JsonObject): { body: JsonObject }[] {
  return paramRefs.map((paramRef) => ({
    body: { spec: { policyName: 'p.example.com', ...(paramRef && { paramRef }), ...more } },
  }));
}

const group = 'admissionregistration.k8s.io/v1';

export const policySamples = [
  ...samplesOf(`${group}/mutatingwebhookconfigurations`, hooks),
  ...samplesOf(`${group}/validatingwebhookconfigurations`, hooks),
  ...samplesOf(`${group}/validatingadmissionpolicies`, [
    { body: { spec: { matchConstraints, validations: [validation] } } },
    { body: { spec: { paramKind, matchConstraints, validations: [validation, validation] } } },
    { body: { spec: { matchConstraints, auditAnnotations: [{ key: 'a', valueExpression: "'b'" }] } } },
  ]),
  ...samplesOf(`${group}/mutatingadmissionpolicies`, [
    { body: { spec: { matchConstraints, reinvocationPolicy: 'Never', mutations: [mutation] } } },
    {
      body: { spec: { paramKind, matchConstraints, reinvocationPolicy: 'IfNeeded', mutations: [mutation, mutation] } },
    },
  ]),
  ...samplesOf(`${group}/validatingadmissionpolicybindings`, bindings({ validationActions: ['Deny'] })),
  ...samplesOf(`${group}/mutatingadmissionpolicybindings`, bindings({})),
];
