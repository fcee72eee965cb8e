import { get, inNamespace, post, put, scenario, type Step } from '../scenario.ts';
import { apply, configMap, merge } from './apply-step.ts';

const space = '/api/v1/namespaces/diff-sub';
const configMaps = `${space}/configmaps`;
const pods = `${space}/pods`;
const apps = '/apis/apps/v1/namespaces/diff-sub';
const selector = { matchLabels: { app: 'web' } };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'web:1' }] } };

function workload(kind: string, name: string, spec: object, more: object = {}): object {
  return { apiVersion: 'apps/v1', kind, metadata: { name }, spec, ...more };
}

function scale(name: string, spec: object | undefined, metadata: object = {}): object {
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, ...metadata }, ...(spec && { spec }) };
}

const kinds = [
  ['Deployment', 'deployments', {}],
  ['ReplicaSet', 'replicasets', {}],
  ['StatefulSet', 'statefulsets', { serviceName: 's' }],
] as const;

const scaleSteps: readonly Step[] = kinds.flatMap(([kind, plural, more]) => {
  const path = `${apps}/${plural}/${plural}`;
  const body = (spec: object): object => workload(kind, plural, { selector, template, ...more, ...spec });
  return [
    apply(`${kind}: create`, path, body({ replicas: 1 })),
    get(`${path}/scale`),
    apply(`${kind}: scale, conflict`, `${path}/scale`, scale(plural, { replicas: 2 }), 'two'),
    apply(`${kind}: scale, the same`, `${path}/scale`, scale(plural, { replicas: 1 }), 'two'),
    apply(`${kind}: scale, forced`, `${path}/scale`, scale(plural, { replicas: 2 }), 'two&force=true'),
    apply(`${kind}: the object with other replicas`, path, body({ replicas: 3 })),
    apply(`${kind}: the object without replicas`, path, body({})),
    apply(`${kind}: scale without replicas`, `${path}/scale`, scale(plural, undefined), 'two'),
    apply(`${kind}: scale with nothing`, `${path}/scale`, scale(plural, {}), 'two'),
    merge(`${kind}: scale patched`, `${path}/scale`, { spec: { replicas: 4 } }, '?fieldManager=hpa'),
    apply(`${kind}: scale by dry run`, `${path}/scale`, scale(plural, { replicas: 5 }), 'two&force=true&dryRun=All'),
    apply(`${kind}: scale, negative`, `${path}/scale`, scale(plural, { replicas: -1 }), 'two&force=true'),
    apply(`${kind}: scale, a text`, `${path}/scale`, scale(plural, { replicas: 'x' }), 'two&force=true'),
    apply(`${kind}: scale, unknown`, `${path}/scale`, scale(plural, { replica: 1 }), 'two&force=true'),
    apply(`${kind}: scale as the object`, `${path}/scale`, body({ replicas: 1 }), 'two&force=true'),
    apply(`${kind}: scale, another name`, `${path}/scale`, scale('other', { replicas: 1 }), 'two&force=true'),
    apply(`${kind}: scale, another version`, `${path}/scale`, {
      apiVersion: 'extensions/v1beta1',
      kind: 'Scale',
      metadata: { name: plural },
      spec: { replicas: 1 },
    }),
    apply(
      `${kind}: scale, stale`,
      `${path}/scale`,
      scale(plural, { replicas: 1 }, { resourceVersion: '1' }),
      'two&force=true',
    ),
    apply(`${kind}: scale, entries`, `${path}/scale`, scale(plural, { replicas: 1 }, { managedFields: [{}] }), 'two'),
    merge(`${kind}: scale, reset by patch`, `${path}/scale`, { metadata: { managedFields: [{}] } }),
    merge(`${kind}: status`, `${path}/status`, { status: { replicas: 2 } }, '?fieldManager=controller'),
    apply(
      `${kind}: status, conflict`,
      `${path}/status`,
      workload(kind, plural, {}, { status: { replicas: 3 } }),
      'two',
    ),
    apply(
      `${kind}: status and spec, forced`,
      `${path}/status`,
      workload(kind, plural, { replicas: 9 }, { status: { replicas: 3 } }),
      'two&force=true',
    ),
    apply(`${kind}: status gone`, `${path}/status`, workload(kind, plural, {}), 'two'),
    put(`${kind}: status replaced`, `${path}/status?fieldManager=put`, {
      ...body({ replicas: 8 }),
      status: { replicas: 5 },
    }),
    merge(`${kind}: status, reset by patch`, `${path}/status`, {
      metadata: { managedFields: [{}], labels: { a: 'b' } },
      status: { replicas: 6 },
    }),
    get(path),
  ];
});

const pod = (spec: object, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec,
  ...more,
});
const container = { name: 'c', image: 'x', resources: { requests: { cpu: '1' } } };

const podSteps: readonly Step[] = [
  apply('pod', `${pods}/p`, pod({ containers: [container] })),
  apply(
    'ephemeral container',
    `${pods}/p/ephemeralcontainers`,
    pod({ ephemeralContainers: [{ name: 'debug', image: 'y' }] }),
    'debugger',
  ),
  apply(
    'another ephemeral container',
    `${pods}/p/ephemeralcontainers`,
    pod({ ephemeralContainers: [{ name: 'more', image: 'y' }] }),
    'two',
  ),
  apply('no ephemeral container', `${pods}/p/ephemeralcontainers`, pod({}), 'debugger'),
  apply(
    'ephemeral container through the pod',
    `${pods}/p`,
    pod({ containers: [container], ephemeralContainers: [{ name: 'odd', image: 'y' }] }),
  ),
  merge(
    'patched ephemeral containers',
    `${pods}/p/ephemeralcontainers`,
    { spec: { ephemeralContainers: [{ name: 'third', image: 'z' }] } },
    '?fieldManager=patcher',
  ),
  apply(
    'resize, conflict',
    `${pods}/p/resize`,
    pod({ containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }] }),
    'two',
  ),
  apply(
    'resize',
    `${pods}/p/resize`,
    pod({ containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }] }),
    'two&force=true',
  ),
  apply(
    'resize of the image',
    `${pods}/p/resize`,
    pod({ containers: [{ name: 'c', image: 'other' }] }),
    'two&force=true',
  ),
  merge(
    'patched resize',
    `${pods}/p/resize`,
    { spec: { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '3' } } }] } },
    '?fieldManager=patcher',
  ),
  apply('status', `${pods}/p/status`, pod({}, { status: { phase: 'Running' } }), 'kubelet'),
  apply(
    'a condition',
    `${pods}/p/status`,
    pod({}, { status: { conditions: [{ type: 'example.com/x', status: 'True' }] } }),
    'gate',
  ),
  apply(
    'a condition of the same type',
    `${pods}/p/status`,
    pod({}, { status: { conditions: [{ type: 'example.com/x', status: 'False' }] } }),
    'other',
  ),
  apply('no condition', `${pods}/p/status`, pod({}), 'gate'),
  apply('eviction', `${pods}/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } }),
  apply('binding', `${pods}/p/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' } }),
  apply('log', `${pods}/p/log`, {}),
  apply('token', `${space}/serviceaccounts/default/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
  }),
  post(
    'bind',
    `${pods}/p/binding?fieldManager=scheduler`,
    { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'diff-sub-node' } },
    {},
  ),
  get(`${pods}/p`),
  apply('no pod: ephemeral containers', `${pods}/none/ephemeralcontainers`, {
    ...pod({ ephemeralContainers: [] }),
    metadata: { name: 'none' },
  }),
  apply('no pod: resize', `${pods}/none/resize`, { ...pod({}), metadata: { name: 'none' } }),
  apply('namespace', '/api/v1/namespaces/diff-sub', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'diff-sub', labels: { a: 'b' } },
  }),
  apply('namespace, finalize', '/api/v1/namespaces/diff-sub/finalize', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'diff-sub' },
    spec: { finalizers: ['kubernetes'] },
  }),
];

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

function lastApplied(data: object, more: object = {}): string {
  const metadata = { annotations: {}, name: 'k', namespace: 'diff-sub' };
  return `${JSON.stringify({ apiVersion: 'v1', data, kind: 'ConfigMap', metadata, ...more })}\n`;
}

/** State left by a client-side apply, and applies by others. */
function clientSide(name: string, text: string, data: object = { a: '1', b: '1' }): Step {
  const body = configMap(data, { name, annotations: { [annotation]: text } });
  return post(`${name}: client-side`, `${configMaps}?fieldManager=kubectl-client-side-apply`, body);
}

const annotations: readonly (readonly [string, string])[] = [
  ['right', lastApplied({ a: '1', b: '1' })],
  ['changed since', lastApplied({ a: '0', b: '1' })],
  ['of-less', lastApplied({ a: '1' })],
  ['of-more', lastApplied({ a: '1', b: '1', z: '1' })],
  ['no-json', '{"apiVersion"'],
  ['empty', ''],
  ['a-list', '[]'],
  ['no-kind', lastApplied({ a: '1', b: '1' }, { kind: undefined })],
  ['other-kind', lastApplied({ a: '1', b: '1' }, { kind: 'Secret' })],
  ['other-version', lastApplied({ a: '1', b: '1' }, { apiVersion: 'v2' })],
  ['unknown-fields', lastApplied({ a: '1', b: '1' }, { unknown: 1 })],
  ['wrong-types', lastApplied({ a: 1, b: ['1'] })],
];

const takeoverSteps: readonly Step[] = annotations.flatMap(([what, text]) => {
  const name = what.replaceAll(' ', '-');
  const path = `${configMaps}/${name}`;
  return [
    clientSide(name, text),
    apply(`${name}: kubectl changes a`, path, configMap({ a: '2', b: '1' }, { name }), 'kubectl'),
    merge(`${name}: another changes b`, path, { data: { b: '3' } }, '?fieldManager=other'),
    apply(`${name}: kubectl changes both`, path, configMap({ a: '4', b: '4' }, { name }), 'kubectl'),
    apply(`${name}: kubectl without b`, path, configMap({ a: '4' }, { name }), 'kubectl'),
    apply(`${name}: somebody changes a`, path, configMap({ a: '5' }, { name }), 'somebody'),
    apply(`${name}: somebody forces`, path, configMap({ a: '5' }, { name }), 'somebody&force=true'),
    apply(`${name}: kubectl after it`, path, configMap({ a: '6', c: '6' }, { name }), 'kubectl'),
    apply(
      `${name}: kubectl with an annotation of its own`,
      path,
      configMap({ a: '5' }, { name, annotations: { [annotation]: 'own', x: 'y' } }),
      'kubectl',
    ),
  ];
});

const autoscaling = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/diff-sub/horizontalpodautoscalers/h`;
const target = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' };

function autoscaler(version: string, spec: object, metadata: object = {}): object {
  return {
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h', ...metadata },
    spec,
  };
}

const cpu = (value: number): object => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: value } },
});

/** A kind in two versions with different field paths. */
const versionSteps: readonly Step[] = [
  apply(
    'v1 creates',
    autoscaling('v1'),
    autoscaler('v1', { maxReplicas: 3, scaleTargetRef: target, targetCPUUtilizationPercentage: 70 }),
  ),
  apply('v2 with other metrics', autoscaling('v2'), autoscaler('v2', { metrics: [cpu(50)] }), 'two'),
  apply('v2 with the same metrics', autoscaling('v2'), autoscaler('v2', { metrics: [cpu(70)] }), 'two'),
  apply('v2 forces', autoscaling('v2'), autoscaler('v2', { metrics: [cpu(50)] }), 'two&force=true'),
  get(autoscaling('v1')),
  apply('v1 again', autoscaling('v1'), autoscaler('v1', { maxReplicas: 3, scaleTargetRef: target })),
  apply('v1 with the percentage', autoscaling('v1'), autoscaler('v1', { targetCPUUtilizationPercentage: 60 }), 'three'),
  apply('the first one in v2', autoscaling('v2'), autoscaler('v2', { maxReplicas: 4, scaleTargetRef: target })),
  merge('an update in v1', autoscaling('v1'), { spec: { minReplicas: 2 } }, '?fieldManager=updater'),
  merge('an update in v2', autoscaling('v2'), { spec: { minReplicas: 3 } }, '?fieldManager=updater'),
  merge(
    'behavior in v2',
    autoscaling('v2'),
    { spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } } },
    '?fieldManager=updater',
  ),
  apply('a label in v1', autoscaling('v1'), autoscaler('v1', {}, { labels: { a: 'b' } }), 'labels'),
  apply('no label in v2', autoscaling('v2'), autoscaler('v2', {}), 'labels'),
  merge('a status in v2', `${autoscaling('v2')}/status`, {
    status: { currentReplicas: 1, desiredReplicas: 2, currentMetrics: null, conditions: [] },
  }),
  apply('a removed version', autoscaling('v2beta2'), autoscaler('v2beta2', { maxReplicas: 4 })),
  put('entries of removed versions', `${autoscaling('v2')}?fieldManager=put`, {
    ...autoscaler(
      'v2',
      { maxReplicas: 5, scaleTargetRef: target },
      {
        managedFields: ['v1', 'v2', 'v2beta2'].map((version) => ({
          manager: version,
          operation: 'Apply',
          apiVersion: `autoscaling/${version}`,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:maxReplicas': {} } },
        })),
      },
    ),
  }),
  merge('a change after them', autoscaling('v2'), { spec: { maxReplicas: 6 } }, '?fieldManager=updater'),
  apply('nothing after them', autoscaling('v1'), autoscaler('v1', {}), 'v1'),
  get(autoscaling('v2')),
];

/** Applies of subresources, after client-side applies, and in several versions. */
export const applySubresources = scenario('apply-subresources', [
  inNamespace('diff-sub'),
  ...scaleSteps,
  ...podSteps,
  ...takeoverSteps,
  ...versionSteps,
]);
