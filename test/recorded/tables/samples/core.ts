import { ago, day, hour, microAgo, minute, podTemplate, samplesOf } from '../sample.ts';

const nodeInfo = {
  machineID: '',
  systemUUID: '',
  bootID: '',
  kernelVersion: '6.12.0',
  osImage: 'Debian GNU/Linux 13',
  containerRuntimeVersion: 'containerd://2.1.0',
  kubeletVersion: 'v1.37.1',
  kubeProxyVersion: '',
  operatingSystem: 'linux',
  architecture: 'amd64',
};

function nodeReady(status: string): { type: string; status: string }[] {
  return [
    { type: 'MemoryPressure', status: 'False' },
    { type: 'Ready', status },
  ];
}

const tieredTemplate = { ...podTemplate(['app:v1']), metadata: { labels: { app: 'web', tier: 'b' } } };

export const coreSamples = [
  ...samplesOf('v1/nodes', [
    {},
    {
      metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/edge': 'x', a: 'b' } },
      status: {
        nodeInfo,
        conditions: nodeReady('True'),
        addresses: [
          { type: 'Hostname', address: 'node-2' },
          { type: 'ExternalIP', address: '203.0.113.2' },
          { type: 'InternalIP', address: '10.0.0.2' },
          { type: 'InternalIP', address: 'fd00::2' },
        ],
      },
    },
    {
      metadata: { labels: { 'kubernetes.io/role': 'infra', 'node-role.kubernetes.io': 'none' } },
      body: { spec: { unschedulable: true } },
      status: { nodeInfo: { ...nodeInfo, architecture: '' }, conditions: nodeReady('False') },
    },
    {
      metadata: { labels: { 'kubernetes.io/role': '' } },
      status: { nodeInfo: { ...nodeInfo, kernelVersion: '', osImage: '' }, conditions: nodeReady('Unknown') },
    },
    {
      metadata: { labels: { 'kubernetes.io/role': 'edge', 'node-role.kubernetes.io/edge': '' } },
      body: { spec: { unschedulable: true } },
      status: { conditions: nodeReady('True') },
    },
  ]),
  ...samplesOf('v1/namespaces', [{}, { deleted: true }]),
  ...samplesOf('v1/secrets', [
    {},
    { body: { data: { a: 'YQ==', b: '' } } },
    { body: { type: 'kubernetes.io/basic-auth', stringData: { username: 'u' } } },
  ]),
  ...samplesOf('v1/configmaps', [
    {},
    { body: { data: { a: 'x', b: '' } } },
    { body: { data: { a: 'x' }, binaryData: { c: 'YQ==', d: '' } } },
  ]),
  ...samplesOf('v1/serviceaccounts', [{}, { body: { secrets: [{ name: 's' }] } }]),
  ...samplesOf('v1/limitranges', [{ body: { spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } } }]),
  ...samplesOf('v1/resourcequotas', [
    {},
    { body: { spec: { hard: { cpu: '2' } } } },
    {
      status: {
        hard: {
          'limits.cpu': '2',
          'limits.memory': '1Gi',
          'requests.cpu': '1',
          pods: '10',
          'requests.example.com/gpu': '5',
        },
        used: { 'limits.cpu': '500m', pods: '3' },
      },
    },
    { status: { hard: { 'count/pods': '4', 'count/widgets.example.com': '1' }, used: { 'count/pods': '1' } } },
  ]),
  ...samplesOf('v1/podtemplates', [
    { body: { template: podTemplate(['nginx:1.29', 'envoy:v1']) } },
    { body: { template: { spec: { containers: [{ name: 'one', image: 'app' }] } } } },
    { body: { template: { ...podTemplate(['app']), metadata: { labels: { b: '2', a: '1', 'a-b': '3' } } } } },
  ]),
  ...samplesOf('v1/replicationcontrollers', [
    { scale: true, body: { spec: { selector: { app: 'web' }, template: podTemplate(['nginx', 'envoy']) } } },
    {
      scale: true,
      body: { spec: { replicas: 0, selector: { tier: 'b', app: 'web' }, template: tieredTemplate } },
      status: { replicas: 3, readyReplicas: 2 },
    },
  ]),
  ...samplesOf('v1/events', [
    { body: { involvedObject: { namespace: 'tables' }, message: 'only a message' } },
    {
      body: {
        involvedObject: { kind: 'Pod', namespace: 'tables', name: 'web-1', fieldPath: 'spec.containers{c0}' },
        reason: 'Started',
        type: 'Normal',
        message: '  Started container\n',
        source: { component: 'kubelet', host: 'node-1' },
        firstTimestamp: ago(3 * day),
        lastTimestamp: ago(5 * minute),
        count: 12,
      },
    },
    {
      body: {
        involvedObject: { kind: 'ReplicaSet', namespace: 'tables', name: 'web' },
        reason: 'Failed',
        type: 'Warning',
        source: { component: 'controller' },
        firstTimestamp: ago(hour),
      },
    },
    { body: { involvedObject: { kind: 'Node', namespace: 'tables' }, lastTimestamp: ago(20), source: { host: 'h' } } },
    {
      body: {
        involvedObject: { kind: 'Pod', namespace: 'tables', name: 'old' },
        reason: 'Repeated',
        type: 'Normal',
        action: 'Wait',
        reportingComponent: 'example.com/controller',
        reportingInstance: 'instance-1',
        eventTime: microAgo(2 * hour),
        series: { count: 5, lastObservedTime: microAgo(90) },
      },
    },
  ]),
  ...samplesOf('events.k8s.io/v1/events', [
    {
      name: 'assigned',
      body: {
        regarding: { kind: 'Pod', namespace: 'tables', name: 'new', fieldPath: 'spec' },
        note: 'Assigned',
        reason: 'Scheduled',
        type: 'Normal',
        action: 'Binding',
        reportingController: 'scheduler',
        reportingInstance: 'scheduler-1',
        eventTime: microAgo(40),
      },
    },
    {
      name: 'again',
      body: {
        regarding: { kind: 'Job', namespace: 'tables', name: 'j' },
        note: '',
        reason: 'Again',
        type: 'Warning',
        action: 'Retry',
        reportingController: 'example.com/job',
        reportingInstance: 'job-1',
        eventTime: microAgo(9 * minute),
        series: { count: 3, lastObservedTime: microAgo(3 * minute) },
      },
    },
  ]),
];
