import type { JsonObject } from '../../../src/api/json/json.ts';
import type { CaseStep, PolicyCase } from '../policy-case.ts';
import { create, map, update, validation } from './writes.ts';

// Which writes policies and bindings match: whatever they match is denied.

const denies = validation('false', { messageExpression: "request.resource.version + '/' + object.kind" });
const configMaps: JsonObject = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] };
const post = (path: string, body: JsonObject): CaseStep => ({ method: 'POST', path, body });
const patch = (path: string, body: JsonObject): CaseStep => ({
  method: 'PATCH',
  path,
  body,
  contentType: 'application/merge-patch+json',
});

const matched = (
  name: string,
  constraints: JsonObject,
  steps: readonly CaseStep[],
  more: Partial<PolicyCase> & { readonly binding?: JsonObject } = {},
): PolicyCase => ({
  name,
  policies: [{ ...denies, matchConstraints: { resourceRules: [configMaps], ...constraints } }],
  bindings: [more.binding ?? {}],
  ...(more.objects === undefined ? {} : { objects: more.objects }),
  steps,
});
const rule = (more: JsonObject): JsonObject => ({ resourceRules: [{ ...configMaps, ...more }] });

const generated: CaseStep = post('configmaps', { metadata: { generateName: 'made-' } });
const labelled = create('one', { metadata: { name: 'one', labels: { a: 'x' } } });

const deployment = (more: JsonObject = {}): JsonObject => ({
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name: 'd' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    ...more,
  },
});
const deployments = '/apis/apps/v1/namespaces/NS/deployments';
const scaler = (version: string): JsonObject => ({
  kind: 'HorizontalPodAutoscaler',
  apiVersion: `autoscaling/${version}`,
  metadata: { name: 'h' },
  spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
});
const scalers = (version: string): string => `/apis/autoscaling/${version}/namespaces/NS/horizontalpodautoscalers`;
const scalerRule = (apiVersions: readonly string[], more: JsonObject = {}): JsonObject => ({
  resourceRules: [
    {
      operations: ['*'],
      apiGroups: ['autoscaling'],
      apiVersions: [...apiVersions],
      resources: ['horizontalpodautoscalers'],
    },
  ],
  ...more,
});
const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};

const rules: readonly PolicyCase[] = [
  matched('an operation', rule({ operations: ['UPDATE'] }), [create('one'), update('one', { data: { a: 'b' } })]),
  matched('two operations', rule({ operations: ['CREATE', 'DELETE'] }), [create('one')]),
  matched('another group', rule({ apiGroups: ['apps'] }), [create('one')]),
  matched('every group', rule({ apiGroups: ['*'] }), [create('one')]),
  matched('another version', rule({ apiVersions: ['v2'] }), [create('one')]),
  matched('every resource', rule({ resources: ['*'] }), [create('one')]),
  matched('every resource with its subresources', rule({ resources: ['*/*'] }), [create('one')]),
  matched('namespaced', rule({ scope: 'Namespaced' }), [create('one')]),
  matched('cluster-scoped', rule({ scope: 'Cluster' }), [create('one')]),
  matched('a name', rule({ resourceNames: ['one'] }), [create('one'), create('two')]),
  matched('two names', rule({ resourceNames: ['one', 'two'] }), [create('one'), create('two'), create('three')]),
  matched('a name, of what is generated', rule({ resourceNames: ['made-'] }), [generated]),
  matched('what is generated', {}, [generated]),
  matched('all but a name', { excludeResourceRules: [{ ...configMaps, resourceNames: ['two'] }] }, [
    create('one'),
    create('two'),
  ]),
  matched('all but an operation', { excludeResourceRules: [{ ...configMaps, operations: ['CREATE'] }] }, [
    create('one'),
    update('one', { data: { a: 'b' } }),
  ]),
  matched('nothing, as all is excluded', { excludeResourceRules: [configMaps] }, [create('one')]),
];

const selectors: readonly PolicyCase[] = [
  matched('objects', { objectSelector: { matchLabels: { a: 'x' } } }, [create('two'), labelled]),
  matched('objects by expression', { objectSelector: { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] } }, [
    create('two'),
    labelled,
  ]),
  matched('old objects', { ...rule({ operations: ['UPDATE'] }), objectSelector: { matchLabels: { a: 'x' } } }, [
    labelled,
    update('one', { metadata: { name: 'one', labels: { a: 'y' } } }),
  ]),
  matched('another namespace', { namespaceSelector: { matchLabels: { case: 'none' } } }, [create('one')]),
  matched(
    'namespaces by expression',
    { namespaceSelector: { matchExpressions: [{ key: 'case', operator: 'In', values: ['CASE'] }] } },
    [create('one')],
  ),
  matched('what the binding matches', {}, [create('one'), create('two')], {
    binding: { matchResources: { resourceRules: [{ ...configMaps, resourceNames: ['two'] }] } },
  }),
  matched('not what the binding excludes', {}, [create('one'), create('two')], {
    binding: { matchResources: { excludeResourceRules: [{ ...configMaps, resourceNames: ['two'] }] } },
  }),
  matched('objects of the binding', {}, [create('two'), labelled], {
    binding: { matchResources: { objectSelector: { matchLabels: { a: 'x' } } } },
  }),
  matched('operations of the binding', {}, [create('one'), { method: 'DELETE', path: 'configmaps/one' }], {
    binding: { matchResources: { resourceRules: [{ ...configMaps, operations: ['DELETE'] }] } },
  }),
];

const versions: readonly PolicyCase[] = (['Exact', 'Equivalent'] as const).flatMap((matchPolicy) =>
  ['v1', 'v2'].map((version) =>
    matched(`${version}, ${matchPolicy}`, scalerRule([version], { matchPolicy }), [
      post(scalers('v1'), scaler('v1')),
      post(scalers('v2'), scaler('v2')),
    ]),
  ),
);

const seenVersion = (version: string): PolicyCase => ({
  name: `an object as ${version}`,
  policies: [
    {
      ...validation('false', {
        messageExpression:
          "object.apiVersion + ' ' + request.kind.version + ' ' + request.requestKind.version + ' ' + request.resource.version + ' ' + string(has(object.spec.metrics)) + string(has(object.spec.targetCPUUtilizationPercentage))",
      }),
      matchConstraints: scalerRule([version]),
    },
  ],
  steps: ['v1', 'v2'].map((each) => post(`${scalers(each)}?dryRun=All`, scaler(each))),
});

const subresources: readonly PolicyCase[] = [
  matched(
    'scale',
    { resourceRules: [{ ...configMaps, apiGroups: ['*'], apiVersions: ['*'], resources: ['deployments/scale'] }] },
    [
      post(deployments, deployment()),
      patch(`${deployments}/d/scale`, { spec: { replicas: 2 } }),
      patch(`${deployments}/d`, { spec: { replicas: 2 } }),
    ],
  ),
  matched(
    'status',
    { resourceRules: [{ ...configMaps, apiGroups: ['apps'], apiVersions: ['*'], resources: ['*/status'] }] },
    [
      post(deployments, deployment()),
      patch(`${deployments}/d/status`, { status: { replicas: 2 } }),
      patch(`${deployments}/d`, { spec: { replicas: 2 } }),
    ],
  ),
  matched(
    'a deployment, not its scale',
    { resourceRules: [{ ...configMaps, apiGroups: ['apps'], resources: ['deployments'], operations: ['UPDATE'] }] },
    [
      post(deployments, deployment()),
      patch(`${deployments}/d/scale`, { spec: { replicas: 2 } }),
      patch(`${deployments}/d`, { spec: { replicas: 3 } }),
    ],
  ),
  matched('eviction', { resourceRules: [{ ...configMaps, resources: ['pods/eviction'] }] }, [
    post('pods', pod),
    post('pods/p/eviction', { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'p' } }),
  ]),
  matched('binding', { resourceRules: [{ ...configMaps, resources: ['pods/binding', 'bindings'] }] }, [
    post('pods', pod),
    post('pods/p/binding', {
      kind: 'Binding',
      apiVersion: 'v1',
      metadata: { name: 'p' },
      target: { kind: 'Node', name: 'n' },
    }),
    post('bindings', {
      kind: 'Binding',
      apiVersion: 'v1',
      metadata: { name: 'p' },
      target: { kind: 'Node', name: 'n' },
    }),
  ]),
  matched('tokens', { resourceRules: [{ ...configMaps, resources: ['serviceaccounts/token'] }] }, [
    post('serviceaccounts', { metadata: { name: 's' } }),
    post('serviceaccounts/s/token', { spec: {} }),
  ]),
];

const wrote = create('one', { data: { a: '1' } });
const apply = (body: JsonObject): CaseStep => ({
  method: 'PATCH',
  path: 'configmaps/one?fieldManager=m',
  body,
  contentType: 'application/apply-patch+yaml',
});
const verbs: readonly PolicyCase[] = [
  matched('deletion', rule({ operations: ['DELETE'] }), [
    wrote,
    { method: 'DELETE', path: 'configmaps/one' },
    { method: 'GET', path: 'configmaps/one' },
  ]),
  matched('deletion of a collection', { ...rule({ operations: ['DELETE'], resourceNames: ['two'] }) }, [
    wrote,
    create('two'),
    create('three'),
    { method: 'DELETE', path: 'configmaps' },
    { method: 'GET', path: 'configmaps/two' },
  ]),
  matched('patches', rule({ operations: ['UPDATE'] }), [wrote, patch('configmaps/one', { data: { a: '2' } })]),
  matched('applies that create', rule({ operations: ['CREATE'] }), [apply(map('one'))]),
  matched('applies that update', rule({ operations: ['UPDATE'] }), [wrote, apply(map('one', { data: { b: '2' } }))]),
  matched('creation by update', rule({ operations: ['CREATE'] }), [update('one')]),
  matched('dry runs', {}, [{ ...wrote, path: 'configmaps?dryRun=All' }]),
  matched('reads', {}, [{ method: 'GET', path: 'configmaps/one' }]),
  matched('invalid objects', {}, [create('one', { data: { 'a b': 'c' } })]),
  matched('changes of nothing', rule({ operations: ['UPDATE'] }), [wrote, update('one', { data: { a: '1' } })]),
];

const clusterObject = (name: string): JsonObject => ({
  kind: 'PriorityClass',
  apiVersion: 'scheduling.k8s.io/v1',
  metadata: { name, labels: { cased: 'CASE' } },
  value: 5,
});
const priorityRule: JsonObject = {
  resourceRules: [
    { operations: ['*'], apiGroups: ['scheduling.k8s.io'], apiVersions: ['*'], resources: ['priorityclasses'] },
  ],
  objectSelector: { matchLabels: { cased: 'CASE' } },
};
const priorityClasses = '/apis/scheduling.k8s.io/v1/priorityclasses';
const namespaceRule: JsonObject = {
  resourceRules: [{ ...configMaps, resources: ['namespaces', 'namespaces/finalize'] }],
};
const clusterScoped: readonly PolicyCase[] = [
  matched('a cluster-scoped object', priorityRule, [post(priorityClasses, clusterObject('class-CASE'))], {
    binding: { matchResources: {} },
  }),
  matched('a cluster-scoped object whatever its namespace', priorityRule, [
    post(priorityClasses, clusterObject('class-CASE')),
  ]),
  matched('a namespace', namespaceRule, [patch('/api/v1/namespaces/NS', { metadata: { annotations: { a: 'b' } } })]),
  matched(
    'a namespace by its new labels',
    { ...namespaceRule, namespaceSelector: { matchLabels: { fresh: 'CASE' } } },
    [
      patch('/api/v1/namespaces/NS', { metadata: { annotations: { a: 'b' } } }),
      patch('/api/v1/namespaces/NS', { metadata: { labels: { fresh: 'CASE' } } }),
    ],
  ),
  matched(
    'a new namespace',
    { ...namespaceRule, namespaceSelector: { matchLabels: { fresh: 'CASE' } } },
    [
      post('/api/v1/namespaces', { metadata: { name: 'fresh-CASE', labels: { fresh: 'CASE' } } }),
      post('/api/v1/namespaces', { metadata: { name: 'fresher-CASE' } }),
    ],
    { binding: { matchResources: { namespaceSelector: {} } } },
  ),
];

const own = '/apis/admissionregistration.k8s.io/v1';
const everything = { resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] };
const exempt: readonly PolicyCase[] = [
  {
    name: 'policies, bindings and reviews are exempt, webhooks are not',
    policies: [
      {
        ...validation('false', { message: 'no' }),
        matchConstraints: everything,
        matchConditions: [
          { name: 'mine', expression: "request.userInfo.username != '' && request.name.startsWith('exempt-CASE')" },
        ],
      },
    ],
    bindings: [{ matchResources: { namespaceSelector: {} } }],
    steps: [
      post(`${own}/validatingadmissionpolicies`, {
        metadata: { name: 'exempt-CASE' },
        spec: { ...validation('true'), matchConstraints: rule({ operations: ['CONNECT'] }) },
      }),
      post(`${own}/validatingadmissionpolicybindings`, {
        metadata: { name: 'exempt-CASE' },
        spec: { policyName: 'nothing', validationActions: ['Deny'] },
      }),
      post(`${own}/validatingwebhookconfigurations`, { metadata: { name: 'exempt-CASE' } }),
      post(priorityClasses, clusterObject('exempt-CASE')),
      { method: 'DELETE', path: `${own}/validatingadmissionpolicies/exempt-CASE` },
      { method: 'DELETE', path: `${own}/validatingadmissionpolicybindings/exempt-CASE` },
    ],
  },
];

export const matchingCases: readonly PolicyCase[] = [
  ...rules,
  ...selectors,
  ...versions,
  ...['v1', 'v2'].map(seenVersion),
  ...subresources,
  ...verbs,
  ...clusterScoped,
  ...exempt,
];
