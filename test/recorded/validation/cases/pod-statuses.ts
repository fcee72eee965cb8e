import type { JsonObject, JsonValue } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

const finished = (name: string, exitCode: number): JsonObject => ({
  name,
  state: { terminated: { exitCode } },
});
const running = (name: string): JsonObject => ({ name, state: { running: {} } });
const health = (...resources: JsonValue[]): JsonValue => [
  { name: 'a', allocatedResourcesStatus: [{ name: 'example.com/x', resources }] },
];
const user = (linux: JsonValue): JsonValue => [{ name: 'a', user: { linux } }];
const image = (imageRef: string): JsonValue => [
  { name: 'a', volumeMounts: [{ name: 'v', mountPath: '/v', volumeStatus: { image: { imageRef } } }] },
];
const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];
const field = (name: string, ...list: readonly (JsonValue | undefined)[]): Mutation[] =>
  values(`status.${name}`, ...list);

const ips = (...addresses: readonly string[]): JsonValue => addresses.map((ip) => ({ ip }));

const podStatuses: readonly Mutation[] = [
  {},
  { status: {} },
  {
    'metadata.labels': { a: 'b' },
    'metadata.ownerReferences': [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b' }],
    spec: {},
  },
  { 'metadata.annotations': { 'kubernetes.io/config.mirror': 'a' } },
  { 'metadata.annotations': { 'scheduler.alpha.kubernetes.io/critical-pod': '' } },
  ...field(
    'conditions',
    [{ type: 'Ready', status: 'x', observedGeneration: -1 }],
    [{ type: 'a b', status: 'True' }, { type: '' }, { type: 'example.com/x', status: 'True' }],
    [
      { type: 'PodScheduled', status: 'True' },
      { type: 'own', status: 'True', observedGeneration: 3 },
    ],
    [
      { type: 'own', status: 'False' },
      { type: 'own', status: 'True' },
    ],
    [],
  ),
  ...field('nominatedNodeName', 'n', 'A b', undefined),
  ...field('observedGeneration', -1, 0, 7, undefined),
  ...field('qosClass', 'Guaranteed', 'x', '', undefined),
  ...field('phase', 'x', 'Running'),
  ...lists.flatMap((list) => [
    ...field(
      list,
      [running('a')],
      [running('b'), running('c')],
      [finished('a', 0)],
      [running('init'), running('debug')],
    ),
    ...field(
      list,
      health({ resourceID: 'a', health: 'Healthy' }, { resourceID: 'a', health: 'x' }, { resourceID: '' }),
    ),
    ...field(list, health({ resourceID: 'b', health: 'Unknown', message: 'm'.repeat(1025) })),
    ...field(list, [
      { name: 'a', allocatedResourcesStatus: [{ name: 'claim:c/r' }, { name: 'claim:gpu' }, { name: 'cpu' }] },
    ]),
    ...field(list, [{ name: 'zz', allocatedResourcesStatus: [{ name: 'nothing' }] }]),
    ...field(list, user({ uid: -1, gid: -1, supplementalGroups: [-1, 4294967296, 0] })),
    ...field(list, user({ uid: 4294967295, gid: 2147483648 }), user({ uid: 4294967296, gid: 0 })),
    ...field(list, image(''), image('i'.repeat(257)), image('docker.io/a@sha256:b')),
  ]),
  ...field(
    'resourceClaimStatuses',
    [{ name: 'gpu', resourceClaimName: 'a' }],
    [{ name: 'x' }, { name: 'gpu', resourceClaimName: 'A b' }, { name: 'gpu' }],
    undefined,
  ),
  ...field(
    'extendedResourceClaimStatus',
    {},
    { requestMappings: [], resourceClaimName: 'A b' },
    {
      requestMappings: [{ containerName: 'a', resourceName: 'example.com/x', requestName: 'r' }],
      resourceClaimName: 'c',
    },
    {
      requestMappings: [
        { containerName: 'a', resourceName: 'y', requestName: 'R' },
        { containerName: 'zz', resourceName: 'cpu', requestName: '' },
        { containerName: 'zz', resourceName: 'cpu', requestName: '' },
      ],
      resourceClaimName: '',
    },
  ),
  { 'status.podIP': '10.0.0.1' },
  { 'status.podIPs': ips('10.0.0.1') },
  ...['10.0.0.1', '10.0.0.2', '010.0.0.1', 'x', '::1', 'FE80::1', '::ffff:1.2.3.4'].map((podIP) => ({
    'status.podIP': podIP,
    'status.podIPs': ips('10.0.0.1'),
  })),
  ...[
    ips('10.0.0.1', '10.0.0.2'),
    ips('10.0.0.1', 'fe80::1'),
    ips('10.0.0.1', 'x'),
    ips('10.0.0.1', 'fe80::1', '10.0.0.3'),
    ips('10.0.0.1', '010.0.0.1'),
    ips('10.0.0.1', '10.0.0.1'),
  ].flatMap((list) => [
    { 'status.podIP': '10.0.0.1', 'status.podIPs': list },
    { 'status.hostIP': '10.0.0.1', 'status.hostIPs': list },
  ]),
  { 'status.hostIP': '10.0.0.1' },
  { 'status.hostIPs': ips('10.0.0.1') },
  { 'status.hostIP': '10.0.0.2', 'status.hostIPs': ips('10.0.0.1') },
  { 'status.hostIP': 'x', 'status.hostIPs': ips('x') },
];

const requests = { requests: { cpu: '1', 'example.com/x': '1' }, limits: { cpu: '1', 'example.com/x': '1' } };
const podSpec: JsonObject = {
  restartPolicy: 'OnFailure',
  resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }],
  containers: [
    { name: 'a', image: 'i', resources: { ...requests, claims: [{ name: 'gpu' }] } },
    { name: 'b', image: 'i', restartPolicy: 'Never' },
    {
      name: 'c',
      image: 'i',
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [3] } }],
    },
  ],
  initContainers: [
    { name: 'init', image: 'i' },
    { name: 'side', image: 'i', restartPolicy: 'Always' },
  ],
  volumes: [{ name: 'v', emptyDir: {} }],
};
const statuses: JsonObject = {
  phase: 'Running',
  observedGeneration: 2,
  conditions: [{ type: 'own', status: 'True', observedGeneration: 5 }],
  podIP: '10.0.0.1',
  podIPs: [{ ip: '10.0.0.1' }],
  resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'c' }],
  containerStatuses: [finished('a', 0), finished('b', 1), finished('c', 3)],
  initContainerStatuses: [finished('init', 0), finished('side', 0)],
  ephemeralContainerStatuses: [finished('debug', 1)],
};

function podCase(name: string, spec: JsonObject, more: Partial<KindCases> = {}): KindCases {
  return {
    resource: 'v1/pods',
    variant: name,
    base: { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec },
    ...more,
  };
}

export const podStatusCases: readonly KindCases[] = [
  podCase('status-new', { ...podSpec, restartPolicy: 'Never' }, { prepared: [], status: podStatuses }),
  podCase(
    'status-bound',
    { ...podSpec, nodeName: 'n' },
    { prepared: [['status', { status: statuses }]], status: podStatuses },
  ),
  podCase(
    'status-windows',
    { os: { name: 'windows' }, containers: [{ name: 'a', image: 'i' }] },
    {
      prepared: [['status', { status: { containerStatuses: [finished('a', 1)] } }]],
      status: podStatuses.slice(30, 50),
    },
  ),
];

const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } };
const path = 'spec.containers.0';
const resizes: readonly Mutation[] = [
  {},
  ...values(
    `${path}.resources`,
    undefined,
    {},
    { requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } },
    { requests: { cpu: '500m', memory: '2Gi' }, limits: { cpu: '4', memory: '4Gi' } },
    { requests: { cpu: '2' }, limits: { cpu: '2' } },
    { requests: { cpu: '5', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } },
    { requests: { cpu: '-1', memory: 'x' } },
    { requests: { cpu: '2', memory: '2Gi' }, limits: { cpu: '2', memory: '2Gi' } },
    { ...resources, requests: { ...resources.requests, 'ephemeral-storage': '1Gi' } },
    { ...resources, claims: [{ name: 'gpu' }] },
  ),
  ...values(`${path}.image`, 'other', ''),
  ...values(`${path}.name`, 'other'),
  ...values(
    `${path}.resizePolicy`,
    [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
    [{ resourceName: 'x' }],
  ),
  ...values('spec.containers', [], [{ name: 'one', image: 'i' }]),
  ...values('spec.initContainers', [], undefined),
  ...values('spec.initContainers.0.resources', { requests: { cpu: '2' } }, { requests: { 'ephemeral-storage': '2' } }),
  ...values('spec.initContainers.1.resources', { requests: { cpu: '2' } }, {}, { limits: { memory: '1' } }),
  ...values('spec.initContainers.0.name', 'other'),
  ...values('spec.nodeName', 'other'),
  ...values('spec.tolerations', []),
  ...values('spec.volumes', []),
  ...values('spec.resources', {}, undefined),
  ...values('status', { phase: 'x' }),
  { 'metadata.labels': { a: 'b' }, 'metadata.annotations': { a: 'b' }, 'metadata.finalizers': ['x'] },
];

const ofMainContainers = resizes.filter(
  (mutation) => !Object.keys(mutation).some((name) => name.startsWith('spec.init')),
);

const resizable: JsonObject = {
  containers: [
    { name: 'a', image: 'i', resources },
    { name: 'b', image: 'i' },
  ],
  initContainers: [
    { name: 'init', image: 'i', resources: { requests: { cpu: '1' } } },
    { name: 'side', image: 'i', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
  ],
  volumes: [{ name: 'v', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
};
const guaranteed = { requests: { cpu: '2', memory: '2Gi' }, limits: { cpu: '2', memory: '2Gi' } };
const oneContainer = { containers: [{ name: 'a', image: 'i', resources: guaranteed }] };
const ranOnOldNode = { 'status.containerStatuses': [{ name: 'a', state: { running: {} } }] };

const resizeCases: readonly KindCases[] = [
  podCase('resize', resizable, { subresources: { resize: resizes } }),
  podCase('resize-guaranteed', oneContainer, { subresources: { resize: ofMainContainers } }),
  podCase(
    'resize-best-effort',
    { containers: [{ name: 'a', image: 'i' }] },
    { subresources: { resize: ofMainContainers } },
  ),
  podCase(
    'resize-windows',
    { ...oneContainer, os: { name: 'windows' } },
    { subresources: { resize: resizes.slice(0, 4) } },
  ),
  podCase(
    'resize-old-node',
    { ...oneContainer, nodeName: 'n' },
    { prepared: [['status', ranOnOldNode]], subresources: { resize: resizes.slice(0, 6) } },
  ),
  podCase(
    'resize-pod-level',
    {
      containers: [{ name: 'a', image: 'i', resources }],
      resources: { requests: { cpu: '3', memory: '3Gi' }, limits: { cpu: '4', memory: '4Gi' } },
    },
    { subresources: { resize: ofMainContainers } },
  ),
];

const debug = (name: string, more: JsonObject = {}): JsonObject => ({ name, image: 'i', ...more });
const debugs: readonly Mutation[] = [
  {},
  ...values(
    'spec.ephemeralContainers',
    [],
    undefined,
    [debug('one')],
    [debug('one'), debug('two')],
    [debug('one', { image: 'other' })],
    [debug('two')],
    [debug('one'), debug('one')],
    [debug('one'), debug('a')],
    [debug('one'), debug('')],
    [debug('one'), debug('A b'), debug('x', { image: '' })],
    [
      debug('one'),
      debug('x', {
        ports: [{ containerPort: 1 }],
        lifecycle: { preStop: { exec: { command: ['a'] } } },
        livenessProbe: {},
        resources: { limits: { cpu: '1' } },
      }),
    ],
    [debug('one'), debug('x', { targetContainerName: 'zz' })],
    [
      debug('one'),
      debug('x', { targetContainerName: 'a', volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 's' }] }),
    ],
    [
      debug('one'),
      debug('x', { restartPolicy: 'Always', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] }),
    ],
  ),
  { 'spec.nodeName': 'x', 'metadata.labels': { a: 'b' }, 'metadata.annotations': { a: 'b' } },
];

const debugCases: readonly KindCases[] = [
  podCase(
    'debug',
    { containers: [{ name: 'a', image: 'i' }], volumes: [{ name: 'v', emptyDir: {} }] },
    {
      createWith: { 'metadata.name': 'created', 'spec.ephemeralContainers': undefined },
      prepared: [['ephemeralcontainers', { 'spec.ephemeralContainers': [debug('one')] }]],
      subresources: { ephemeralcontainers: debugs },
    },
  ),
];

export const podSubresourceCases: readonly KindCases[] = [...resizeCases, ...debugCases];
