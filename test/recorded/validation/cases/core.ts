import type { JsonObject } from '../../../../src/api/json/json.ts';
import type { KindCases } from '../case.ts';
import { values } from './values.ts';

function object(kind: string, rest: JsonObject, apiVersion = 'v1'): JsonObject {
  return { apiVersion, kind, metadata: { name: 'base' }, ...rest };
}

const port = { port: 80, protocol: 'TCP', targetPort: 80 };
const headless = { clusterIP: 'None', ports: [port], selector: { a: 'b' } };

export const serviceCases: readonly KindCases[] = [
  {
    resource: 'v1/services',
    base: object('Service', { spec: headless }),
    create: [
      ...values(
        'spec.ports',
        [{ ...port, port: 0 }],
        [{ ...port, protocol: 'X' }],
        [{ ...port, targetPort: 'A--' }],
        [{ ...port, targetPort: 70000 }],
        [{ ...port, appProtocol: 'a b' }],
        [{ ...port, name: 'A' }],
        [port, port],
        [
          { ...port, name: 'a' },
          { ...port, name: 'a' },
        ],
      ),
      ...values('spec.selector', { 'a b': 'c' }),
      ...values('spec.sessionAffinity', 'x'),
      { 'spec.sessionAffinity': 'ClientIP', 'spec.sessionAffinityConfig': { clientIP: { timeoutSeconds: 100000 } } },
      ...values('spec.externalIPs', ['x'], ['127.0.0.1', '0.0.0.0', '169.254.1.1', '224.0.0.1'], ['010.1.1.1']).map(
        (mutation) => ({ ...mutation, 'spec.externalTrafficPolicy': 'Cluster' }),
      ),
      ...values('spec.type', 'Strange'),
      { 'spec.type': 'NodePort', 'spec.externalTrafficPolicy': 'Cluster' },
      {
        'spec.type': 'LoadBalancer',
        'spec.externalTrafficPolicy': 'Cluster',
        'spec.allocateLoadBalancerNodePorts': true,
      },
      { 'spec.type': 'ExternalName', 'spec.externalName': 'A_b' },
      ...values('spec.internalTrafficPolicy', 'x'),
      ...values('spec.externalTrafficPolicy', 'Local'),
      ...values('spec.trafficDistribution', 'x'),
      ...values('spec.loadBalancerClass', 'a.b/c'),
      ...values('spec.loadBalancerSourceRanges', ['10.0.0.0/8', 'x']),
      ...values('spec.healthCheckNodePort', 5),
      ...values('spec.allocateLoadBalancerNodePorts', true),
      ...values('spec.ipFamilies', ['IPv5']),
      { 'metadata.annotations': { 'service.beta.kubernetes.io/load-balancer-source-ranges': 'x' } },
      {
        'metadata.annotations': {
          'service.kubernetes.io/topology-mode': 'x',
          'service.kubernetes.io/topology-aware-hints': 'y',
        },
      },
    ],
    update: [{ 'spec.type': 'Strange' }],
    status: values('status.loadBalancer', { ingress: [{ ip: 'x', ipMode: 'VIP' }] }),
  },
  {
    resource: 'v1/services',
    variant: 'addressed',
    base: { ...object('Service', { spec: { type: 'LoadBalancer', ports: [port] } }), metadata: { name: 'addressed' } },
    update: [
      { 'spec.clusterIP': '10.0.0.200', 'spec.clusterIPs': ['10.0.0.200'] },
      { 'spec.loadBalancerClass': 'a.b/c' },
      { 'spec.externalTrafficPolicy': 'x' },
      { 'spec.loadBalancerSourceRanges': ['10.0.0.1/8', '10.0.0.0/40'] },
    ],
    status: values(
      'status.loadBalancer',
      { ingress: [{ ip: 'x', ipMode: 'VIP' }] },
      { ingress: [{ ip: '1.2.3.4', ipMode: 'No' }] },
      { ingress: [{ ipMode: 'VIP' }] },
      { ingress: [{ hostname: 'A_' }, { hostname: '1.2.3.4' }] },
    ),
  },
];

const claimSpec = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  storageClassName: 'class',
};
const affinity = { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] } };

export const volumeCases: readonly KindCases[] = [
  {
    resource: 'v1/persistentvolumeclaims',
    base: object('PersistentVolumeClaim', { spec: claimSpec }),
    create: [
      ...values('spec.accessModes', [], ['x'], ['ReadWriteOncePod', 'ReadOnlyMany']),
      ...values('spec.resources', {}, { requests: { storage: '-1' } }, { requests: { storage: '0' } }),
      ...values('spec.storageClassName', 'A'),
      ...values('spec.volumeMode', 'x'),
      ...values('spec.selector', { matchExpressions: [{ key: 'a', operator: 'x' }] }),
      ...values('spec.volumeAttributesClassName', 'A'),
      ...['dataSource', 'dataSourceRef'].map((name) => ({
        'spec.dataSource': { kind: 'X', name: 'a' },
        'spec.dataSourceRef': { kind: 'X', name: name === 'dataSource' ? 'a' : 'b' },
      })),
    ],
    update: [
      { 'spec.resources.requests.storage': '2Gi' },
      { 'spec.storageClassName': 'other' },
      { 'spec.volumeMode': 'Block' },
      { 'spec.accessModes': ['ReadOnlyMany'] },
      { 'metadata.annotations': { 'volume.beta.kubernetes.io/storage-class': 'x' } },
    ],
  },
  {
    resource: 'v1/persistentvolumes',
    clusterScoped: true,
    base: object('PersistentVolume', {
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
    }),
    create: [
      ...values('spec.accessModes', [], ['x']),
      ...values('spec.capacity', undefined, { storage: '0' }, { cpu: '1' }, { storage: '-1' }),
      ...values('spec.persistentVolumeReclaimPolicy', 'x'),
      { 'spec.persistentVolumeReclaimPolicy': 'Recycle', 'spec.hostPath.path': '/' },
      ...values('spec.hostPath', undefined, { path: '', type: '' }),
      ...values('spec.nfs', { server: 'a', path: '/b' }),
      { 'spec.hostPath': undefined, 'spec.local': { path: '' } },
      { 'spec.hostPath': undefined, 'spec.csi': { driver: '', volumeHandle: '', nodePublishSecretRef: { name: 'A' } } },
      { 'spec.hostPath': undefined, 'spec.iscsi': { targetPortal: '', iqn: 'x', lun: -1, iscsiInterface: 'default' } },
      { 'spec.hostPath': undefined, 'spec.cinder': { volumeID: '', secretRef: {} } },
      { 'spec.hostPath': undefined, 'spec.glusterfs': { endpoints: '', path: '', endpointsNamespace: 'A' } },
      { 'spec.hostPath': undefined, 'spec.azureFile': { secretName: '', shareName: '', secretNamespace: '' } },
      ...values('spec.nodeAffinity', {}),
      ...values('spec.storageClassName', 'A'),
      ...values('spec.volumeMode', 'x'),
      ...values('spec.volumeAttributesClassName', 'a'),
    ],
    update: [
      { 'spec.hostPath.path': '/b' },
      { 'spec.volumeMode': 'Block' },
      { 'spec.hostPath': undefined, 'spec.nfs': { server: 'a', path: '/b' } },
      { 'spec.nodeAffinity': affinity, 'spec.hostPath.type': 'File' },
    ],
  },
];

export const configurationCases: readonly KindCases[] = [
  {
    resource: 'v1/configmaps',
    base: { ...object('ConfigMap', { data: { a: 'b' } }), immutable: true },
    create: [
      ...values('data', { 'a b': 'c' }, { '..': 'c' }, { '..a': 'c' }, { '': 'x' }, { ['x'.repeat(254)]: 'c' }),
      { data: { a: 'b' }, binaryData: { a: 'Yg==' } },
      { binaryData: { 'x y': 'Yg==' } },
      { 'metadata.finalizers': ['own'] },
    ],
    update: [{ data: { a: 'c' } }, { immutable: false }, { binaryData: { x: 'Yg==' } }, { data: { 'a b': 'c' } }],
  },
  {
    resource: 'v1/secrets',
    base: { ...object('Secret', { data: { a: 'Yg==' } }), immutable: true },
    create: [
      { data: { 'a b': 'Yg==' } },
      ...['dockercfg', 'dockerconfigjson', 'basic-auth', 'ssh-auth', 'tls', 'service-account-token'].map((type) => ({
        type: `kubernetes.io/${type}`,
      })),
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'eA==' } },
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'W10=' } },
      { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': '' } },
    ],
    update: [{ type: 'other' }, { data: { a: 'Yw==' } }, { immutable: false }],
  },
  {
    resource: 'v1/namespaces',
    clusterScoped: true,
    base: object('Namespace', {}),
    create: [
      { 'metadata.finalizers': ['x'] },
      { 'metadata.finalizers': ['kubernetes', 'y'] },
      { 'spec.finalizers': ['x'] },
      { 'spec.finalizers': ['a b'] },
    ],
    update: [{ 'metadata.finalizers': ['x'] }],
    status: values('status.phase', 'Terminating', 'x'),
  },
  {
    resource: 'v1/serviceaccounts',
    base: object('ServiceAccount', {}),
    create: values('metadata.finalizers', ['x'], ['x', 'y'], ['orphan', 'z']),
    update: values('metadata.finalizers', ['x']),
  },
];

const quota = (hard: JsonObject) => ({ hard });

export const policyCases: readonly KindCases[] = [
  {
    resource: 'v1/resourcequotas',
    base: object('ResourceQuota', { spec: { hard: { pods: '100000' } } }),
    create: [
      ...values(
        'spec',
        quota({ 'a b': '1' }),
        quota({ gpu: '1' }),
        quota({ pods: '-1' }),
        quota({ pods: '1500m' }),
        quota({ storage: '1' }),
      ),
      ...values(
        'spec.scopes',
        ['Strange'],
        ['BestEffort', 'NotBestEffort'],
        ['Terminating', 'NotTerminating'],
        ['VolumeAttributesClass'],
      ),
      ...values(
        'spec.scopeSelector',
        { matchExpressions: [{ scopeName: 'Strange', operator: 'Exists' }] },
        { matchExpressions: [{ scopeName: 'BestEffort', operator: 'In', values: ['a'] }] },
        { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] },
        { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }] },
        { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'x' }] },
      ),
    ],
    update: [{ 'spec.scopes': ['BestEffort'] }],
    status: [{ 'status.hard': { gpu: '1' }, 'status.used': { pods: '-1' } }],
  },
  {
    resource: 'v1/limitranges',
    base: object('LimitRange', {
      spec: {
        limits: [
          {
            type: 'Container',
            max: { 'example.com/none': '1' },
            default: { 'example.com/none': '1' },
            defaultRequest: { 'example.com/none': '1' },
          },
        ],
      },
    }),
    create: [
      ...values(
        'spec.limits',
        [{ type: 'Strange' }],
        [{ type: 'a b' }],
        [{ type: 'Pod' }, { type: 'Pod' }],
        [{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }],
        [{ type: 'PersistentVolumeClaim' }],
        [{ type: 'Pod', max: { gpu: '1' } }],
        [{ type: 'Pod', max: { cpu: '1' }, min: { cpu: '2' } }],
        [{ type: 'Pod', max: { cpu: '2' }, min: { cpu: '1' }, maxLimitRequestRatio: { cpu: '3' } }],
        [{ type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } }],
        [{ type: 'Container', max: { cpu: '1' }, default: { cpu: '2' }, defaultRequest: { cpu: '3' } }],
        [
          {
            type: 'Container',
            min: { cpu: '5' },
            max: { cpu: '6' },
            default: { cpu: '2' },
            defaultRequest: { cpu: '1' },
          },
        ],
      ),
    ],
    update: values('spec.limits', [{ type: 'Strange' }]),
  },
  {
    resource: 'v1/nodes',
    clusterScoped: true,
    base: object('Node', { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'], providerID: 'a' } }),
    create: [
      ...values(
        'spec.taints',
        [{ key: 'a b', effect: 'NoSchedule' }],
        [{ key: 'a', effect: 'x' }],
        [{ key: 'a', effect: '' }],
        [{ key: 'a', value: 'x y', effect: 'NoSchedule' }],
      ),
      {
        'spec.taints': [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule', value: 'b' },
        ],
      },
      { 'spec.podCIDR': 'x', 'spec.podCIDRs': ['x'] },
      { 'spec.podCIDRs': ['10.1.0.0/24', '10.2.0.0/24'] },
    ],
    update: [
      { 'spec.providerID': 'b' },
      { 'spec.providerID': undefined },
      { 'spec.podCIDR': '10.2.0.0/24', 'spec.podCIDRs': ['10.2.0.0/24'] },
      { 'spec.externalID': 'x' },
      { 'spec.taints': [{ key: 'a', effect: 'x' }] },
    ],
    status: [
      { 'status.capacity': { cpu: '-1' }, 'status.allocatable': { cpu: '-1' } },
      { 'status.allocatable': { pods: '1500m' } },
      {
        'status.addresses': [
          { type: 'Hostname', address: 'a' },
          { type: 'Hostname', address: 'a' },
        ],
      },
    ],
  },
  {
    resource: 'v1/endpoints',
    base: object('Endpoints', {
      subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }],
    }),
    create: [
      ...values(
        'subsets.0',
        {},
        { addresses: [{ ip: 'x' }] },
        { addresses: [{ ip: '127.0.0.1' }] },
        { addresses: [{ ip: '169.254.0.1', hostname: 'A', nodeName: 'B' }] },
      ),
      ...values(
        'subsets.0.ports',
        [{ port: 0, protocol: 'TCP' }],
        [{ port: 1, protocol: 'X' }],
        [
          { port: 1, protocol: 'TCP' },
          { port: 2, protocol: 'TCP', name: 'A', appProtocol: 'a b' },
        ],
      ),
    ],
    update: values('subsets.0', { addresses: [{ ip: 'x' }] }),
  },
  {
    resource: 'v1/events',
    base: object('Event', { involvedObject: { namespace: 'recorded-validation', name: 'x' } }),
    create: [
      { 'involvedObject.namespace': 'other' },
      { 'involvedObject.namespace': undefined },
      { eventTime: '2026-01-01T00:00:00.000000Z' },
      {
        eventTime: '2026-01-01T00:00:00.000000Z',
        reportingComponent: 'a b',
        reportingInstance: 'x'.repeat(129),
        action: 'a',
        reason: 'b',
      },
    ],
    update: [{ 'involvedObject.namespace': 'other' }],
  },
];
