import type { JsonObject, JsonValue } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

const apiVersion = 'resource.k8s.io/v1';
const exactly = { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 };
const request = (name: string, more: JsonObject = {}): JsonObject => ({ name, exactly: { ...exactly, ...more } });
const alternative = (name: string, more: JsonObject = {}): JsonObject => ({ name, ...exactly, ...more });
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const opaque = (driver: string, parameters: JsonValue): JsonObject => ({ opaque: { driver, parameters } });
const cel = (expression: string): JsonObject => ({ cel: { expression } });
const long = 'x'.repeat(300);

const exactRequests: readonly JsonObject[] = [
  { deviceClassName: '' },
  { deviceClassName: 'A b' },
  { allocationMode: 'All' },
  { allocationMode: 'All', count: 0 },
  { allocationMode: 'x' },
  { count: 0 },
  { count: -1 },
  { selectors: [{}] },
  { selectors: [cel('true')] },
  { selectors: [cel('x'.repeat(10 * 1024 + 1))] },
  { selectors: many(33, () => cel('true')) },
  { tolerations: [{}] },
  { tolerations: [{ operator: 'Exists', value: 'x', key: 'a b', effect: 'x' }] },
  { tolerations: [{ operator: 'Equal', value: 'a b', key: 'a' }, { operator: 'x' }] },
  { tolerations: many(17, () => ({ operator: 'Exists' })) },
  { tolerations: [{ operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: -1 }] },
  { capacity: { requests: { memory: '1', 'a b': '1' } } },
];

const devices = (...list: readonly JsonObject[]): Mutation[] => list.map((value) => ({ 'spec.devices': value }));

const claimSpecs: readonly Mutation[] = [
  {},
  ...values('spec', {}, undefined),
  ...devices(
    {},
    { requests: [] },
    { requests: [{}] },
    { requests: [{ name: 'a' }] },
    { requests: [{ name: 'A b', exactly }] },
    { requests: [{ name: 'a', exactly, firstAvailable: [alternative('x')] }] },
    { requests: [request('a'), request('a')] },
    { requests: many(33, (index) => request(`a${index}`)) },
    { requests: [{ name: 'a', firstAvailable: [] }] },
    { requests: [{ name: 'a', firstAvailable: many(9, (index) => alternative(`x${index}`)) }] },
    { requests: [{ name: 'a', firstAvailable: [alternative('x'), alternative('x'), alternative('')] }] },
    { requests: [request('a')], constraints: [{}] },
    { requests: [request('a')], constraints: [{ matchAttribute: 'x' }, { matchAttribute: 'a.b/c' }] },
    { requests: [request('a')], constraints: [{ matchAttribute: 'a.b/c', distinctAttribute: 'd.e/f' }] },
    { requests: [request('a')], constraints: [{ distinctAttribute: '/x' }, { distinctAttribute: 'A_b/' }] },
    { requests: [request('a')], constraints: [{ matchAttribute: `a.b/${long}` }] },
    {
      requests: [request('a')],
      constraints: [{ requests: ['a', 'a', 'b', 'a/b/c', 'a/b', 'A'], matchAttribute: 'a.b/c' }],
    },
    { requests: [request('a')], constraints: many(33, () => ({ matchAttribute: 'a.b/c' })) },
    {
      requests: [{ name: 'a', firstAvailable: [alternative('x')] }],
      constraints: [{ requests: ['a', 'a/x', 'a/y'], matchAttribute: 'a.b/c' }],
    },
    { requests: [request('a')], config: [{}] },
    { requests: [request('a')], config: [opaque('', {}), opaque('A b', { a: 1 }), opaque('x'.repeat(64), { a: 1 })] },
    { requests: [request('a')], config: [opaque('gpu.example.com', { a: 'x'.repeat(10 * 1024) })] },
    { requests: [request('a')], config: [{ opaque: { driver: 'gpu.example.com' } }] },
    { requests: [request('a')], config: [{ requests: ['b', 'b'], ...opaque('gpu.example.com', { a: 1 }) }] },
    { requests: [request('a')], config: many(33, () => opaque('gpu.example.com', { a: 1 })) },
    ...exactRequests.flatMap((more) => [
      { requests: [request('a', more)] },
      { requests: [{ name: 'a', firstAvailable: [alternative('x', more)] }] },
    ]),
  ),
];

const known = { driver: 'gpu.example.com', pool: 'pool', device: 'gpu-0' };
const result = { request: 'a', ...known };
const allocation = (more: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({
  devices: { results: [{ ...result, ...more }] },
  ...rest,
});
const consumer = (name: string): JsonObject => ({ resource: 'pods', name, uid: name });
const device = (more: JsonObject): JsonObject => ({
  allocation: allocation(),
  devices: [{ driver: 'gpu.example.com', pool: 'pool', device: 'gpu-0', ...more }],
});
const condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Ok',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

const claimStatuses: readonly Mutation[] = [
  {},
  { 'metadata.labels': { a: 'b' }, spec: {} },
  ...values(
    'status',
    {},
    { reservedFor: [consumer('a')] },
    { allocation: {} },
    { allocation: allocation() },
    { allocation: allocation(), reservedFor: [consumer('a'), consumer('a'), {}] },
    { allocation: allocation(), reservedFor: many(257, (index) => consumer(`a${index}`)) },
    { allocation: allocation({ request: 'b' }) },
    { allocation: allocation({ request: '' }) },
    { allocation: allocation({ driver: '' }) },
    { allocation: allocation({ driver: 'A b' }) },
    { allocation: allocation({ pool: '' }) },
    { allocation: allocation({ pool: 'A/b/' }) },
    { allocation: allocation({ pool: 'x'.repeat(254) }) },
    { allocation: allocation({ device: '' }) },
    { allocation: allocation({ device: 'A b' }) },
    { allocation: allocation({ shareID: 'x' }) },
    { allocation: allocation({ shareID: '11111111-1111-1111-1111-11111111111A' }) },
    { allocation: allocation({ shareID: '11111111-1111-1111-1111-111111111111' }) },
    { allocation: allocation({ tolerations: [{ operator: 'x' }] }) },
    { allocation: allocation({ bindingConditions: ['a'] }) },
    { allocation: allocation({ bindingFailureConditions: ['a'] }) },
    { allocation: allocation({ bindingConditions: ['a', 'a', 'a b'], bindingFailureConditions: ['a', 'c', 'c'] }) },
    { allocation: allocation({ bindingConditions: ['a', 'b', 'c', 'd', 'e'], bindingFailureConditions: ['f'] }) },
    { allocation: { devices: { results: many(33, () => result) } } },
    {
      allocation: {
        devices: {
          results: [result],
          config: [
            {},
            { source: 'x' },
            { source: 'FromClaim', requests: ['z'], ...opaque('gpu.example.com', { a: 1 }) },
          ],
        },
      },
    },
    { allocation: allocation({}, { nodeSelector: {} }) },
    {
      allocation: allocation(
        {},
        {
          nodeSelector: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
          },
        },
      ),
    },
    {
      allocation: allocation(
        {},
        { nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a b', operator: 'x' }] }] } },
      ),
    },
    { devices: [{ driver: 'gpu.example.com', pool: 'pool', device: 'gpu-0' }] },
    device({}),
    device({ driver: 'A b', pool: '', device: 'A' }),
    device({ shareID: 'x' }),
    device({ conditions: [condition, condition, {}] }),
    device({ conditions: many(9, (index) => ({ ...condition, type: `t${index}` })) }),
    device({ data: { a: 1 } }),
    device({ data: { a: 'x'.repeat(10 * 1024) } }),
    device({
      networkData: {
        interfaceName: long,
        hardwareAddress: long,
        ips: ['x', '10.0.0.1/24', '10.0.0.1', 'FE80::1/64', '10.0.0.1/24'],
      },
    }),
    device({ networkData: { ips: many(17, (index) => `10.0.0.${index}/24`) } }),
    { allocation: allocation(), devices: [known, known] },
  ),
];

const metadata = values('metadata.finalizers', ['x']);
const names = values('metadata.name', 'A b', 'a.b');

function kind(plural: string, name: string, spec: JsonObject, more: Partial<KindCases>): KindCases {
  return {
    resource: `${apiVersion}/${plural}`,
    base: { apiVersion, kind: name, metadata: { name: 'recorded' }, spec },
    createWith: { 'metadata.name': 'created' },
    ...more,
  };
}

const claimSpec = { devices: { requests: [request('a')] } };
const template = (mutation: Mutation): Mutation =>
  Object.fromEntries(Object.entries(mutation).map(([path, value]) => [path.replace(/^spec/, 'spec.spec'), value]));

const claims: readonly KindCases[] = [
  kind('resourceclaims', 'ResourceClaim', claimSpec, {
    create: [...names, ...metadata, ...claimSpecs],
    update: [{}, ...metadata, ...claimSpecs.slice(2, 5), ...devices({ requests: [request('b')] })],
    status: claimStatuses,
  }),
  kind('resourceclaims', 'ResourceClaim', claimSpec, {
    variant: 'allocated',
    base: { apiVersion, kind: 'ResourceClaim', metadata: { name: 'recorded-allocated' }, spec: claimSpec },
    prepared: [['status', { status: { allocation: allocation(), reservedFor: [consumer('a')] } }]],
    status: claimStatuses.slice(0, 16),
  }),
  kind(
    'resourceclaimtemplates',
    'ResourceClaimTemplate',
    { spec: claimSpec },
    {
      create: [
        ...names,
        ...metadata,
        ...claimSpecs.slice(0, 20).map(template),
        ...values('spec.metadata', { labels: { 'a b': 'c' }, annotations: { 'a b': '' } }, { name: 'x' }),
      ],
      update: [
        {},
        ...metadata,
        ...devices({ requests: [request('b')] }).map(template),
        ...values('spec.metadata', { labels: { a: 'b' } }),
      ],
    },
  ),
  kind(
    'deviceclasses',
    'DeviceClass',
    {},
    {
      clusterScoped: true,
      create: [
        {},
        ...names,
        ...metadata,
        ...values('spec', undefined),
        ...values(
          'spec.selectors',
          [{}],
          [cel('true')],
          [cel('x'.repeat(10 * 1024 + 1))],
          many(33, () => cel('true')),
        ),
        ...values(
          'spec.config',
          [{}],
          [opaque('', { a: 1 })],
          [opaque('A b', {})],
          many(33, () => opaque('a.b', { a: 1 })),
        ),
        ...values(
          'spec.extendedResourceName',
          'example.com/gpu',
          'gpu',
          'kubernetes.io/gpu',
          'requests.example.com/x',
          'a b/c',
          '',
        ),
      ],
      update: [
        {},
        ...metadata,
        ...values('spec.selectors', [{}], [cel('true')]),
        ...values('spec.extendedResourceName', 'gpu'),
      ],
    },
  ),
];

const claimKinds = claims;

const sliceDevice = (name: string, more: JsonObject = {}): JsonObject => ({ name, ...more });
const sliceSpec = {
  driver: 'gpu.example.com',
  nodeName: 'n',
  pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
};
const withDevices = (...list: readonly JsonObject[]): Mutation[] =>
  list.map((one) => ({ 'spec.devices': [sliceDevice('gpu-0', one)] }));
const policy = (requestPolicy: JsonObject, value = '10Gi'): JsonObject => ({
  allowMultipleAllocations: true,
  capacity: { memory: { value, requestPolicy } },
});

const slices: readonly Mutation[] = [
  {},
  ...names,
  ...metadata,
  ...values('spec', {}, undefined),
  ...values('spec.driver', '', 'A b', 'x'.repeat(64), 'other.example.com'),
  ...values('spec.nodeName', '', undefined, 'A b'),
  ...values('spec.allNodes', true, false),
  ...values('spec.perDeviceNodeSelection', true, false),
  { 'spec.nodeName': undefined, 'spec.allNodes': true },
  { 'spec.nodeName': undefined, 'spec.allNodes': false },
  ...[
    {},
    { nodeSelectorTerms: [{}, {}] },
    { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] },
  ].flatMap((nodeSelector) => [
    { 'spec.nodeName': undefined, 'spec.nodeSelector': nodeSelector },
    { 'spec.nodeSelector': nodeSelector },
  ]),
  ...values(
    'spec.pool',
    {},
    { name: 'A/b' },
    { name: 'a/b', resourceSliceCount: 1, generation: -1 },
    { name: 'x'.repeat(254), resourceSliceCount: -1 },
  ),
  ...values(
    'spec.devices',
    [{}],
    [sliceDevice('a'), sliceDevice('a')],
    [sliceDevice('A b')],
    many(129, (index) => sliceDevice(`d${index}`)),
    many(128, (index) => sliceDevice(`d${index}`)),
  ),
  ...values(
    'spec.devices',
    many(65, (index) => sliceDevice(`d${index}`, { taints: [{ key: 'a', effect: 'NoSchedule' }] })),
  ),
  ...withDevices(
    { attributes: { 'a b': { bool: true } } },
    { attributes: { 'A b/c': { bool: true } } },
    { attributes: { '/': { int: 1 } } },
    { attributes: { [long]: { bool: true } } },
    { attributes: { 'a.b/c': {} } },
    { attributes: { a: { bool: true, int: 1 } } },
    { attributes: { a: { string: 'x'.repeat(65) } } },
    { attributes: { a: { version: '1' } } },
    { attributes: { a: { version: `1.0.0-${'x'.repeat(65)}` } } },
    { attributes: { a: { version: '1.2.3-rc.1+b' } } },
    { attributes: Object.fromEntries(many(33, (index) => [`a${index}`, { int: index }])) },
    { capacity: { 'a b': { value: '1' } } },
    { capacity: { memory: { value: '1', requestPolicy: { default: '1' } } } },
    { taints: [{}] },
    {
      taints: [
        { key: 'a b', value: 'c d', effect: 'x' },
        { key: 'a', effect: 'NoExecute' },
        { key: 'a', effect: 'None' },
      ],
    },
    { taints: many(17, () => ({ key: 'a', effect: 'NoSchedule' })) },
    { nodeName: 'n' },
    { allNodes: true },
    { bindingConditions: ['a'] },
    { bindsToNode: true, bindingConditions: ['a'], bindingFailureConditions: ['b'] },
    { consumesCounters: [{}] },
    { consumesCounters: [{ counterSet: 'A', counters: { 'a b': { value: '1' } } }] },
    { consumesCounters: many(3, (index) => ({ counterSet: `s${index}`, counters: { a: { value: '1' } } })) },
    { consumesCounters: many(2, () => ({ counterSet: 's', counters: { a: { value: '1' } } })) },
    {
      consumesCounters: [
        { counterSet: 's', counters: Object.fromEntries(many(33, (index) => [`c${index}`, { value: '1' }])) },
      ],
    },
    policy({}),
    policy({ default: '1Gi', validValues: ['1Gi', '2Gi'] }),
    policy({ validValues: ['1Gi'] }),
    policy({ default: '3Gi', validValues: ['2Gi', '1Gi', '1Gi', '20Gi'] }),
    policy({ default: '1', validValues: many(11, (index) => `${index + 1}`) }),
    policy({ default: '1', validValues: ['1'], validRange: { min: '1' } }),
    policy({ validRange: { min: '1' } }),
    policy({ default: '1', validRange: {} }),
    policy({ default: '1Gi', validRange: { min: '1Gi', max: '4Gi', step: '1Gi' } }),
    policy({ default: '1', validRange: { min: '20Gi', max: '30Gi', step: '0' } }),
    policy({ default: '5', validRange: { min: '2', max: '4', step: '3' } }),
    policy({ default: '3', validRange: { min: '8', max: '4' } }),
    policy({ default: '1500m', validRange: { min: '1', step: '500m' } }, '10'),
    policy({ default: '1', validRange: { min: '1', step: '100' } }, '10'),
  ),
  {
    'spec.nodeName': undefined,
    'spec.perDeviceNodeSelection': true,
    'spec.devices': [
      { name: 'a' },
      { name: 'b', nodeName: '' },
      { name: 'c', nodeName: 'A b' },
      { name: 'd', allNodes: false },
      { name: 'e', allNodes: true, nodeName: 'n' },
      { name: 'f', nodeSelector: {} },
    ],
  },
  ...values(
    'spec.sharedCounters',
    [{}],
    [{ name: 'A', counters: { 'a b': { value: '1' } } }],
    [
      { name: 'a', counters: { a: { value: '1' } } },
      { name: 'a', counters: { a: { value: '1' } } },
    ],
    many(9, (index) => ({ name: `a${index}`, counters: { a: { value: '1' } } })),
    [{ name: 'a', counters: Object.fromEntries(many(33, (index) => [`c${index}`, { value: '1' }])) }],
  ),
  { 'spec.sharedCounters': [{ name: 'a', counters: { a: { value: '1' } } }], 'spec.devices': [sliceDevice('a')] },
];

const rules: readonly Mutation[] = [
  {},
  ...names,
  ...metadata,
  ...values('spec', {}, undefined),
  ...values(
    'spec.taint',
    {},
    { key: 'a b', value: 'c d', effect: 'x' },
    { key: 'a', effect: 'NoSchedule' },
    { key: 'a', effect: 'None' },
  ),
  ...values(
    'spec.deviceSelector',
    {},
    { driver: '', pool: '', device: '' },
    { driver: 'A b', pool: 'A/b', device: 'A' },
    { driver: 'a.b', pool: 'p', device: 'd' },
  ),
];

export const deviceCases: readonly KindCases[] = [
  ...claimKinds,
  kind('resourceslices', 'ResourceSlice', sliceSpec, {
    clusterScoped: true,
    create: slices,
    update: slices.slice(0, 24).filter((one) => one['metadata.name'] === undefined),
  }),
  kind(
    'devicetaintrules',
    'DeviceTaintRule',
    { taint: { key: 'a', effect: 'NoExecute' } },
    {
      clusterScoped: true,
      create: rules,
      update: rules.filter((one) => one['metadata.name'] === undefined),
      status: [
        {},
        ...values(
          'status',
          { conditions: [condition, condition, {}] },
          { conditions: many(9, (index) => ({ ...condition, type: `t${index}` })) },
        ),
        { 'metadata.labels': { a: 'b' }, 'spec.taint': { key: 'b', effect: 'None' } },
      ],
    },
  ),
];
