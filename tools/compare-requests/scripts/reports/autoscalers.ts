import { places } from '../../objects.ts';
import { script, type Step } from '../../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../../steps.ts';

const space = 'autoscalers';
const at = (version: string): string => `/apis/autoscaling/${version}/namespaces/${space}/horizontalpodautoscalers`;
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const scaler = (version: string, name: string, spec: object, metadata: object = {}): object => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name, ...metadata },
  spec: { scaleTargetRef: target, maxReplicas: 3, ...spec },
});
const resource = (name: string, of: object): object => ({ type: 'Resource', resource: { name, target: of } });
const average = (value: string): object => ({ type: 'AverageValue', averageValue: value });
const used = (percent: number): object => ({ type: 'Utilization', averageUtilization: percent });

/** Specs of v2. */
const specs: { readonly [name: string]: object } = {
  nothing: {},
  'a minimum': { minReplicas: 2 },
  'a minimum of zero': { minReplicas: 0 },
  'a minimum of null': { minReplicas: null },
  'a minimum above': { minReplicas: 9 },
  cpu: { metrics: [resource('cpu', used(50))] },
  memory: { metrics: [resource('memory', used(50))] },
  both: { metrics: [resource('memory', used(50)), resource('cpu', used(60))] },
  'cpu twice': { metrics: [resource('cpu', used(50)), resource('cpu', used(60))] },
  'an average of cpu': { metrics: [resource('cpu', average('500m'))] },
  'an average in another form': { metrics: [resource('cpu', average('0.5'))] },
  'an average of a number': {
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: 1 } } }],
  },
  'both of one': { metrics: [resource('cpu', { ...used(50), averageValue: '1' })] },
  'no target': { metrics: [{ type: 'Resource', resource: { name: 'cpu' } }] },
  'no type': { metrics: [{ resource: { name: 'cpu', target: used(50) } }] },
  'another type': { metrics: [{ type: 'Pods', resource: { name: 'cpu', target: used(50) } }] },
  'an unknown type': { metrics: [{ type: 'Nope' }] },
  pods: { metrics: [{ type: 'Pods', pods: { metric: { name: 'm' }, target: average('1k') } }] },
  'pods with a value': {
    metrics: [{ type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'Value', value: '5' } } }],
  },
  object: {
    metrics: [
      {
        type: 'Object',
        object: {
          metric: { name: 'm', selector: { matchLabels: { a: 'b' } } },
          describedObject: target,
          target: { type: 'Value', value: '5' },
        },
      },
    ],
  },
  external: { metrics: [{ type: 'External', external: { metric: { name: 'm' }, target: average('5') } }] },
  'external with both': {
    metrics: [
      {
        type: 'External',
        external: { metric: { name: 'm' }, target: { type: 'Value', value: '1', averageValue: '5' } },
      },
    ],
  },
  container: {
    metrics: [{ type: 'ContainerResource', containerResource: { name: 'cpu', container: 'c', target: used(50) } }],
  },
  'no metrics': { metrics: [] },
  'a behavior': { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } },
  'an empty behavior': { behavior: {} },
  policies: {
    behavior: {
      scaleUp: { policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] },
      scaleDown: { selectPolicy: 'Disabled' },
    },
  },
  'no policies': { behavior: { scaleUp: { policies: [] } } },
  'a long window': { behavior: { scaleUp: { stabilizationWindowSeconds: 3601 } } },
  'an unknown policy': {
    behavior: { scaleUp: { policies: [{ type: 'Nope', value: 0, periodSeconds: 0 }], selectPolicy: 'Most' } },
  },
  'a tolerance': { behavior: { scaleUp: { tolerance: '0.05' } } },
  'a negative tolerance': { behavior: { scaleUp: { tolerance: '-1' } } },
};
/** Annotations in which v1 keeps what it has no fields for. */
const notes: { readonly [name: string]: object } = {
  metrics: {
    'autoscaling.alpha.kubernetes.io/metrics':
      '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":70}}]',
  },
  'broken metrics': { 'autoscaling.alpha.kubernetes.io/metrics': '{' },
  'empty metrics': { 'autoscaling.alpha.kubernetes.io/metrics': '' },
  'a behavior': { 'autoscaling.alpha.kubernetes.io/behavior': '{"ScaleUp":{"StabilizationWindowSeconds":7}}' },
  'a broken behavior': { 'autoscaling.alpha.kubernetes.io/behavior': 'x' },
  conditions: { 'autoscaling.alpha.kubernetes.io/conditions': '[{"type":"X","status":"True"}]' },
  'current metrics': { 'autoscaling.alpha.kubernetes.io/current-metrics': '[]' },
};

function specSteps(spec: object, name: string, index: number): readonly Step[] {
  const own = `s${index}`;
  return [
    post(`v2: ${name}`, at('v2'), scaler('v2', own, spec)),
    get(`v2 through v1: ${name}`, `${at('v1')}/${own}`),
    put(
      `v1 puts it: ${name}`,
      `${at('v1')}/${own}`,
      scaler('v1', own, { minReplicas: 1 }, { annotations: { own: '1' } }),
    ),
    patch(`v1 merges: ${name}`, 'merge', `${at('v1')}/${own}`, { spec: { targetCPUUtilizationPercentage: 70 } }),
    get(`v2 after that: ${name}`, `${at('v2')}/${own}`),
    apply(`v2 applies: ${name}`, `${at('v2')}/a${index}?dryRun=All`, scaler('v2', `a${index}`, spec), 'one'),
  ];
}

const one = `${at('v2')}/owned`;
const path = places.deployments(space);

/** Reports: autoscalers through two versions, and annotations that hold what one of them lacks. */
export const autoscalers = script(
  'autoscalers',
  inNamespace(space),
  Object.entries(specs).flatMap(([name, spec], index) => specSteps(spec, name, index)),
  forEach(notes, (annotations, name) => {
    const own = `n-${name.replaceAll(' ', '-')}`;
    return [
      post(`v1 with ${name}`, at('v1'), scaler('v1', own, { targetCPUUtilizationPercentage: 50 }, { annotations })),
      get(`as v2: ${name}`, `${at('v2')}/${own}`),
      post(`v2 with ${name}`, at('v2'), scaler('v2', `${own}-2`, {}, { annotations })),
      get(`as v1: ${name}`, `${at('v1')}/${own}-2`),
      patch(`merged through v1: ${name}`, 'merge', `${at('v1')}/${own}-2`, { metadata: { annotations } }),
      patch(`merged through v2: ${name}`, 'merge', `${at('v2')}/${own}`, {
        metadata: { annotations: { ...annotations, own: 'x' } },
      }),
    ];
  }),
  // Owners of one object through both versions.
  apply('owned: applied as v2', one, scaler('v2', 'owned', { metrics: [resource('cpu', used(50))] }), 'two'),
  apply(
    'owned: applied as v1',
    `${at('v1')}/owned`,
    scaler('v1', 'owned', { targetCPUUtilizationPercentage: 60 }),
    'one',
  ),
  apply(
    'owned: applied as v1 with force',
    `${at('v1')}/owned`,
    scaler('v1', 'owned', { targetCPUUtilizationPercentage: 60 }),
    'one&force=true',
  ),
  apply('owned: applied as v2 again', one, scaler('v2', 'owned', { metrics: [resource('cpu', used(50))] }), 'two'),
  apply(
    'owned: applied as v2 with force',
    one,
    scaler('v2', 'owned', { metrics: [resource('memory', used(50))] }),
    'two&force=true',
  ),
  patch('owned: status as v1', 'merge', `${at('v1')}/owned/status`, {
    status: { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 5 },
  }),
  patch('owned: status as v2', 'merge', `${one}/status`, {
    status: {
      currentReplicas: 1,
      desiredReplicas: 3,
      currentMetrics: [],
      conditions: [{ type: 'AbleToScale', status: 'True' }],
    },
  }),
  get('owned: as v1', `${at('v1')}/owned`),
  get('owned: as v2', one),
  patch('owned: strategic', 'strategic', one, { spec: { metrics: [{ type: 'Resource', $patch: 'delete' }] } }),
  patch('owned: strategic through v1', 'strategic', `${at('v1')}/owned`, { spec: { maxReplicas: 7 } }),
  forEach({ v1: at('v1'), v2: at('v2'), v2beta1: at('v2beta1'), v2beta2: at('v2beta2') }, (collection, version) => [
    get(`list as ${version}`, `${collection}?limit=2`),
    get(`table as ${version}`, `${collection}/owned`, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }),
    get(`protobuf as ${version}`, `${collection}/owned`, { accept: 'application/vnd.kubernetes.protobuf' }),
  ]),
  remove('delete through v1', `${at('v1')}/owned`),
  get('no deployments', path),
);
