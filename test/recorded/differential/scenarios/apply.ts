import { get, inNamespace, post, put, remove, scenario, type Step } from '../scenario.ts';

const space = '/api/v1/namespaces/diff-apply';
const deployments = '/apis/apps/v1/namespaces/diff-apply/deployments';
const configMaps = `${space}/configmaps`;
const services = `${space}/services`;
const pods = `${space}/pods`;

/** An apply; `by` is the manager, optionally followed by more query parameters. */
function apply(name: string, path: string, body: unknown, by = 'one'): Step {
  const contentType = 'application/apply-patch+yaml';
  return { name, method: 'PATCH', path: `${path}?fieldManager=${by}`, body, contentType };
}

function merge(name: string, path: string, body: unknown, query = ''): Step {
  return { name, method: 'PATCH', path: `${path}${query}`, body, contentType: 'application/merge-patch+json' };
}

function deployment(spec: object, metadata: object = {}): object {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', ...metadata }, spec };
}

const template = (containers: readonly object[]): object => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers },
});
const selector = { matchLabels: { app: 'web' } };
const image = (tag: string): object => ({ name: 'c', image: `web:${tag}` });
const web = (extra: object = {}): object => deployment({ selector, template: template([image('1')]), ...extra });

const deploymentSteps: readonly Step[] = [
  apply('create', `${deployments}/web`, web({ replicas: 2 })),
  apply('nothing new', `${deployments}/web`, web({ replicas: 2 })),
  apply(
    'another image, same manager',
    `${deployments}/web`,
    deployment({ replicas: 2, selector, template: template([image('2')]) }),
  ),
  apply('conflict', `${deployments}/web`, web({ replicas: 3 }), 'two'),
  apply('shared', `${deployments}/web`, deployment({ replicas: 2 }), 'two'),
  apply(
    'conflict over what is shared',
    `${deployments}/web`,
    deployment({ replicas: 4, selector, template: template([image('2')]) }),
  ),
  apply('force', `${deployments}/web`, web({ replicas: 3 }), 'two&force=true'),
  apply('give up replicas', `${deployments}/web`, deployment({ selector, template: template([image('1')]) })),
  apply(
    'give up replicas, the last owner',
    `${deployments}/web`,
    deployment({ selector, template: template([image('1')]) }),
    'two',
  ),
  apply(
    'a second container',
    `${deployments}/web`,
    deployment({
      template: template([
        { name: 'd', image: 'side:1', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] },
      ]),
    }),
    'side',
  ),
  apply(
    'a port less',
    `${deployments}/web`,
    deployment({ template: template([{ name: 'd', image: 'side:1', ports: [{ containerPort: 80 }] }]) }),
    'side',
  ),
  apply('no container', `${deployments}/web`, deployment({}), 'side'),
  merge('scale by patch', `${deployments}/web`, { spec: { replicas: 5 } }),
  put('scale by scale', `${deployments}/web/scale?fieldManager=scaler`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web', namespace: 'diff-apply' },
    spec: { replicas: 6 },
  }),
  get(`${deployments}/web`),
  apply(
    'apply a scale',
    `${deployments}/web/scale`,
    { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 7 } },
    'applier',
  ),
  apply(
    'apply a scale by force',
    `${deployments}/web/scale`,
    { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 7 } },
    'applier&force=true',
  ),
  get(`${deployments}/web`),
  merge('patch a scale', `${deployments}/web/scale`, { spec: { replicas: 8 } }, '?fieldManager=applier'),
  get(`${deployments}/web`),
  merge(
    'status',
    `${deployments}/web/status`,
    { status: { replicas: 1, observedGeneration: 1 } },
    '?fieldManager=kubelet',
  ),
  apply(
    'status by apply',
    `${deployments}/web/status`,
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, status: { replicas: 2 } },
    'controller&force=true',
  ),
  apply(
    'status through the object',
    `${deployments}/web`,
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, status: { replicas: 4 } },
    'odd',
  ),
  apply(
    'spec through the status',
    `${deployments}/web/status`,
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { paused: true } },
    'odd',
  ),
  apply('scale of what is not there', `${deployments}/none/scale`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'none' },
    spec: { replicas: 7 },
  }),
  apply('status of what is not there', `${deployments}/none/status`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'none' },
    status: { replicas: 4 },
  }),
  merge('reset', `${deployments}/web`, { metadata: { managedFields: [{}] } }),
  apply('before the first apply', `${deployments}/web`, web(), 'late'),
  apply('a strategy', `${deployments}/web`, deployment({ strategy: { type: 'Recreate' } }), 'late2&force=true'),
  remove('delete', `${deployments}/web`),
];

const config = (data: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
});

const errorSteps: readonly Step[] = [
  { ...apply('no manager', `${configMaps}/a`, config({})), path: `${configMaps}/a` },
  apply(
    'managed fields in the body',
    `${configMaps}/a`,
    config(
      {},
      { managedFields: [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }] },
    ),
  ),
  apply('another kind', `${configMaps}/a`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
  apply('another version', `${configMaps}/a`, { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } }),
  apply('a kind of another group', `${deployments}/a`, {
    apiVersion: 'extensions/v1beta1',
    kind: 'Deployment',
    metadata: { name: 'a' },
  }),
  apply('no kind', `${configMaps}/a`, { metadata: { name: 'a' } }),
  apply('no name', `${configMaps}/a`, { apiVersion: 'v1', kind: 'ConfigMap', data: {} }),
  apply('another name', `${configMaps}/a`, config({}, { name: 'b' })),
  apply('another namespace', `${configMaps}/a`, config({}, { namespace: 'default' })),
  apply('a list', `${configMaps}/a`, '[1]'),
  apply('a text', `${configMaps}/a`, 'text'),
  apply('nothing', `${configMaps}/a`, ''),
  apply('an unknown field', `${deployments}/a`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { replica: 1 },
  }),
  apply('a text for a number', `${deployments}/a`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { replicas: '1' },
  }),
  apply('a number for a text', `${configMaps}/a`, config({ a: 1 })),
  apply('a map for a list', `${pods}/a`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: { name: 'x' } },
  }),
  apply('a list for a map', `${pods}/a`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: [1] }),
  apply('a large number for a text', `${configMaps}/a`, config({ a: 1234567 })),
  apply('a map for a text', `${configMaps}/a`, config({ a: { b: [1, 'x', null, true] } })),
  apply('a text for a boolean', `${configMaps}/a`, { ...config({}), immutable: 'yes' }),
  apply('duplicates', `${pods}/a`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: {
      containers: [
        { name: 'x', image: 'x' },
        { name: 'x', image: 'y' },
      ],
    },
  }),
  apply('an invalid object', `${pods}/a`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'x' }] },
  }),
  apply('an item without a key', `${pods}/a`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'x', image: 'x', volumeMounts: [{ name: 'v' }] }] },
  }),
  apply(
    'repeated keys',
    `${configMaps}/a`,
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: x, a: y}\n',
  ),
  apply(
    'repeated keys, strictly',
    `${configMaps}/a`,
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: x, a: z}\n',
    'one&fieldValidation=Strict',
  ),
  apply(
    'repeated keys, ignored',
    `${configMaps}/a`,
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: x, a: z}\n',
    'one&fieldValidation=Ignore',
  ),
  apply(
    'repeated keys, told',
    `${configMaps}/a`,
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: v\n  a: w\n  b: v\n  b: w\n',
    'one&fieldValidation=Warn',
  ),
  apply(
    'a uid and no object',
    `${configMaps}/b`,
    config({}, { name: 'b', uid: '11111111-2222-3333-4444-555555555555' }),
  ),
  apply('a stale version', `${configMaps}/a`, config({ a: 'v' }, { resourceVersion: '1' })),
  apply('dry run', `${configMaps}/dry`, config({ a: 'v' }, { name: 'dry' }), 'one&dryRun=All'),
  get(`${configMaps}/dry`),
];

const configSteps: readonly Step[] = [
  apply('several', `${configMaps}/m`, config({ a: '1', b: '1', c: '1' }, { name: 'm' })),
  apply('several conflicts', `${configMaps}/m`, config({ a: '2', b: '2', d: '2' }, { name: 'm' }), 'two'),
  apply('one conflict', `${configMaps}/m`, config({ a: '2' }, { name: 'm' }), 'two'),
  merge('an updater', `${configMaps}/m`, { data: { c: '3', e: '3' } }, '?fieldManager=three'),
  apply('conflict with an updater', `${configMaps}/m`, config({ a: '1', b: '1', c: '1' }, { name: 'm' })),
  apply('conflicts with two', `${configMaps}/m`, config({ a: '9', c: '9', e: '9' }, { name: 'm' }), 'four'),
  apply(
    'fewer keys',
    `${configMaps}/m`,
    config({ a: '1' }, { name: 'm', labels: { x: 'y' }, annotations: { n: 'm' } }),
  ),
  apply('no data at all', `${configMaps}/m`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'm', finalizers: ['example.com/one'] },
  }),
  apply(
    'another finalizer',
    `${configMaps}/m`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', finalizers: ['example.com/two'] } },
    'two',
  ),
  apply('the first finalizer goes', `${configMaps}/m`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'm' },
  }),
  merge('an empty list of entries', `${configMaps}/m`, { metadata: { managedFields: [] } }, '?fieldManager=five'),
  put('an empty list of entries, replaced', `${configMaps}/m`, {
    metadata: { name: 'm', managedFields: [] },
    data: { p: 'q' },
  }),
  put('one empty entry', `${configMaps}/m`, { metadata: { name: 'm', managedFields: [{}] }, data: { p: 'q' } }),
  put('nobody keeps track', `${configMaps}/m`, { metadata: { name: 'm' }, data: { p: 'r' } }),
  put('entries of a client', `${configMaps}/m`, {
    metadata: {
      name: 'm',
      managedFields: [
        {
          manager: 'me',
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:p': {}, 'f:a': {} } },
        },
      ],
    },
    data: { p: 'r' },
  }),
  put('an invalid entry', `${configMaps}/m`, {
    metadata: {
      name: 'm',
      managedFields: [{ manager: 'me', operation: 'Nothing', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
    },
    data: { p: 's' },
  }),
  put('an entry of another version', `${configMaps}/m`, {
    metadata: {
      name: 'm',
      managedFields: [
        {
          manager: 'me',
          operation: 'Update',
          apiVersion: 'v9',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:p': {} } },
        },
        {
          manager: 'you',
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:p': {} } },
        },
      ],
    },
    data: { p: 's' },
  }),
  merge('a change after it', `${configMaps}/m`, { data: { z: 'z' } }),
  post('created with entries', configMaps, {
    metadata: {
      name: 'n',
      managedFields: [
        {
          manager: 'me',
          operation: 'Apply',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:p': {}, 'f:a': {} } },
        },
      ],
    },
    data: { p: 'r' },
  }),
  post('created by a manager', `${configMaps}?fieldManager=maker`, { metadata: { name: 'o' }, data: { p: 'r' } }),
  post(
    'created by an odd agent',
    configMaps,
    { metadata: { name: 'p' }, data: { p: 'r' } },
    { headers: { 'user-agent': 'odd agent\u00a0é (x)/1.0 (linux)' } },
  ),
  ...Array.from({ length: 12 }, (_, i) =>
    merge(`updater ${i}`, `${configMaps}/o`, { data: { [`k${i}`]: 'v' } }, `?fieldManager=u${10 + i}`),
  ),
  remove('delete with finalizers', `${configMaps}/m`),
];

const lastApplied = (data: object): string =>
  `${JSON.stringify({ apiVersion: 'v1', data, kind: 'ConfigMap', metadata: { annotations: {}, name: 'k', namespace: 'diff-apply' } })}\n`;

const takeoverSteps: readonly Step[] = [
  post(
    'client-side',
    `${configMaps}?fieldManager=kubectl-client-side-apply`,
    config(
      { a: '1', b: '1' },
      {
        name: 'k',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': lastApplied({ a: '1', b: '1' }) },
      },
    ),
  ),
  merge('another changes b', `${configMaps}/k`, { data: { b: '2' } }, '?fieldManager=other'),
  apply('kubectl, changing a', `${configMaps}/k`, config({ a: '3' }, { name: 'k' }), 'kubectl'),
  apply('kubectl, changing both', `${configMaps}/k`, config({ a: '4', b: '4' }, { name: 'k' }), 'kubectl'),
  apply('not kubectl', `${configMaps}/k`, config({ a: '5' }, { name: 'k' }), 'someone'),
];

const serviceSteps: readonly Step[] = [
  apply('service', `${services}/s`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { selector: { a: 'b' }, ports: [{ port: 80, name: 'http' }] },
  }),
  apply(
    'another port',
    `${services}/s`,
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        ports: [
          { port: 81, name: 'alt' },
          { port: 53, protocol: 'UDP', name: 'dns' },
        ],
      },
    },
    'two',
  ),
  apply('port 80 goes', `${services}/s`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { selector: { a: 'b' } },
  }),
  apply('node', '/api/v1/nodes/diff-apply-node', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'diff-apply-node', labels: { a: 'b' } },
    spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] },
  }),
  merge(
    'node status',
    '/api/v1/nodes/diff-apply-node/status',
    { status: { capacity: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] } },
    '?fieldManager=kubelet',
  ),
  apply('pod', `${pods}/p`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: {
      containers: [
        {
          name: 'c',
          image: 'x',
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
        },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    },
  }),
  apply('pod, an immutable field', `${pods}/p`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: {
      containers: [
        { name: 'c', image: 'x', env: [{ name: 'B', value: '2' }], volumeMounts: [{ name: 'v', mountPath: '/v' }] },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    },
  }),
  merge(
    'pod status',
    `${pods}/p/status`,
    { status: { phase: 'Running', podIPs: [{ ip: '10.0.0.1' }] } },
    '?fieldManager=kubelet',
  ),
  apply('role without rules', '/apis/rbac.authorization.k8s.io/v1/namespaces/diff-apply/roles/r', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'r' },
  }),
  apply('secret', `${space}/secrets/s`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
    stringData: { a: 'b' },
    data: { c: 'ZA==' },
  }),
  apply('autoscaler, v1', '/apis/autoscaling/v1/namespaces/diff-apply/horizontalpodautoscalers/h', {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h' },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' },
      targetCPUUtilizationPercentage: 70,
    },
  }),
  apply(
    'autoscaler, v2',
    '/apis/autoscaling/v2/namespaces/diff-apply/horizontalpodautoscalers/h',
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { maxReplicas: 4, minReplicas: 2 },
    },
    'two',
  ),
  apply(
    'autoscaler, v2, by force',
    '/apis/autoscaling/v2/namespaces/diff-apply/horizontalpodautoscalers/h',
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { maxReplicas: 4, minReplicas: 2 },
    },
    'two&force=true',
  ),
  apply('autoscaler, v2, by the first', '/apis/autoscaling/v2/namespaces/diff-apply/horizontalpodautoscalers/h', {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h' },
    spec: { maxReplicas: 4, scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' } },
  }),
  apply('daemon set', '/apis/apps/v1/namespaces/diff-apply/daemonsets/d', {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'd' },
    spec: { selector, template: template([image('1')]) },
  }),
];

/** Server-side apply: ownership, conflicts, removal, errors. */
export const applies = scenario('apply', [
  inNamespace('diff-apply'),
  ...deploymentSteps,
  ...errorSteps,
  ...configSteps,
  ...takeoverSteps,
  ...serviceSteps,
]);
