import { configDefaults } from '../../../../src/server/config.ts';
import { get, inNamespace, patch, post, put, remove, scenario, type Step } from '../../differential/scenario.ts';
import type { Suite } from '../suite.ts';

type Amounts = { readonly [resource: string]: string };

const root = (namespace: string): string => `/api/v1/namespaces/${namespace}`;

function quota(name: string, hard: Amounts, spec: object = {}): object {
  return { metadata: { name }, spec: { hard, ...spec } };
}

/** Makes a quota and waits until it is known what is used. */
function makeQuota(namespace: string, name: string, hard: Amounts, spec: object = {}): readonly Step[] {
  const path = `${root(namespace)}/resourcequotas`;
  return [
    post(`create ${namespace}/${name}`, path, quota(name, hard, spec)),
    get(`${path}/${name}`, { name: `count ${namespace}/${name}`, until: '"used":{' }),
  ];
}

function used(namespace: string, name: string, until: string): Step {
  return get(`${root(namespace)}/resourcequotas/${name}`, { name: `used of ${namespace}/${name}: ${until}`, until });
}

function container(requests?: Amounts, limits?: Amounts, rest: object = {}): object {
  return { name: 'c', image: 'i', resources: { ...(requests && { requests }), ...(limits && { limits }) }, ...rest };
}

function pod(name: string, containers: readonly object[], spec: object = {}): object {
  return { metadata: { name }, spec: { containers, ...spec } };
}

function claim(name: string, storage: string, spec: object = {}): object {
  return {
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
  };
}

const compute = 'quota-compute';
const computeSteps: readonly Step[] = [
  inNamespace(compute),
  ...makeQuota(compute, 'compute', {
    pods: '3',
    'requests.cpu': '1',
    'limits.memory': '1Gi',
    'requests.example.com/gpu': '2',
    'hugepages-2Mi': '4Mi',
  }),
  post('no requests', `${root(compute)}/pods`, pod('none', [container()])),
  post(
    'several containers say nothing',
    `${root(compute)}/pods`,
    pod('none', [container({ cpu: '1' }), container({}, {}, { name: 'd' })], {
      initContainers: [container({}, { memory: '1' }, { name: 'a' })],
    }),
  ),
  post('a dry run', `${root(compute)}/pods?dryRun=All`, pod('dry', [container({ cpu: '1' }, { memory: '1Gi' })])),
  post(
    'a dry run of too much',
    `${root(compute)}/pods?dryRun=All`,
    pod('dry', [container({ cpu: '2' }, { memory: '1Gi' })]),
  ),
  post('enough', `${root(compute)}/pods`, pod('one', [container({ cpu: '500m' }, { memory: '512Mi' })])),
  used(compute, 'compute', '"requests.cpu":"500m"'),
  post('too much processor', `${root(compute)}/pods`, pod('two', [container({ cpu: '501m' }, { memory: '1Mi' })])),
  post(
    'too much of two',
    `${root(compute)}/pods`,
    pod('two', [
      container({ cpu: '0.6' }, { memory: '1G' }),
      container({ cpu: '1' }, { memory: '1Mi' }, { name: 'd' }),
    ]),
  ),
  post('a generated name', `${root(compute)}/pods`, {
    metadata: { generateName: 'gen-' },
    spec: { containers: [container({ cpu: '2' }, { memory: '1Mi' })] },
  }),
  post(
    'devices',
    `${root(compute)}/pods`,
    pod('gpu', [container({ cpu: '0', 'example.com/gpu': '3' }, { memory: '0', 'example.com/gpu': '3' })]),
  ),
  post(
    'large pages',
    `${root(compute)}/pods`,
    pod('pages', [container({ cpu: '0', 'hugepages-2Mi': '6Mi' }, { memory: '0', 'hugepages-2Mi': '6Mi' })]),
  ),
  post(
    'init containers and overhead',
    `${root(compute)}/pods`,
    pod('two', [container({ cpu: '100m' }, { memory: '10Mi' })], {
      initContainers: [
        container({ cpu: '100m' }, { memory: '10Mi' }, { name: 'i', restartPolicy: 'Always' }),
        container({ cpu: '200m' }, { memory: '20Mi' }, { name: 'j' }),
      ],
    }),
  ),
  used(compute, 'compute', '"requests.cpu":"800m"'),
  post(
    'the pod as a whole',
    `${root(compute)}/pods`,
    pod('whole', [container()], { resources: { requests: { cpu: '100m' }, limits: { cpu: '300m', memory: '1Mi' } } }),
  ),
  used(compute, 'compute', '"requests.cpu":"900m"'),
  post('one too many', `${root(compute)}/pods`, pod('four', [container({ cpu: '0' }, { memory: '0' })])),
  patch('a label', `${root(compute)}/pods/one`, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } }),
  patch('grow beyond', `${root(compute)}/pods/one/resize`, {
    type: 'strategic',
    body: { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '700m' } } }] } },
  }),
  patch('grow', `${root(compute)}/pods/one/resize`, {
    type: 'strategic',
    body: { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '600m' } } }] } },
  }),
  used(compute, 'compute', '"requests.cpu":"1"'),
  patch('end', `${root(compute)}/pods/two/status`, { type: 'merge', body: { status: { phase: 'Succeeded' } } }),
  used(compute, 'compute', '"pods":"2"'),
  remove('delete one', `${root(compute)}/pods/one?gracePeriodSeconds=0`),
  used(compute, 'compute', '"pods":"1"'),
  patch('a smaller quota', `${root(compute)}/resourcequotas/compute`, {
    type: 'merge',
    body: { spec: { hard: { pods: '1', 'requests.example.com/gpu': null, 'count/pods': '9' } } },
  }),
  used(compute, 'compute', '"count/pods":"2"'),
  post('none left', `${root(compute)}/pods`, pod('last', [container({ cpu: '0' }, { memory: '0' })])),
];

const scopes = 'quota-scopes';
const scopeSteps: readonly Step[] = [
  inNamespace(scopes),
  post('a class', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'quota-high' }, value: 7 }),
  ...makeQuota(scopes, 'best-effort', { pods: '1' }, { scopes: ['BestEffort'] }),
  ...makeQuota(scopes, 'not-best-effort', { pods: '1', 'requests.cpu': '1' }, { scopes: ['NotBestEffort'] }),
  ...makeQuota(scopes, 'terminating', { pods: '2' }, { scopes: ['Terminating'] }),
  ...makeQuota(scopes, 'not-terminating', { 'limits.cpu': '1' }, { scopes: ['NotTerminating', 'NotBestEffort'] }),
  ...makeQuota(
    scopes,
    'high',
    { pods: '1' },
    { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['quota-high'] }] } },
  ),
  ...makeQuota(
    scopes,
    'other',
    { pods: '9' },
    {
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['quota-high'] }] },
    },
  ),
  ...makeQuota(
    scopes,
    'across',
    { pods: '0' },
    { scopeSelector: { matchExpressions: [{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }] } },
  ),
  post('best effort', `${root(scopes)}/pods`, pod('best', [container()])),
  post('another best effort', `${root(scopes)}/pods`, pod('best-too', [container()])),
  post('not best effort', `${root(scopes)}/pods`, pod('not-best', [container({ cpu: '1' })])),
  post('said', `${root(scopes)}/pods`, pod('not-best', [container({ cpu: '1' }, { cpu: '1' })])),
  post('another', `${root(scopes)}/pods`, pod('not-best-too', [container({ cpu: '1' }, { cpu: '1' })])),
  post(
    'terminating',
    `${root(scopes)}/pods`,
    pod('ending', [container({ memory: '1', cpu: '1m' })], { activeDeadlineSeconds: 9 }),
  ),
  remove('delete not-best', `${root(scopes)}/pods/not-best?gracePeriodSeconds=0`),
  used(scopes, 'not-best-effort', '"pods":"0"'),
  post(
    'terminating now',
    `${root(scopes)}/pods`,
    pod('ending', [container({ cpu: '1m' })], { activeDeadlineSeconds: 9 }),
  ),
  used(scopes, 'terminating', '"pods":"1"'),
  remove('delete best', `${root(scopes)}/pods/best?gracePeriodSeconds=0`),
  used(scopes, 'best-effort', '"pods":"0"'),
  post('high', `${root(scopes)}/pods`, pod('high', [container()], { priorityClassName: 'quota-high' })),
  used(scopes, 'high', '"pods":"1"'),
  remove('delete high', `${root(scopes)}/pods/high?gracePeriodSeconds=0`),
  used(scopes, 'high', '"pods":"0"'),
  used(scopes, 'best-effort', '"pods":"0"'),
  post(
    'across namespaces',
    `${root(scopes)}/pods`,
    pod('across', [container()], {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { a: 'b' } }, topologyKey: 'zone', namespaces: ['other'] },
          ],
        },
      },
    }),
  ),
  patch('ends after all', `${root(scopes)}/pods/ending`, {
    type: 'merge',
    body: { spec: { activeDeadlineSeconds: 5 } },
  }),
  used(scopes, 'other', '"pods":"1"'),
];

const things = 'quota-things';
const device = (name: string, exactly: object): object => ({
  metadata: { name },
  spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'quota-gpu', ...exactly } }] } },
});
const claims = `${root(things)}/persistentvolumeclaims`;
const deviceClaims = `/apis/resource.k8s.io/v1/namespaces/${things}/resourceclaims`;
const thingSteps: readonly Step[] = [
  inNamespace(things),
  ...makeQuota(things, 'services', { services: '3', 'services.nodeports': '2', 'services.loadbalancers': '1' }),
  post('a service', `${root(things)}/services`, { metadata: { name: 'plain' }, spec: { ports: [{ port: 1 }] } }),
  used(things, 'services', '"services":"1"'),
  patch('with node ports', `${root(things)}/services/plain`, { type: 'merge', body: { spec: { type: 'NodePort' } } }),
  used(things, 'services', '"services.nodeports":"1"'),
  post('too many node ports', `${root(things)}/services`, {
    metadata: { name: 'ports' },
    spec: {
      type: 'LoadBalancer',
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    },
  }),
  post('no node ports', `${root(things)}/services`, {
    metadata: { name: 'balanced' },
    spec: {
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: false,
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    },
  }),
  post('another balancer', `${root(things)}/services`, {
    metadata: { name: 'too' },
    spec: { type: 'LoadBalancer', ports: [{ port: 1 }] },
  }),
  remove('delete balanced', `${root(things)}/services/balanced`),
  used(things, 'services', '"services.loadbalancers":"0"'),
  patch('no node ports any more', `${root(things)}/services/plain`, {
    type: 'merge',
    body: { spec: { type: 'ClusterIP' } },
  }),
  used(things, 'services', '"services.nodeports":"0"'),

  ...makeQuota(things, 'claims', {
    persistentvolumeclaims: '3',
    'requests.storage': '10Gi',
    'gold.storageclass.storage.k8s.io/requests.storage': '2Gi',
    'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
    'count/persistentvolumeclaims': '5',
  }),
  post('a claim', claims, claim('plain', '1.5Gi')),
  post('a claim of a class', claims, claim('gold', '1Gi', { storageClassName: 'gold' })),
  used(things, 'claims', '"requests.storage":"2560Mi"'),
  post('too much of a class', claims, claim('gold-too', '1500Mi', { storageClassName: 'gold' })),
  post('too much', claims, claim('large', '8Gi')),
  patch('allocated', `${claims}/plain/status`, {
    type: 'merge',
    body: { status: { phase: 'Bound', allocatedResources: { storage: '20Gi' } } },
  }),
  remove('delete the claim', `${claims}/plain`),
  used(things, 'claims', '"requests.storage":"1Gi"'),
  ...makeQuota(
    things,
    'attributes',
    { persistentvolumeclaims: '1' },
    { scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['fast'] }] } },
  ),
  post('a fast claim', claims, claim('fast', '1Mi', { volumeAttributesClassName: 'fast' })),
  post('another fast claim', claims, claim('fast-too', '1Mi', { volumeAttributesClassName: 'fast' })),
  used(things, 'attributes', '"persistentvolumeclaims":"1"'),

  ...makeQuota(things, 'devices', {
    'quota-gpu.deviceclass.resource.k8s.io/devices': '5',
    'count/resourceclaims.resource.k8s.io': '3',
  }),
  post('two devices', deviceClaims, device('two', { allocationMode: 'ExactCount', count: 2 })),
  post('all devices', deviceClaims, device('all', { allocationMode: 'All' })),
  post('alternatives', deviceClaims, {
    metadata: { name: 'any' },
    spec: {
      devices: {
        requests: [
          {
            name: 'r',
            firstAvailable: [
              { name: 'a', deviceClassName: 'quota-gpu', allocationMode: 'ExactCount', count: 1 },
              { name: 'b', deviceClassName: 'quota-gpu', allocationMode: 'ExactCount', count: 3 },
            ],
          },
        ],
      },
    },
  }),
  used(things, 'devices', '"quota-gpu.deviceclass.resource.k8s.io/devices":"5"'),
  post('one more device', deviceClaims, device('more', { allocationMode: 'ExactCount', count: 1 })),

  ...makeQuota(things, 'counts', {
    configmaps: '3',
    secrets: '1',
    'count/configmaps': '4',
    'count/deployments.apps': '1',
    'count/gizmos.quota.example.com': '1',
    resourcequotas: '5',
    'count/roles.rbac.authorization.k8s.io': '0',
  }),
  post('a config map', `${root(things)}/configmaps`, { metadata: { name: 'one' } }),
  post('another config map', `${root(things)}/configmaps`, { metadata: { name: 'two' } }),
  post('a third', `${root(things)}/configmaps`, { metadata: { name: 'three' } }),
  post('a fourth', `${root(things)}/configmaps`, { metadata: { name: 'four' } }),
  put('by an update', `${root(things)}/configmaps/five`, { metadata: { name: 'five' } }),
  patch('by an apply', `${root(things)}/configmaps/six`, { type: 'merge', body: {} }),
  post('a secret', `${root(things)}/secrets`, { metadata: { name: 'one' } }),
  post('another secret', `${root(things)}/secrets`, { metadata: { name: 'two' } }),
  post('a role', `/apis/rbac.authorization.k8s.io/v1/namespaces/${things}/roles`, { metadata: { name: 'none' } }),
  post('one quota too many', `${root(things)}/resourcequotas`, quota('another', { pods: '1' })),
  used(things, 'counts', '"secrets":"1"'),
  remove('delete all config maps', `${root(things)}/configmaps`),
  used(things, 'counts', '"configmaps":"0"'),
  post('status of no quota', `${root(things)}/events`, {
    metadata: { name: 'ev', namespace: things },
    involvedObject: { namespace: things },
  }),
];

/** Quotas: what counts, what is refused, and what is told of it. */
export const quotas: Suite = {
  scenario: scenario('quotas', [...computeSteps, ...scopeSteps, ...thingSteps]),
  config: {
    admission: { ...configDefaults.admission, disablePlugins: ['ServiceAccount', 'StorageObjectInUseProtection'] },
  },
  flags: ['--disable-admission-plugins=StorageObjectInUseProtection'],
  controllers: ['resourcequota-controller'],
};
