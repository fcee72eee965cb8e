import type { JsonObject } from '../../src/api/json/json.ts';
import { mapOf, oneOf, someOf, upTo } from '../fuzz-admission/odd.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { type Deeds, inSpace, makeSpace, patch, post, remove, type Step, type Subject } from './subject.ts';

const group = 'quota.example.com';
const widgets = (space: string, rest = ''): string => `/apis/${group}/v1/namespaces/${space}/widgets${rest}`;

const definition = {
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

const resourcesOfPods = mapOf(
  ['cpu', 'memory', 'example.com/gpu', 'hugepages-2Mi', 'ephemeral-storage'],
  oneOf('1', '100m', '64Mi', '2', '0', '1500m', '1k'),
  0.4,
);

function randomPod(random: Random, name: string): JsonObject {
  const container = (from: Random, index: number): JsonObject => ({
    name: `c${index}`,
    image: 'i',
    ...someOf(from, {
      resources: [0.8, (of) => ({ limits: resourcesOfPods(of), ...someOf(of, { requests: [0.3, resourcesOfPods] }) })],
    }),
  });
  return {
    metadata: { name, ...someOf(random, { finalizers: [0.15, oneOf(['example.com/f'])] }) },
    spec: {
      containers: [container(random, 0), ...(random.chance(0.3) ? [container(random, 1)] : [])],
      ...someOf(random, {
        initContainers: [
          0.2,
          upTo(2, (from, index) => ({
            ...container(from, index + 5),
            ...someOf(from, { restartPolicy: [0.5, oneOf('Always')] }),
          })),
        ],
        priorityClassName: [0.3, oneOf('quota-high', 'quota-low')],
        activeDeadlineSeconds: [0.3, oneOf(0, 600)],
        overhead: [0, oneOf({})],
        affinity: [
          0.2,
          oneOf({
            podAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: 'z', namespaces: ['other'], labelSelector: {} },
              ],
            },
          }),
        ],
        nodeName: [0.3, oneOf('q1')],
      }),
    },
  };
}

const amounts = oneOf('2', '5', '10', '3Gi', '1500m', '0', '100');
const hardOf = mapOf(
  [
    'pods',
    'cpu',
    'memory',
    'requests.cpu',
    'requests.memory',
    'limits.cpu',
    'limits.memory',
    'count/pods',
    'requests.example.com/gpu',
    'requests.hugepages-2Mi',
    'hugepages-2Mi',
    'ephemeral-storage',
    'limits.ephemeral-storage',
    'configmaps',
    'secrets',
    'count/configmaps',
    'services',
    'services.nodeports',
    'services.loadbalancers',
    'persistentvolumeclaims',
    'requests.storage',
    'gold.storageclass.storage.k8s.io/requests.storage',
    'gold.storageclass.storage.k8s.io/persistentvolumeclaims',
    `count/widgets.${group}`,
    'count/deployments.apps',
    'replicationcontrollers',
    'resourcequotas',
    'count/absent.example.com',
    'count/jobs.batch',
    'count/roles.rbac.authorization.k8s.io',
    'count/endpointslices.discovery.k8s.io',
    'count/leases.coordination.k8s.io',
    'count/serviceaccounts',
  ],
  amounts,
  0.25,
);
const podHardOf = mapOf(
  ['pods', 'cpu', 'memory', 'requests.cpu', 'limits.cpu', 'limits.memory', 'count/pods', 'requests.example.com/gpu'],
  amounts,
  0.5,
);

function randomQuota(random: Random, name: string): JsonObject {
  if (random.chance(0.55)) return { metadata: { name }, spec: { hard: hardOf(random) } };
  const terms = upTo(
    2,
    (from) =>
      from.pick<JsonObject>([
        { scopeName: 'PriorityClass', operator: 'In', values: ['quota-high'] },
        { scopeName: 'PriorityClass', operator: 'NotIn', values: ['quota-high'] },
        { scopeName: 'PriorityClass', operator: 'Exists' },
        { scopeName: 'PriorityClass', operator: 'DoesNotExist' },
        { scopeName: 'Terminating', operator: 'Exists' },
        { scopeName: 'NotTerminating', operator: 'Exists' },
        { scopeName: 'BestEffort', operator: 'Exists' },
        { scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' },
      ]) ?? {},
  );
  const scopes = oneOf(
    ['BestEffort'],
    ['NotBestEffort'],
    ['Terminating'],
    ['NotTerminating'],
    ['CrossNamespacePodAffinity'],
    ['NotBestEffort', 'Terminating'],
  );
  return {
    metadata: { name },
    spec: {
      hard: podHardOf(random),
      ...someOf(random, { scopes: [0.6, scopes], scopeSelector: [0.5, (from) => ({ matchExpressions: terms(from) })] }),
    },
  };
}

function make(random: Random, space: string, index: number): Step {
  const name = `o${index}`;
  const claim = {
    metadata: {
      name,
      ...someOf(random, { annotations: [0.2, oneOf({ 'volume.beta.kubernetes.io/storage-class': 'gold' })] }),
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: random.pick(['1Gi', '500M']) ?? '' } },
      ...someOf(random, { storageClassName: [0.5, oneOf('gold', '')] }),
    },
  };
  const service = {
    metadata: { name },
    spec: {
      ports: [
        { port: 80, name: 'a' },
        { port: 81, name: 'b' },
      ].slice(random.below(2)),
      type: random.pick(['ClusterIP', 'NodePort', 'LoadBalancer']) ?? '',
      ...someOf(random, { allocateLoadBalancerNodePorts: [0, oneOf(false)] }),
    },
  };
  const choices: readonly (() => Step)[] = [
    ...[0, 1, 2].map(() => () => post(inSpace(space, 'pods'), randomPod(random, name))),
    () => post(inSpace(space, 'persistentvolumeclaims'), claim),
    () => post(inSpace(space, 'services'), service),
    () => post(inSpace(space, 'configmaps'), { metadata: { name } }),
    () => post(inSpace(space, 'secrets'), { metadata: { name } }),
    () => post(widgets(space), { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name } }),
    () => post(`/apis/coordination.k8s.io/v1/namespaces/${space}/leases`, { metadata: { name } }),
  ];
  return (random.pick(choices) ?? (() => remove(inSpace(space, 'configmaps'))))();
}

function change(random: Random, space: string): Step {
  const name = `o${random.below(8)}`;
  const pod = inSpace(space, `pods/${name}`);
  const choices: readonly (() => Step)[] = [
    () => remove(`${pod}?gracePeriodSeconds=0`),
    () => patch(`${pod}/status`, { status: { phase: random.pick(['Succeeded', 'Failed', 'Running']) ?? '' } }),
    () => patch(`${pod}/status`, { status: { phase: 'Running', containerStatuses: [] } }),
    () => remove(`${pod}?gracePeriodSeconds=1000`),
    () => patch(pod, { spec: { activeDeadlineSeconds: 500 } }),
    () => remove(inSpace(space, `services/${name}`)),
    () =>
      patch(inSpace(space, `services/${name}`), {
        spec: { type: random.pick(['ClusterIP', 'NodePort', 'LoadBalancer']) ?? '' },
      }),
    () => remove(inSpace(space, 'configmaps')),
    () => remove(widgets(space, `/${name}`)),
    () => remove(inSpace(space, `persistentvolumeclaims/${name}`)),
    () =>
      patch(inSpace(space, `persistentvolumeclaims/${name}/status`), {
        status: { phase: 'Bound', capacity: { storage: '7Gi' } },
      }),
    () => patch(inSpace(space, 'resourcequotas/q0'), { spec: { hard: hardOf(random) } }),
    () => remove(inSpace(space, 'resourcequotas/q1')),
    () => post(inSpace(space, 'resourcequotas'), randomQuota(random, 'q1')),
  ];
  return (random.pick(choices) ?? (() => remove(pod)))();
}

function deeds(random: Random, space: string): Deeds {
  const quotas = ['q0', 'q1'].map((name) => post(inSpace(space, 'resourcequotas'), randomQuota(random, name)));
  const objects = Array.from({ length: 3 + random.below(6) }, (_, index) => make(random, space, index));
  const before = random.below(objects.length);
  const steps: Step[] = [
    makeSpace(space),
    { pauseMs: 500 },
    ...objects.slice(0, before),
    ...quotas,
    { pauseMs: 3000 },
    ...objects.slice(before),
  ];
  steps.push({ pauseMs: 1000 });
  for (let changes = random.below(6); changes > 0; changes -= 1) {
    steps.push(change(random, space));
    if (random.chance(0.3)) steps.push({ pauseMs: 1500 });
  }
  return { steps, reads: [inSpace(space, 'resourcequotas')] };
}

/** Quotas of everything, before and after what they count. */
export const quotas: Subject = {
  name: 'quotas',
  // Some resources are only counted again when all are.
  restMs: 12_000,
  setUp: [
    post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition),
    // Kinds are looked for every 30 seconds.
    { pauseMs: 40_000 },
    post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'quota-high' }, value: 100 }),
    post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'quota-low' }, value: 1 }),
    post('/apis/storage.k8s.io/v1/storageclasses', { metadata: { name: 'gold' }, provisioner: 'p' }),
    post('/api/v1/nodes', { metadata: { name: 'q1' } }),
  ],
  deeds,
};
