import { volumeHealthSteps } from './volume-health.ts';

// Requests whose answers depend on gates of rules, each sent with all these gates on, off, and by default.

/** Gates that can be set in the release, and that change rules or fields. */
export const gates = [
  'CSIVolumeHealth',
  'ClearingNominatedNodeNameAfterBinding',
  'DRADeviceTaintRules',
  'DRAResourcePoolStatus',
  'DeploymentReplicaSetTerminatingReplicas',
  'HPAScaleToZero',
  'KubeletServiceAccountTokenForCredentialProviders',
  'MatchLabelKeysInPodTopologySpread',
  'MatchLabelKeysInPodTopologySpreadSelectorMerge',
  'MutablePVNodeAffinity',
  'MutablePodResourcesForSuspendedJobs',
  'MutableSchedulingDirectivesForSuspendedJobs',
  'PodDeletionCost',
  'RestartAllContainersOnContainerExits',
  'SELinuxMount',
  'TaintTolerationComparisonOperators',
  'TokenRequestServiceAccountUIDValidation',
  'UserNamespacesHostNetworkSupport',
] as const;

export const settings: Readonly<Record<string, ReadonlyMap<string, boolean>>> = {
  default: new Map(),
  on: new Map(gates.map((gate) => [gate, true])),
  off: new Map(gates.map((gate) => [gate, false])),
  unmerged: new Map([['MatchLabelKeysInPodTopologySpreadSelectorMerge', false]]),
};

export interface Step {
  /** Unique. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body?: object;
  /** The part of the answer that is compared: a path of keys; the whole without. */
  readonly part?: readonly (string | number)[];
}

const pods = '/api/v1/namespaces/default/pods';
const labels = { app: 'a', tier: 'b' };
const container = { name: 'c', image: 'i' };
const podOf = (name: string, spec: object, metadata: object = {}): object => ({
  metadata: { name, labels, ...metadata },
  spec: { containers: [container], ...spec },
});
const createPod = (name: string, spec: object, metadata: object = {}): Step => ({
  name: `create pod ${name}`,
  method: 'POST',
  path: pods,
  body: podOf(name, spec, metadata),
  part: ['spec'],
});
const patchOf = (path: string, body: object, name: string, part?: Step['part']): Step => ({
  name,
  method: 'PATCH',
  path,
  body,
  ...(part === undefined ? {} : { part }),
});

const external = { type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } } };
const resource = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
};
const autoscalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const autoscaler = (name: string, minReplicas: number, metrics: readonly object[]): Step => ({
  name: `create autoscaler ${name}`,
  method: 'POST',
  path: autoscalers,
  part: ['spec'],
  body: { metadata: { name }, spec: { scaleTargetRef, minReplicas, maxReplicas: 10, metrics } },
});

const affinity = (zone: string): object => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }] },
});
const volumes = '/api/v1/persistentvolumes';

const jobs = '/apis/batch/v1/namespaces/default/jobs';
const started = { startTime: '2026-01-01T00:00:00Z' };
const suspendedCondition = {
  type: 'Suspended',
  status: 'True',
  reason: 'JobSuspended',
  message: 'Job suspended',
  lastProbeTime: '2026-01-01T00:00:00Z',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const jobSteps = (name: string, status: object): readonly Step[] => [
  {
    name: `create job ${name}`,
    method: 'POST',
    path: jobs,
    part: ['spec', 'suspend'],
    body: {
      metadata: { name },
      spec: { suspend: true, template: { spec: { containers: [container], restartPolicy: 'Never' } } },
    },
  },
  patchOf(`${jobs}/${name}/status`, { status }, `status of job ${name}`, ['status']),
  patchOf(
    `${jobs}/${name}`,
    { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } },
    `node selector of job ${name}`,
    ['spec', 'template', 'spec'],
  ),
  patchOf(
    `${jobs}/${name}`,
    { spec: { template: { spec: { containers: [{ ...container, resources: { requests: { cpu: '1' } } }] } } } },
    `resources of job ${name}`,
    ['spec', 'template', 'spec'],
  ),
];

const rules = (action: string): object => ({
  restartPolicy: 'Never',
  restartPolicyRules: [{ action, exitCodes: { operator: 'In', values: [1] } }],
});
const spread = (more: object): object => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'a' } },
      ...more,
    },
  ],
});
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const replicaSets = '/apis/apps/v1/namespaces/default/replicasets';
const workload = {
  metadata: { name: 'w' },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
};
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const tokenFor = (uid: string): Step => ({
  name: `token for the account with uid ${uid}`,
  method: 'POST',
  path: `${accounts}/a/token`,
  part: ['kind'],
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { uid }, spec: { audiences: ['x'] } },
});

const roles = [
  'system:node',
  'system:kube-scheduler',
  'system:controller:device-taint-eviction-controller',
  'system:controller:resourcepoolstatusrequest-controller',
];

export const steps: readonly Step[] = [
  autoscaler('zero-external', 0, [external]),
  autoscaler('zero-resource', 0, [resource]),
  autoscaler('negative', -1, [external]),
  autoscaler('one', 1, [external]),
  patchOf(`${autoscalers}/one`, { spec: { minReplicas: 0 } }, 'scale an autoscaler to zero', ['spec']),

  createPod('bound', { nodeName: 'n' }),
  patchOf(`${pods}/bound/status`, { status: { nominatedNodeName: 'm' } }, 'nominate for a bound pod', ['status']),
  createPod('nominated', {}),
  patchOf(`${pods}/nominated/status`, { status: { nominatedNodeName: 'm' } }, 'nominate for a pod', [
    'status',
    'nominatedNodeName',
  ]),
  {
    name: 'bind the nominated pod',
    method: 'POST',
    path: `${pods}/nominated/binding`,
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'nominated' }, target: { kind: 'Node', name: 'n' } },
  },
  { name: 'the nominated pod', method: 'GET', path: `${pods}/nominated`, part: ['status', 'nominatedNodeName'] },

  createPod('restart', { containers: [{ ...container, ...rules('Restart') }] }),
  createPod('restart-all', { containers: [{ ...container, ...rules('RestartAllContainers') }] }),
  createPod('restart-other', { containers: [{ ...container, ...rules('Other') }] }),
  createPod('greater', { tolerations: [{ key: 'k', operator: 'Gt', value: '1', effect: 'NoSchedule' }] }),
  createPod('less', { tolerations: [{ key: 'k', operator: 'Lt', value: 'x' }] }),
  createPod('less-zeros', { tolerations: [{ key: 'k', operator: 'Lt', value: '01' }] }),
  createPod('other-operator', { tolerations: [{ key: 'k', operator: 'Other', value: 'x' }] }),
  createPod('host-network', { hostNetwork: true, hostUsers: false }),
  createPod('host-pid', { hostPID: true, hostUsers: false }),
  createPod('cost', {}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'x' } }),
  createPod('selinux', { securityContext: { seLinuxChangePolicy: 'MountOption' } }),
  createPod('selinux-recursive', { securityContext: { seLinuxChangePolicy: 'Recursive' } }),
  createPod('selinux-other', { securityContext: { seLinuxChangePolicy: 'Other' } }),
  createPod('spread', spread({ matchLabelKeys: ['tier'] })),
  createPod('spread-selected', spread({ matchLabelKeys: ['app'] })),
  createPod('spread-absent', spread({ matchLabelKeys: ['absent'] })),
  createPod('spread-unselected', spread({ matchLabelKeys: ['tier'], labelSelector: null })),

  {
    name: 'create a volume',
    method: 'POST',
    path: volumes,
    part: ['spec', 'nodeAffinity'],
    body: {
      metadata: { name: 'v' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        hostPath: { path: '/a' },
        nodeAffinity: affinity('a'),
      },
    },
  },
  patchOf(`${volumes}/v`, { spec: { nodeAffinity: affinity('b') } }, 'move a volume', ['spec', 'nodeAffinity']),
  patchOf(`${volumes}/v`, { spec: { nodeAffinity: null } }, 'a volume that is everywhere', ['spec']),

  ...jobSteps('fresh', { active: 0 }),
  ...jobSteps('started', { ...started, active: 1 }),
  ...jobSteps('stopped', { ...started, active: 0, conditions: [suspendedCondition] }),

  { name: 'create a deployment', method: 'POST', path: deployments, body: workload, part: ['metadata', 'name'] },
  patchOf(`${deployments}/w/status`, { status: { terminatingReplicas: 3 } }, 'status of a deployment', ['status']),
  { name: 'create a replica set', method: 'POST', path: replicaSets, body: workload, part: ['metadata', 'name'] },
  patchOf(`${replicaSets}/w/status`, { status: { terminatingReplicas: 3 } }, 'status of a replica set', ['status']),

  ...roles.map((name): Step => ({
    name: `role ${name}`,
    method: 'GET',
    path: `/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`,
    part: ['rules'],
  })),

  { name: 'create an account', method: 'POST', path: accounts, body: { metadata: { name: 'a' } }, part: ['kind'] },
  tokenFor(''),
  tokenFor('other'),

  ...volumeHealthSteps,
];
