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
  setData,
  validating,
  type WebhookCase,
  stringValue,
  mergePatch,
} from '../case-parts.ts';
import type { HookResponse, Review } from '../hook-server.ts';

const ifNeeded: JsonObject = { reinvocationPolicy: 'IfNeeded' };
/** Sets a key to the number of its calls. */
const counting = (key: string, fields: JsonObject = {}): CaseHook => ({
  type: 'mutating',
  fields,
  answer: (_, calls) => patchOf(setData(key, String(calls))),
});
const silent = (fields: JsonObject = {}): CaseHook => ({ type: 'mutating', fields, answer: allowed });
const given = create('one', { data: { a: '1' } });
const inOrder = (name: string, ...hooks: CaseHook[]): WebhookCase => ({
  name: `order: ${name}`,
  hooks,
  steps: [given],
});

/** Second calls of several webhooks. */
const reinvocations: readonly WebhookCase[] = [
  inOrder(
    'all three want to be called again',
    counting('x', ifNeeded),
    counting('y', ifNeeded),
    counting('z', ifNeeded),
  ),
  inOrder('only the middle one', counting('x'), counting('y', ifNeeded), counting('z')),
  inOrder('only the first, and nobody changes anything', silent(ifNeeded), silent(), silent()),
  inOrder('only the last changes something', silent(ifNeeded), silent(ifNeeded), counting('z')),
  inOrder(
    'the second call is denied',
    {
      type: 'mutating',
      fields: ifNeeded,
      answer: (_, calls) => ({ response: { allowed: calls === 1, status: { message: 'not twice' } } }),
    },
    counting('y'),
  ),
  inOrder(
    'the second call fails',
    { type: 'mutating', fields: ifNeeded, answer: (_, calls) => (calls === 1 ? allowed : { nothing: 'cut' }) },
    counting('y'),
  ),
  inOrder(
    'the second call fails, Ignore',
    {
      type: 'mutating',
      fields: { ...ifNeeded, failurePolicy: 'Ignore' },
      answer: (_, calls) => (calls === 1 ? allowed : { code: 500, body: 'oh no' }),
    },
    counting('y'),
  ),
  inOrder(
    'the change is taken back',
    { type: 'mutating', fields: ifNeeded, answer: allowed },
    { type: 'mutating', answer: patchOf(setData('b', '2')) },
    { type: 'mutating', answer: patchOf({ op: 'remove', path: '/data/b' }) },
  ),
  inOrder(
    'a list that grows with every call',
    ...[0, 1].map((index): CaseHook => ({
      type: 'mutating',
      fields: ifNeeded,
      answer: ({ request }) => {
        const { metadata = {} } = request['object'] as { metadata?: { finalizers?: string[] } };
        const finalizers = [
          ...(metadata.finalizers ?? []),
          `example.com/of-${index}-${metadata.finalizers?.length ?? 0}`,
        ];
        return patchOf({ op: 'add', path: '/metadata/finalizers', value: finalizers });
      },
    })),
  ),
  inOrder(
    'the same webhook no longer selects the object',
    { type: 'mutating', fields: { ...ifNeeded, objectSelector: { matchLabels: { app: 'a' } } }, answer: allowed },
    { type: 'mutating', answer: patchOf({ op: 'add', path: '/metadata/labels', value: { app: 'b' } }) },
  ),
  {
    ...inOrder(
      'the second call is not selected any more',
      { type: 'mutating', fields: { ...ifNeeded, objectSelector: { matchLabels: { app: 'a' } } }, answer: allowed },
      { type: 'mutating', answer: patchOf({ op: 'replace', path: '/metadata/labels/app', value: 'b' }) },
    ),
    steps: [create('one', { metadata: { name: 'one', labels: { app: 'a' } } })],
  },
  inOrder(
    'a condition that becomes true is too late',
    {
      type: 'mutating',
      fields: { ...ifNeeded, matchConditions: [{ name: 'a', expression: "'b' in object.data" }] },
      answer: (_, calls) => patchOf(setData('n', String(calls))),
    },
    { type: 'mutating', answer: patchOf(setData('b', '2')) },
  ),
  {
    name: 'order: every verb is called again',
    hooks: [
      counting('x', ifNeeded),
      counting('y', {
        rules: [{ operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      }),
    ],
    steps: [
      given,
      { method: 'PUT', path: 'configmaps/one', body: map('one', { data: { a: '2' } }) },
      { method: 'PATCH', path: 'configmaps/one', contentType: mergePatch, body: { data: { a: '3' } } },
    ],
  },
];

const limits: CaseObject = {
  path: 'limitranges',
  body: {
    kind: 'LimitRange',
    apiVersion: 'v1',
    metadata: { name: 'limits' },
    spec: { limits: [{ type: 'Container', default: { cpu: '100m' }, defaultRequest: { cpu: '50m' } }] },
  },
};
const pod = (more: JsonObject = {}): CaseStep => ({
  method: 'POST',
  path: 'pods',
  body: {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'one' },
    spec: { containers: [{ name: 'a', image: 'b' }], ...more },
  },
});
const sidecar = patchOf({ op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'c' } });
const policy = (name: string, expression: string, more: JsonObject = {}): readonly CaseObject[] => {
  const kind = 'MutatingAdmissionPolicy';
  const path = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolic';
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const matched = { namespaceSelector: { matchLabels: { case: 'CASE' } } };
  return [
    {
      path: `${path}ies`,
      body: {
        kind,
        apiVersion,
        metadata: { name: `${name}-CASE` },
        spec: {
          matchConstraints: {
            ...matched,
            resourceRules: [
              { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
            ],
          },
          reinvocationPolicy: 'Never',
          failurePolicy: 'Fail',
          ...more,
          mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
        },
      },
    },
    {
      path: `${path}ybindings`,
      body: {
        kind: `${kind}Binding`,
        apiVersion,
        metadata: { name: `${name}-CASE` },
        spec: { policyName: `${name}-CASE`, matchResources: matched },
      },
    },
  ];
};
const appended = '[JSONPatch{op: "add", path: "/data/p", value: (has(object.data.p) ? object.data.p : "") + "p"}]';

/** Plugins and policies between webhooks. */
const plugins: readonly WebhookCase[] = [
  {
    name: 'plugins: a container of a webhook gets its limits from the plugin',
    objects: [limits],
    hooks: [
      { type: 'mutating', fields: { ...rules(['pods']), ...ifNeeded }, answer: allowed },
      { type: 'mutating', fields: rules(['pods']), answer: sidecar },
      { type: 'validating', fields: rules(['pods']), answer: allowed },
    ],
    steps: [pod()],
  },
  {
    name: 'plugins: a class of priority that a webhook sets',
    hooks: [
      {
        type: 'mutating',
        fields: rules(['pods']),
        answer: patchOf(
          { op: 'add', path: '/spec/priorityClassName', value: 'system-node-critical' },
          { op: 'remove', path: '/spec/priority' },
        ),
      },
      { type: 'validating', fields: rules(['pods']), answer: allowed },
    ],
    steps: [pod()],
  },
  {
    name: 'plugins: a limit that a webhook breaks',
    objects: [
      {
        path: 'limitranges',
        body: {
          kind: 'LimitRange',
          apiVersion: 'v1',
          metadata: { name: 'limits' },
          spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] },
        },
      },
    ],
    hooks: [
      {
        type: 'mutating',
        fields: rules(['pods']),
        answer: patchOf({
          op: 'replace',
          path: '/spec/containers/0/resources',
          value: { limits: { cpu: '2' }, requests: { cpu: '2' } },
        }),
      },
    ],
    steps: [pod()],
  },
  {
    name: 'plugins: a quota that a webhook breaks',
    objects: [
      {
        path: 'resourcequotas',
        body: {
          kind: 'ResourceQuota',
          apiVersion: 'v1',
          metadata: { name: 'quota' },
          spec: { hard: { 'count/configmaps': '0' } },
        },
      },
    ],
    hooks: [{ type: 'validating', fields: rules(['secrets']), answer: allowed }],
    steps: [{ method: 'POST', path: 'secrets', body: { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'one' } } }],
  },
  ...(['Never', 'IfNeeded'] as const).flatMap((ofPolicy) =>
    (['Never', 'IfNeeded'] as const).map((ofHook): WebhookCase => ({
      name: `plugins: a policy, ${ofPolicy}, and a webhook, ${ofHook}`,
      objects: policy('again', appended, { reinvocationPolicy: ofPolicy }),
      hooks: [
        {
          type: 'mutating',
          fields: { reinvocationPolicy: ofHook },
          answer: ({ request }) => {
            const { data = {} } = request['object'] as { data?: { readonly [key: string]: string } };
            return patchOf(setData('h', `${data['h'] ?? ''}h${data['p'] ?? ''}`));
          },
        },
      ],
      steps: [given],
    })),
  ),
  {
    name: 'plugins: a policy that fails after a webhook',
    objects: policy('failing', '[JSONPatch{op: "add", path: "/data/p", value: object.data.h}]', {
      reinvocationPolicy: 'IfNeeded',
    }),
    hooks: [counting('h')],
    steps: [given],
  },
];

const failure = (answer: CaseHook['answer'], fields: JsonObject = {}): CaseHook => ({
  type: 'validating',
  fields,
  answer,
});
const ignore: JsonObject = { failurePolicy: 'Ignore' };
const kinds: readonly (readonly [string, CaseHook['answer'], JsonObject])[] = [
  ['nobody listens', allowed, { clientConfig: { url: 'https://127.0.0.1:1/x' } }],
  ['a path of several parts', allowed, { clientConfig: { url: 'https://127.0.0.1:1/a//b/' } }],
  [
    'a service that does not exist',
    allowed,
    { clientConfig: { service: { name: 'none', namespace: 'NS', path: '/x' } } },
  ],
  [
    'a service in a namespace that does not exist',
    allowed,
    { clientConfig: { service: { name: 'none', namespace: 'none' } } },
  ],
  [
    'a service without the port',
    allowed,
    { clientConfig: { service: { name: 'kubernetes', namespace: 'default', port: 7 } } },
  ],
  ['a patch that does not apply', patchOf({ op: 'remove', path: '/data/none' }), {}],
  ['a patch that is no patch', { response: { allowed: true, patchType: 'JSONPatch', patch: 'eA==' } }, {}],
  ['a patch of another type', { response: { allowed: true, patchType: 'Other', patch: 'W3t9XQ==' } }, {}],
];

/** Failures of both kinds of webhooks, by policy. */
const failures: readonly WebhookCase[] = [
  ...kinds.flatMap(([name, answer, fields]) =>
    (['Fail', 'Ignore'] as const).map((failurePolicy): WebhookCase => ({
      name: `failures: ${name}, ${failurePolicy}`,
      hooks: [{ type: 'mutating', fields: { ...fields, failurePolicy }, answer }],
      steps: [given],
    })),
  ),
  {
    name: 'failures: one is ignored, another is not, a third is never called',
    hooks: [
      { type: 'mutating', fields: ignore, answer: { nothing: 'cut' } },
      { type: 'mutating', answer: { code: 500, body: 'first' } },
      { type: 'mutating', answer: { code: 500, body: 'second' } },
    ],
    steps: [given],
  },
  {
    name: 'failures: a denial is not ignored',
    hooks: [failure({ response: { allowed: false, status: { message: 'no' } } }, ignore)],
    steps: [given],
  },
  {
    name: 'failures: the first denial counts, all are called',
    hooks: [
      failure({ response: { allowed: false, status: { message: 'late' } }, delayMs: 600 }),
      failure({ response: { allowed: false, status: { message: 'early' } }, delayMs: 100 }),
      failure(allowed),
    ],
    steps: [given],
  },
  {
    name: 'failures: a mutating denial spares validating webhooks',
    hooks: [
      { type: 'mutating', answer: { response: { allowed: false } } },
      { type: 'mutating', answer: allowed },
      { type: 'validating', answer: allowed },
    ],
    steps: [given],
  },
  {
    name: 'failures: an object that is invalid after the webhooks is not seen by validating ones',
    hooks: [
      { type: 'mutating', answer: patchOf(setData('bad key', 'x')) },
      { type: 'validating', answer: allowed },
    ],
    steps: [given],
  },
  {
    name: 'failures: an object that is invalid at first',
    hooks: [{ type: 'mutating', answer: patchOf({ op: 'remove', path: '/data/bad key' }, setData('b', '2')) }],
    steps: [create('one', { data: { 'bad key': 'x' } })],
  },
];

const slow = (fields: JsonObject, type: CaseHook['type'] = 'mutating'): CaseHook => ({
  type,
  fields,
  answer: { nothing: 'silence' },
});
const stepAt = (path: string): CaseStep => ({ ...given, path });

/** Timeouts of webhooks and of requests. */
const timeouts: readonly WebhookCase[] = [
  {
    name: 'timeouts: two that are ignored, one after the other',
    hooks: [slow({ ...ignore, timeoutSeconds: 1 }), slow({ ...ignore, timeoutSeconds: 1 }), counting('n')],
    steps: [given],
  },
  {
    name: 'timeouts: two that are ignored, at the same time',
    hooks: [slow({ ...ignore, timeoutSeconds: 1 }, 'validating'), slow({ ...ignore, timeoutSeconds: 1 }, 'validating')],
    steps: [given],
  },
  {
    name: 'timeouts: of what webhooks are told',
    hooks: [
      { type: 'mutating', fields: { timeoutSeconds: 30 }, answer: allowed },
      { type: 'validating', fields: { timeoutSeconds: 7 }, answer: allowed },
    ],
    steps: [
      stepAt('configmaps?timeout=3s'),
      { ...stepAt('configmaps?timeout=2500ms'), body: map('two') },
      create('three'),
    ],
  },
  {
    name: 'timeouts: of the answer, which is late',
    hooks: [
      { type: 'validating', fields: { timeoutSeconds: 1 }, answer: { response: { allowed: true }, delayMs: 1_500 } },
    ],
    steps: [given],
  },
  {
    name: 'timeouts: a second call has its own',
    hooks: [
      {
        type: 'mutating',
        fields: { ...ifNeeded, timeoutSeconds: 1 },
        answer: (_: Review, calls: number): HookResponse =>
          ({ ...patchOf(setData('n', String(calls))), delayMs: 600 }) as HookResponse,
      },
      counting('y'),
    ],
    steps: [given],
  },
];

const dry = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}dryRun=All`;

/** Dry runs. */
const dryRuns: readonly WebhookCase[] = [
  {
    name: 'dry run: every verb',
    hooks: [
      {
        type: 'mutating',
        answer: patchOf({ op: 'add', path: '/metadata/labels', value: { a: 'b' } }),
        fields: rules(['configmaps'], { operations: ['CREATE', 'UPDATE'] }),
      },
      { type: 'validating', fields: { sideEffects: 'NoneOnDryRun' }, answer: allowed },
    ],
    steps: [
      { ...given, path: dry('configmaps') },
      given,
      { method: 'PUT', path: dry('configmaps/one'), body: map('one', { data: { a: '2' } }) },
      { method: 'PATCH', path: dry('configmaps/one'), contentType: mergePatch, body: { data: { b: '1' } } },
      {
        method: 'PATCH',
        path: dry('configmaps/two?fieldManager=me'),
        contentType: 'application/apply-patch+yaml',
        body: map('two', { data: { c: '1' } }),
      },
      { method: 'DELETE', path: dry('configmaps/one') },
      { method: 'DELETE', path: dry('configmaps') },
      { method: 'GET', path: 'configmaps/one' },
    ],
  },
  {
    name: 'dry run: of an eviction and a scale',
    objects: [
      {
        path: 'pods',
        body: {
          kind: 'Pod',
          apiVersion: 'v1',
          metadata: { name: 'one' },
          spec: { containers: [{ name: 'a', image: 'b' }] },
        },
      },
    ],
    hooks: [{ type: 'validating', fields: rules(['pods', 'pods/*']), answer: allowed }],
    steps: [
      {
        method: 'POST',
        path: dry('pods/one/eviction'),
        body: { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'one' } },
      },
      {
        method: 'POST',
        path: 'pods/one/eviction',
        body: {
          kind: 'Eviction',
          apiVersion: 'policy/v1',
          metadata: { name: 'one' },
          deleteOptions: { dryRun: ['All'] },
        },
      },
    ],
  },
  validating('dry run: by a condition', allowed, {
    matchConditions: [{ name: 'a', expression: 'request.dryRun == true' }],
  }),
];

/** Owners of what is applied. */
const applied: readonly WebhookCase[] = [
  {
    name: 'an apply that creates, and one that changes what a webhook owns',
    hooks: [
      {
        type: 'mutating',
        answer: ({ request }) => patchOf(setData('op', stringValue(request['operation'])), setData('of', 'webhook')),
      },
    ],
    steps: [
      ['me', 'true'],
      ['you', 'false'],
      ['you', 'true'],
    ].map(([manager, force]) => ({
      method: 'PATCH' as const,
      path: `configmaps/one?fieldManager=${manager}&force=${force}`,
      contentType: 'application/apply-patch+yaml',
      body: map('one', { data: { of: String(manager) } }),
    })),
  },
];

export const orderCases: readonly WebhookCase[] = [
  ...reinvocations,
  ...plugins,
  ...failures,
  ...timeouts,
  ...dryRuns,
  ...applied,
];
