import type { JsonObject } from '../../../src/api/json/json.ts';
import type { CaseObject } from '../../case-objects.ts';
import {
  allowed,
  type CaseHook,
  type CaseStep,
  create,
  map,
  patchOf,
  rules,
  type WebhookCase,
  mergePatch,
} from '../case-parts.ts';

const merge = (path: string, body: JsonObject): CaseStep => ({ method: 'PATCH', path, contentType: mergePatch, body });
const watching = (fields: JsonObject): CaseHook => ({ type: 'validating', fields, answer: allowed });

const group = 'caseCASE.example.com';
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { size: { type: 'integer' }, color: { type: 'string', default: 'red' } },
      },
      status: { type: 'object', properties: { ready: { type: 'integer' } } },
    },
  },
};
/** Widgets of two versions. */
const widgets: CaseObject = {
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  body: {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
      versions: ['v1', 'v2'].map((name) => ({
        name,
        served: true,
        storage: name === 'v2',
        schema,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' } },
      })),
    },
  },
};
const widgetPath = (version: string): string => `/apis/${group}/${version}/namespaces/NS/widgets`;
const widget = (version: string, more: JsonObject = {}): JsonObject => ({
  kind: 'Widget',
  apiVersion: `${group}/${version}`,
  metadata: { name: 'one' },
  spec: { size: 1 },
  ...more,
});
/** Webhooks are made once it is served. */
const first: CaseObject = { path: widgetPath('v1'), body: widget('v1', { metadata: { name: 'zero' } }) };
const objects = [widgets, first];
const createWidget = (version: string, more: JsonObject = {}): CaseStep => ({
  method: 'POST',
  path: widgetPath(version),
  body: widget(version, more),
});
const rulesOf = (apiGroups: string[], apiVersions: string[], ...resources: string[]): JsonObject =>
  rules(resources, { apiGroups, apiVersions });
const matchPolicies = ['Equivalent', 'Exact'] as const;

/** Custom resources of two versions. */
const custom: readonly WebhookCase[] = [
  ...matchPolicies.flatMap((matchPolicy) =>
    ['v1', 'v2'].map((version): WebhookCase => ({
      name: `custom: ${version} for a webhook of v1, ${matchPolicy}`,
      objects,
      hooks: [
        {
          type: 'mutating',
          fields: { ...rulesOf([group], ['v1'], 'widgets'), matchPolicy },
          answer: patchOf({ op: 'replace', path: '/spec/size', value: 5 }),
        },
        watching({ ...rulesOf([group], ['v2'], 'widgets'), matchPolicy }),
      ],
      steps: [
        createWidget(version),
        merge(`${widgetPath(version)}/one`, { spec: { size: 2 } }),
        { method: 'DELETE', path: `${widgetPath(version)}/one` },
      ],
    })),
  ),
  {
    name: 'custom: the status and the scale',
    objects,
    hooks: [
      {
        type: 'mutating',
        fields: rulesOf([group], ['v1'], 'widgets/status'),
        answer: patchOf(
          { op: 'add', path: '/status', value: { ready: 9 } },
          { op: 'add', path: '/spec/size', value: 7 },
        ),
      },
      {
        type: 'mutating',
        fields: rulesOf([group], ['v1'], 'widgets/scale'),
        answer: patchOf({ op: 'replace', path: '/spec/replicas', value: 4 }),
      },
      watching(rulesOf([group], ['*'], 'widgets/*')),
    ],
    steps: [
      createWidget('v2'),
      merge(`${widgetPath('v2')}/one/status`, { status: { ready: 1 } }),
      merge(`${widgetPath('v1')}/one/scale`, { spec: { replicas: 2 } }),
    ],
  },
  ...[
    { op: 'add', path: '/spec/unknown', value: 1 },
    { op: 'replace', path: '/spec/size', value: 'large' },
    { op: 'replace', path: '/spec/size', value: 1.5 },
    { op: 'remove', path: '/spec/color' },
    { op: 'add', path: '/spec/color', value: null },
    { op: 'replace', path: '/spec', value: null },
    { op: 'remove', path: '/spec' },
    { op: 'replace', path: '/kind', value: 'Other' },
    { op: 'replace', path: '/apiVersion', value: 'other.example.com/v1' },
    { op: 'add', path: '/status', value: { ready: 3 } },
    { op: 'add', path: '/metadata/unknown', value: 'x' },
    { op: 'add', path: '/metadata/labels', value: { 'a b': 'c' } },
    { op: 'remove', path: '/metadata/managedFields' },
    { op: 'replace', path: '/metadata/managedFields', value: [{ manager: 'x' }] },
    { op: 'replace', path: '/metadata/uid', value: 'other' },
    { op: 'replace', path: '/metadata/name', value: 'other' },
  ].map((operation): WebhookCase => ({
    name: `custom: ${JSON.stringify(operation)}`,
    objects,
    hooks: [{ type: 'mutating', fields: rulesOf([group], ['*'], 'widgets'), answer: patchOf(operation as JsonObject) }],
    steps: [createWidget('v1')],
  })),
  {
    name: 'custom: a condition about a field',
    objects,
    hooks: [
      watching({
        ...rulesOf([group], ['*'], 'widgets'),
        matchConditions: [{ name: 'a', expression: "object.spec.size > 1 && object.spec.color == 'red'" }],
      }),
    ],
    steps: [createWidget('v1'), merge(`${widgetPath('v1')}/one`, { spec: { size: 2 } })],
  },
];

const autoscalers = (version: string): string => `/apis/autoscaling/${version}/namespaces/NS/horizontalpodautoscalers`;
const autoscaler = (version: string, spec: JsonObject = {}): CaseStep => ({
  method: 'POST',
  path: autoscalers(version),
  body: {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: `autoscaling/${version}`,
    metadata: { name: 'one' },
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'x' }, ...spec },
  },
});

/** Versions and groups of the built-in kinds. */
const equivalent: readonly WebhookCase[] = [
  ...matchPolicies.flatMap((matchPolicy) => [
    {
      name: `equivalent: autoscalers of v1 for a webhook of v2, ${matchPolicy}`,
      hooks: [
        {
          type: 'mutating' as const,
          fields: { ...rulesOf(['autoscaling'], ['v2'], 'horizontalpodautoscalers'), matchPolicy },
          answer: patchOf({ op: 'add', path: '/spec/behavior', value: { scaleUp: { stabilizationWindowSeconds: 9 } } }),
        },
      ],
      steps: [
        autoscaler('v1', { targetCPUUtilizationPercentage: 70 }),
        merge(`${autoscalers('v1')}/one`, { spec: { maxReplicas: 9 } }),
      ],
    },
    {
      name: `equivalent: events of one group for a webhook of the other, ${matchPolicy}`,
      hooks: [watching({ ...rulesOf(['events.k8s.io'], ['v1'], 'events'), matchPolicy })],
      steps: [
        {
          method: 'POST' as const,
          path: 'events',
          body: {
            kind: 'Event',
            apiVersion: 'v1',
            metadata: { name: 'one' },
            reason: 'r',
            message: 'm',
            type: 'Normal',
            involvedObject: { kind: 'Pod', name: 'p', namespace: 'NS' },
            source: { component: 'c' },
            count: 3,
          },
        },
      ],
    },
    {
      name: `equivalent: a scale for a webhook of another version, ${matchPolicy}`,
      hooks: [
        watching({ ...rulesOf(['apps'], ['v1beta1'], 'deployments/scale'), matchPolicy }),
        watching({ ...rulesOf(['extensions'], ['v1beta1'], 'deployments'), matchPolicy }),
        watching({ ...rulesOf(['autoscaling'], ['*'], '*/scale'), matchPolicy }),
      ],
      steps: [
        {
          method: 'POST' as const,
          path: '/apis/apps/v1/namespaces/NS/deployments',
          body: {
            kind: 'Deployment',
            apiVersion: 'apps/v1',
            metadata: { name: 'one' },
            spec: {
              selector: { matchLabels: { app: 'a' } },
              template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
            },
          },
        },
        merge('/apis/apps/v1/namespaces/NS/deployments/one/scale', { spec: { replicas: 2 } }),
      ],
    },
  ]),
  {
    name: 'equivalent: both versions in one rule',
    hooks: [watching(rulesOf(['autoscaling'], ['v2', 'v1'], 'horizontalpodautoscalers'))],
    steps: [autoscaler('v1')],
  },
  {
    name: 'equivalent: several rules, the exact one last',
    hooks: [
      watching({
        rules: ['v2', 'v1'].map((version) => ({
          operations: ['CREATE'],
          apiGroups: ['autoscaling'],
          apiVersions: [version],
          resources: ['horizontalpodautoscalers'],
        })),
      }),
    ],
    steps: [autoscaler('v1')],
  },
  {
    name: 'equivalent: webhooks of two versions, one after the other',
    hooks: ['v1', 'v2', 'v1'].map((version, index) => ({
      type: 'mutating' as const,
      fields: rulesOf(['autoscaling'], [version], 'horizontalpodautoscalers'),
      answer: patchOf({ op: 'add', path: '/metadata/labels', value: { [`of-${index}`]: version } }),
    })),
    steps: [autoscaler('v2')],
  },
  {
    name: 'equivalent: a field that only the other version has',
    hooks: [
      {
        type: 'mutating',
        fields: rulesOf(['autoscaling'], ['v1'], 'horizontalpodautoscalers'),
        answer: patchOf(
          { op: 'add', path: '/spec/metrics', value: [] },
          { op: 'add', path: '/spec/targetCPUUtilizationPercentage', value: 33 },
        ),
      },
    ],
    steps: [autoscaler('v2')],
  },
];

const labelled = (name: string, labels: JsonObject | undefined, more: JsonObject = {}): JsonObject =>
  map(name, { metadata: { name, ...(labels === undefined ? {} : { labels }) }, ...more });
const post = (body: JsonObject): CaseStep => ({ method: 'POST', path: 'configmaps', body });
const expressionOf = (operator: string, values?: string[]): JsonObject => ({
  objectSelector: { matchExpressions: [{ key: 'app', operator, ...(values === undefined ? {} : { values }) }] },
});
const allRules = rules(['configmaps']);
const update = (name: string, labels: JsonObject | null): CaseStep =>
  merge(`configmaps/${name}`, { metadata: { labels } });

/** Selectors of objects and namespaces. */
const selectors: readonly WebhookCase[] = [
  ...[
    ['In', ['a', 'b']],
    ['NotIn', ['a']],
    ['Exists', undefined],
    ['DoesNotExist', undefined],
  ].map(([operator, values]) => ({
    name: `selectors: ${String(operator)} on every change`,
    hooks: [watching({ ...allRules, ...expressionOf(String(operator), values as string[] | undefined) })],
    steps: [
      post(labelled('one', { app: 'a' })),
      update('one', { app: 'c' }),
      update('one', { app: null }),
      update('one', { other: 'x' }),
      update('one', { app: 'b' }),
      { method: 'DELETE' as const, path: 'configmaps/one' },
      post(labelled('two', undefined)),
      { method: 'DELETE' as const, path: 'configmaps' },
    ],
  })),
  {
    name: 'selectors: a label that a webhook before has added',
    hooks: [
      { type: 'mutating', answer: patchOf({ op: 'add', path: '/metadata/labels', value: { app: 'a' } }) },
      {
        type: 'mutating',
        fields: { objectSelector: { matchLabels: { app: 'a' } } },
        answer: patchOf({ op: 'remove', path: '/metadata/labels' }),
      },
      watching({ ...allRules, objectSelector: { matchLabels: { app: 'a' } } }),
    ],
    steps: [create('one')],
  },
  {
    name: 'selectors: namespaces whose labels change',
    hooks: [
      watching({
        ...allRules,
        namespaceSelector: { matchExpressions: [{ key: 'stage', operator: 'NotIn', values: ['off'] }] },
      }),
      watching({ ...allRules, namespaceSelector: { matchExpressions: [{ key: 'stage', operator: 'Exists' }] } }),
    ],
    steps: [
      create('one'),
      merge('/api/v1/namespaces/NS', { metadata: { labels: { stage: 'off' } } }),
      merge('configmaps/one', { data: { a: '1' } }),
      merge('/api/v1/namespaces/NS', { metadata: { labels: { stage: 'on' } } }),
      merge('configmaps/one', { data: { a: '2' } }),
      { method: 'DELETE', path: 'configmaps' },
    ],
  },
  {
    name: 'selectors: the name of the namespace',
    hooks: [
      watching({
        ...allRules,
        namespaceSelector: {
          matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['NS'] }],
        },
      }),
    ],
    steps: [create('one')],
  },
  {
    name: 'selectors: the pod of an eviction, an exec and a status',
    objects: [
      {
        path: 'pods',
        body: {
          kind: 'Pod',
          apiVersion: 'v1',
          metadata: { name: 'one', labels: { app: 'a' } },
          spec: { containers: [{ name: 'a', image: 'b' }] },
        },
      },
    ],
    hooks: [
      watching({ ...rules(['pods', 'pods/*']), objectSelector: { matchLabels: { app: 'a' } } }),
      { type: 'validating', fields: rules(['pods/exec']), answer: { response: { allowed: false } } },
    ],
    steps: [
      merge('pods/one/status', { status: { phase: 'Running' } }),
      { method: 'POST', path: 'pods/one/exec?command=ls' },
      {
        method: 'POST',
        path: 'pods/one/eviction',
        body: { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'one', labels: { app: 'a' } } },
      },
      { method: 'DELETE', path: 'pods/one?gracePeriodSeconds=0' },
    ],
  },
  {
    name: 'selectors: a denial in the middle of a collection',
    hooks: [
      {
        type: 'validating',
        fields: rules(['configmaps'], { operations: ['DELETE'] }),
        answer: ({ request }) => ({
          response: { allowed: request['name'] !== 'two', status: { message: 'not this' } },
        }),
      },
    ],
    steps: [
      ...['one', 'two', 'three'].map((name) => create(name)),
      { method: 'DELETE', path: 'configmaps?labelSelector=none' },
      { method: 'DELETE', path: 'configmaps/two' },
      { method: 'DELETE', path: 'configmaps/one' },
    ],
  },
];

const conditional = (name: string, expression: string, ...steps: CaseStep[]): WebhookCase => ({
  name: `conditions: ${name}`,
  hooks: [watching({ ...rules(['*/*'], { scope: 'Namespaced' }), matchConditions: [{ name: 'a', expression }] })],
  steps,
});

/** Conditions on other operations, and those that fail. */
const conditions: readonly WebhookCase[] = [
  conditional('of a deletion', "object == null && oldObject.data.a == '1'", create('one', { data: { a: '1' } }), {
    method: 'DELETE',
    path: 'configmaps/one',
  }),
  conditional(
    'of a change',
    'oldObject != null && object != null && object.data != oldObject.data',
    create('one', { data: { a: '1' } }),
    merge('configmaps/one', { metadata: { labels: { a: 'b' } } }),
    merge('configmaps/one', { data: { a: '2' } }),
  ),
  conditional(
    'of options',
    "has(request.options.fieldManager) && request.options.fieldManager == 'me'",
    create('one'),
    {
      ...create('two'),
      path: 'configmaps?fieldManager=me',
    },
  ),
  conditional(
    'of another user',
    "request.userInfo.username == 'ann' && request.userInfo.extra['b'] == ['y']",
    create('one'),
    {
      ...create('two'),
      headers: { 'impersonate-user': 'ann', 'impersonate-group': 'system:masters', 'impersonate-extra-b': 'y' },
    },
  ),
  conditional(
    'that cost too much',
    `[1,2,3,4,5,6,7,8,9,10].all(a, ${['b', 'c', 'd', 'e', 'f', 'g'].map((name) => `[1,2,3,4,5,6,7,8,9,10].all(${name}, `).join('')}object.metadata.name != 'x'${')'.repeat(6)})`,
    create('one'),
  ),
  conditional('that fail on a missing key', "object.metadata.labels['x'] == 'y'", create('one')),
  conditional('that divide by zero', '1 / (object.metadata.name.size() - 3) == 0', create('one')),
  conditional('that miss a function of their type', 'object.metadata.name > 3', create('one')),
  conditional(
    'about what others may',
    "authorizer.group('').resource('pods').namespace('NS').name('x').check('get').allowed()",
    create('one'),
    {
      ...create('two'),
      headers: { 'impersonate-user': 'ann', 'impersonate-group': 'system:masters' },
    },
  ),
  {
    name: 'conditions: several that fail',
    hooks: (['Fail', 'Ignore'] as const).map((failurePolicy) =>
      watching({
        ...allRules,
        failurePolicy,
        matchConditions: [
          { name: 'first', expression: 'object.nothing == 1' },
          { name: 'second', expression: "object.metadata.labels['x'] == 'y'" },
          { name: 'third', expression: 'true' },
        ],
      }),
    ),
    steps: [create('one')],
  },
];

export const matchCases: readonly WebhookCase[] = [...custom, ...equivalent, ...selectors, ...conditions];
