import type { JsonObject } from '../../../src/api/json/json.ts';
import {
  allowed,
  type CaseHook,
  type CaseStep,
  create,
  map,
  mutating,
  patchOf,
  rawPatch,
  rules,
  setData,
  validating,
  type WebhookCase,
} from '../case-parts.ts';
import { garbageCases } from './garbage.ts';

/** Answers to validating webhooks. */
const verdicts: readonly WebhookCase[] = [
  validating('allowed', allowed),
  validating('allowed with warnings', { response: { allowed: true, warnings: ['first', 'second "quoted"'] } }),
  validating('denied', { response: { allowed: false } }),
  validating('denied with a message', { response: { allowed: false, status: { message: 'not here' } } }),
  validating('denied with a reason', { response: { allowed: false, status: { reason: 'Forbidden' } } }),
  validating('denied with a code', { response: { allowed: false, status: { code: 418, message: 'tea' } } }),
  validating('denied with a code of success', { response: { allowed: false, status: { code: 200, message: 'no' } } }),
  validating('denied with details', {
    response: {
      allowed: false,
      status: {
        code: 422,
        reason: 'Invalid',
        message: 'bad',
        status: 'Success',
        details: {
          name: 'one',
          kind: 'configmaps',
          causes: [{ reason: 'FieldValueInvalid', field: 'data', message: 'x' }],
        },
      },
    },
  }),
  validating('denied with warnings', { response: { allowed: false, warnings: ['careful'] } }),
];

/** Answers that are none. */
const failures: readonly WebhookCase[] = (['Fail', 'Ignore'] as const).flatMap((failurePolicy) => {
  const failing = (name: string, answer: CaseHook['answer'], fields: JsonObject = {}): WebhookCase =>
    validating(`${name}, ${failurePolicy}`, answer, { failurePolicy, ...fields });
  return [
    failing('500 in text', { code: 500, body: 'oh no' }),
    failing('503 in text', { code: 503, body: 'later' }),
    failing('404', { code: 404, body: 'nothing' }),
    failing('403 in text', { code: 403, body: 'go away' }),
    failing('a Status', {
      code: 409,
      body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Conflict', message: 'busy', code: 409 },
    }),
    failing('no JSON', { body: 'hello' }),
    failing('another kind', { body: { kind: 'Pod', apiVersion: 'v1' } }),
    failing('no kind', { body: { response: { uid: 'x', allowed: true } } }),
    failing('no kind, v1beta1', { body: { response: { allowed: true } } }, { admissionReviewVersions: ['v1beta1'] }),
    failing('no apiVersion', { body: { kind: 'AdmissionReview', response: { uid: 'x', allowed: true } } }),
    failing('no response', { body: { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' } }),
    failing('another uid', {
      body: { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: { uid: 'x', allowed: true } },
    }),
    failing('a patch of a validating webhook', {
      response: { allowed: true, patchType: 'JSONPatch', patch: 'W10=' },
    }),
    failing('the connection is cut', { nothing: 'cut' }),
    failing('silence', { nothing: 'silence' }, { timeoutSeconds: 1 }),
    failing('a redirection', { code: 302, body: '', headers: { location: 'https://127.0.0.1:1/' } }),
  ];
});

/** Patches. */
const patches: readonly WebhookCase[] = [
  mutating('a patch', patchOf(setData('b', '2'))),
  mutating('an empty patch', rawPatch('[]')),
  mutating('a patch that changes nothing', patchOf({ op: 'replace', path: '/data/a', value: '1' })),
  mutating('a patch with metadata', patchOf({ op: 'add', path: '/metadata/labels', value: { x: 'y' } })),
  mutating('an unknown field', patchOf({ op: 'add', path: '/unknown', value: 1 })),
  mutating('a wrong type', patchOf({ op: 'add', path: '/data', value: 7 })),
  mutating('an invalid object', patchOf(setData('b b', '2'))),
  mutating('the name is changed', patchOf({ op: 'replace', path: '/metadata/name', value: 'other' })),
  mutating('a patch that is no JSON', rawPatch('hello')),
  mutating('a patch that is no list', rawPatch('{}')),
  mutating('a path that is not there', patchOf({ op: 'remove', path: '/data/zzz' })),
  ...[
    { op: 'add', path: '/metadata/annotations', value: { 'a/b~c': 'd' } },
    { op: 'add', path: '/data/a~1b', value: 'x' },
    { op: 'add', path: '/data/', value: 'x' },
    { op: 'add', path: '', value: {} },
    { op: 'replace', path: '', value: 7 },
    { op: 'add', path: 'data/b', value: 'x' },
    { op: 'add', path: '/nothing/b', value: 'x' },
    { op: 'add', path: '/data/b' },
    { op: 'add', value: 'x' },
    { op: 'add', path: 7, value: 'x' },
    { op: 7, path: '/data/b', value: 'x' },
    { path: '/data/b', value: 'x' },
    { op: 'replace', path: '/data/zzz', value: 'x' },
    { op: 'move', from: '/data/a', path: '/data/b' },
    { op: 'move', from: '/data/zzz', path: '/data/b' },
    { op: 'copy', from: '/data/a', path: '/data/b' },
    { op: 'copy', path: '/data/b' },
    { op: 'test', path: '/data/zzz', value: null },
    { op: 'remove', path: '/data' },
    { op: 'remove', path: '/metadata' },
    { op: 'remove', path: '/kind' },
    { op: 'add', path: '/metadata/finalizers', value: ['no domain'] },
    { op: 'add', path: '/metadata/finalizers', value: ['example.com/x'] },
    { op: 'add', path: '/metadata/finalizers/-', value: 'example.com/x' },
    { op: 'add', path: '/metadata/labels', value: { 'bad label!': 'x' } },
    { op: 'add', path: '/metadata/ownerReferences', value: [{ apiVersion: 'v1', kind: 'Pod', name: 'p' }] },
    { op: 'add', path: '/metadata/namespace', value: 'other' },
    { op: 'add', path: '/metadata/uid', value: 'abc' },
    { op: 'add', path: '/metadata/deletionTimestamp', value: '2020-01-01T00:00:00Z' },
    { op: 'add', path: '/metadata/generateName', value: 'x-' },
    { op: 'add', path: '/binaryData', value: { b: 'AAA=' } },
    { op: 'add', path: '/binaryData', value: { a: 'AAA=' } },
    { op: 'add', path: '/binaryData', value: { b: '***' } },
    { op: 'add', path: '/immutable', value: true },
  ].map((operation) => mutating(`the operation ${JSON.stringify(operation)}`, patchOf(operation as JsonObject))),
  mutating('an operation that is none', patchOf({ op: 'frobnicate', path: '/data/a' })),
  mutating('a test that fails', patchOf({ op: 'test', path: '/data/a', value: '2' })),
  mutating('a patch without its type', { response: { allowed: true, patch: 'W10=' } }),
  mutating('a type without its patch', { response: { allowed: true, patchType: 'JSONPatch' } }),
  mutating('another type of patch', { response: { allowed: true, patchType: 'MergePatch', patch: 'W10=' } }),
  mutating(
    'a broken managedFields',
    patchOf({ op: 'add', path: '/metadata/managedFields', value: [{ manager: 'x' }] }),
  ),
  mutating('denied', { response: { allowed: false, status: { message: 'never' } } }),
  {
    name: 'a patch of a deletion',
    hooks: [
      {
        type: 'mutating',
        fields: rules(['configmaps'], { operations: ['DELETE'] }),
        answer: patchOf({ op: 'add', path: '/data', value: {} }),
      },
    ],
    steps: [create('one'), { method: 'DELETE', path: 'configmaps/one' }],
  },
  {
    name: 'one after the other',
    hooks: [
      { type: 'mutating', answer: patchOf(setData('b', '2')) },
      {
        type: 'mutating',
        answer: (review) => {
          const { data = {} } = review.request['object'] as { data?: JsonObject };
          return patchOf(setData('seen', Object.keys(data).toSorted().join('-')));
        },
      },
      { type: 'validating', answer: allowed },
    ],
    steps: [create('one', { data: { a: '1' } })],
  },
];

const counted =
  (key: string): CaseHook['answer'] =>
  (_, calls) =>
    patchOf(setData(key, String(calls)));

const reinvocations: readonly WebhookCase[] = [
  {
    name: 'called again when a later one has changed the object',
    hooks: [
      { type: 'mutating', fields: { reinvocationPolicy: 'IfNeeded' }, answer: counted('first') },
      { type: 'mutating', answer: counted('second') },
    ],
    steps: [create('one', { data: { a: '1' } })],
  },
  {
    name: 'not called again when nothing has changed since',
    hooks: [
      { type: 'mutating', answer: counted('first') },
      { type: 'mutating', fields: { reinvocationPolicy: 'IfNeeded' }, answer: counted('second') },
    ],
    steps: [create('one', { data: { a: '1' } })],
  },
  {
    name: 'never the third time',
    hooks: [
      { type: 'mutating', fields: { reinvocationPolicy: 'IfNeeded' }, answer: counted('first') },
      { type: 'mutating', fields: { reinvocationPolicy: 'IfNeeded' }, answer: counted('second') },
    ],
    steps: [create('one', { data: { a: '1' } })],
  },
];

/** What webhooks are asked about. */
const selections: readonly WebhookCase[] = [
  ...[
    ['by name', rules(['configmaps'])],
    ['by everything', rules(['*'])],
    ['by everything and subresources', rules(['*/*'])],
    ['another resource', rules(['secrets'])],
    ['another group', rules(['configmaps'], { apiGroups: ['apps'] })],
    ['another version', rules(['configmaps'], { apiVersions: ['v2'] })],
    ['another operation', rules(['configmaps'], { operations: ['UPDATE', 'DELETE'] })],
    ['namespaced', rules(['*'], { scope: 'Namespaced' })],
    ['of the cluster', rules(['*'], { scope: 'Cluster' })],
    ['by labels that are there', { objectSelector: { matchLabels: { app: 'a' } } }],
    ['by labels that are not there', { objectSelector: { matchLabels: { app: 'b' } } }],
    ['by a condition', { matchConditions: [{ name: 'a', expression: "object.metadata.name == 'one'" }] }],
    [
      'by a condition that is false',
      { matchConditions: [{ name: 'a', expression: 'object.metadata.name == request.namespace' }] },
    ],
    [
      'by a condition about the request',
      {
        matchConditions: [
          { name: 'a', expression: "request.operation == 'CREATE' && oldObject == null && !request.dryRun" },
        ],
      },
    ],
    [
      'by a condition about the user',
      { matchConditions: [{ name: 'a', expression: "'system:masters' in request.userInfo.groups" }] },
    ],
    [
      'by a condition about permission',
      { matchConditions: [{ name: 'a', expression: "authorizer.requestResource.check('create').allowed()" }] },
    ],
    ['by a condition that fails', { matchConditions: [{ name: 'a', expression: "object.nothing == 'x'" }] }],
    [
      'by a condition that fails beside a false one',
      {
        matchConditions: [
          { name: 'a', expression: "object.nothing == 'x'" },
          { name: 'b', expression: 'false' },
        ],
      },
    ],
    [
      'by a condition that fails, Ignore',
      { failurePolicy: 'Ignore', matchConditions: [{ name: 'a', expression: "object.nothing == 'x'" }] },
    ],
  ].map(([name, fields]) => ({
    name: `selected ${name as string}`,
    hooks: [
      { type: 'validating' as const, fields: { ...rules(['configmaps']), ...(fields as JsonObject) }, answer: allowed },
    ],
    steps: [create('one', { metadata: { name: 'one', labels: { app: 'a' } } })],
  })),
  {
    name: 'all verbs',
    hooks: [
      { type: 'mutating', answer: allowed },
      { type: 'validating', answer: allowed },
    ],
    steps: [
      create('one', { data: { a: '1' } }),
      { method: 'PUT', path: 'configmaps/one', body: map('one', { data: { a: '2' } }) },
      {
        method: 'PATCH',
        path: 'configmaps/one?fieldManager=x',
        contentType: 'application/merge-patch+json',
        body: { data: { b: '1' } },
      },
      {
        method: 'PATCH',
        path: 'configmaps/two?fieldManager=x&force=true',
        contentType: 'application/apply-patch+yaml',
        body: map('two', { data: { c: '1' } }),
      },
      {
        method: 'DELETE',
        path: 'configmaps/one',
        body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
      },
      { method: 'DELETE', path: 'configmaps' },
    ],
  },
  {
    name: 'dry run without side effects',
    hooks: [{ type: 'validating', answer: allowed }],
    steps: [{ ...create('one'), path: 'configmaps?dryRun=All' }],
  },
  {
    name: 'dry run with side effects',
    hooks: [{ type: 'validating', fields: { sideEffects: 'NoneOnDryRun' }, answer: allowed }],
    steps: [{ ...create('one'), path: 'configmaps?dryRun=All&fieldManager=me' }],
  },
  {
    name: 'the first version of reviews',
    hooks: [
      { type: 'mutating', fields: { admissionReviewVersions: ['v1beta1'] }, answer: patchOf(setData('b', '2')) },
      { type: 'validating', fields: { admissionReviewVersions: ['v2', 'v1beta1', 'v1'] }, answer: allowed },
    ],
    steps: [create('one', { data: { a: '1' } })],
  },
  {
    name: 'a generated name',
    hooks: [{ type: 'validating', answer: { response: { allowed: false } } }],
    steps: [create('', { metadata: { generateName: 'made-' } })],
  },
];

const autoscaler: JsonObject = {
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
  metadata: { name: 'one' },
  spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'x' } },
};
const deployment: JsonObject = {
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name: 'one' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
  },
};
const apps = '/apis/apps/v1/namespaces/NS/deployments';
const autoscalers = (version: string): string => `/apis/autoscaling/${version}/namespaces/NS/horizontalpodautoscalers`;

/** Other versions and other kinds than that of the resource. */
const versions: readonly WebhookCase[] = [
  ...(['Equivalent', 'Exact'] as const).map((matchPolicy) => ({
    name: `an autoscaler of v2 for a webhook of v1, ${matchPolicy}`,
    hooks: [
      {
        type: 'mutating' as const,
        fields: {
          ...rules(['horizontalpodautoscalers'], { apiGroups: ['autoscaling'], apiVersions: ['v1'] }),
          matchPolicy,
        },
        answer: patchOf({ op: 'replace', path: '/spec/maxReplicas', value: 5 }),
      },
    ],
    steps: [{ method: 'POST' as const, path: autoscalers('v2'), body: autoscaler }],
  })),
  {
    name: 'a scale',
    hooks: [
      {
        type: 'mutating',
        fields: rules(['deployments/scale']),
        answer: patchOf({ op: 'replace', path: '/spec/replicas', value: 4 }),
      },
      { type: 'validating', fields: rules(['deployments/*']), answer: allowed },
    ],
    steps: [
      { method: 'POST', path: apps, body: deployment },
      {
        method: 'PATCH',
        path: `${apps}/one/scale`,
        contentType: 'application/merge-patch+json',
        body: { spec: { replicas: 2 } },
      },
      {
        method: 'PATCH',
        path: `${apps}/one/status`,
        contentType: 'application/merge-patch+json',
        body: { status: { replicas: 2 } },
      },
    ],
  },
  {
    name: 'a pod, its status, its binding and its eviction',
    hooks: [
      { type: 'mutating', fields: rules(['pods', 'pods/*']), answer: allowed },
      { type: 'validating', fields: rules(['pods/*']), answer: allowed },
    ],
    steps: [
      {
        method: 'POST',
        path: 'pods',
        body: {
          kind: 'Pod',
          apiVersion: 'v1',
          metadata: { name: 'one' },
          spec: { containers: [{ name: 'a', image: 'b' }] },
        },
      },
      {
        method: 'POST',
        path: 'pods/one/binding',
        body: { kind: 'Binding', apiVersion: 'v1', metadata: { name: 'one' }, target: { kind: 'Node', name: 'n' } },
      },
      {
        method: 'POST',
        path: 'pods/one/eviction',
        body: { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'one' } },
      },
    ],
  },
];

const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const configuration = (name: string, ...expressions: string[]): JsonObject => ({
  kind: 'ValidatingWebhookConfiguration',
  apiVersion: 'admissionregistration.k8s.io/v1',
  metadata: { name },
  webhooks: [
    {
      name: 'a.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      ...rules(['nothing']),
      clientConfig: { url: 'https://localhost/x' },
      matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
    },
  ],
});
const storing = (name: string, ...steps: CaseStep[]): WebhookCase => ({ name, hooks: [], steps });
const store = (body: JsonObject): CaseStep => ({ method: 'POST', path: configurations, body });

/** Conditions are compiled on write. */
const conditions: readonly WebhookCase[] = [
  ...[
    'object.x ==',
    "object.x == 'a' &&\n  nothing",
    "'text'",
    'null',
    '[1, 2]',
    '1.5',
    "{'a': [true]}",
    "timestamp('2020-01-01T00:00:00Z')",
    'request.nothing',
    'variables.x',
    'params.x == 1',
    'dyn(true)',
    'optional.of(true)',
    'request.userInfo',
    'authorizer',
    "object.x.matches('(')",
    '  true  ',
    '   ',
    "object.spec.list.all(x, x.startsWith('a'))",
    "namespaceObject.metadata.name == 'a' && namespaceObject.metadata.labels['x'] == 'y'",
    "authorizer.group('').resource('pods').check('get').allowed()",
    "jsonpatch.escapeKey('a') == 'b'",
  ].map((expression, index) => storing(`stored: ${expression}`, store(configuration(`stored-${index}`, expression)))),
  storing('stored: several that do not compile', store(configuration('stored-many', 'true', '1 +', 'x', '2'))),
  storing(
    'stored: an update',
    store(configuration('updated', 'true')),
    { method: 'PUT', path: `${configurations}/updated`, body: configuration('updated', 'true') },
    {
      method: 'PATCH',
      path: `${configurations}/updated`,
      contentType: 'application/json-patch+json',
      body: [{ op: 'replace', path: '/webhooks/0/matchConditions/0/expression', value: 'x +' }],
    },
    { method: 'DELETE', path: `${configurations}/updated` },
  ),
];

/** Webhooks add to audit events. */
const annotated = (allows: boolean, auditAnnotations: JsonObject): CaseHook['answer'] => ({
  response: { allowed: allows, auditAnnotations },
});

const audited: readonly WebhookCase[] = [
  {
    name: 'annotations of audit events',
    hooks: [
      { type: 'mutating', answer: annotated(true, { a: '1', 'x/y': '2' }) },
      { type: 'mutating', fields: { failurePolicy: 'Ignore' }, answer: { code: 500, body: 'oh no' } },
      { type: 'validating', answer: annotated(true, { a: '3' }) },
      { type: 'validating', answer: annotated(false, { b: '4' }) },
    ],
    steps: [create('one')],
  },
  {
    name: 'called again after a patch that changes nothing',
    hooks: [
      { type: 'mutating', fields: { reinvocationPolicy: 'IfNeeded' }, answer: allowed },
      { type: 'mutating', answer: patchOf({ op: 'test', path: '/data/a', value: '1' }) },
      { type: 'mutating', fields: { reinvocationPolicy: 'IfNeeded' }, answer: allowed },
      { type: 'mutating', answer: patchOf({ op: 'test', path: '/data/a', value: '1' }) },
    ],
    steps: [create('one', { data: { a: '1' } })],
  },
];

export const basicCases: readonly WebhookCase[] = [
  ...verdicts,
  ...failures,
  ...garbageCases,
  ...patches,
  ...reinvocations,
  ...selections,
  ...versions,
  ...conditions,
  ...audited,
];
