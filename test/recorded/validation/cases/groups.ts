import type { JsonObject } from '../../../../src/api/json/json.ts';
import type { KindCases } from '../case.ts';
import { values } from './values.ts';

function object(apiVersion: string, kind: string, rest: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: 'base' }, ...rest };
}

const service = { name: 'a', port: { number: 80 } };
const onePath = { path: '/', pathType: 'Prefix', backend: { service } };
const net = 'networking.k8s.io/v1';

export const networkCases: readonly KindCases[] = [
  {
    resource: `${net}/ingresses`,
    base: object(net, 'Ingress', { spec: { defaultBackend: { service } } }),
    create: [
      ...values(
        'spec.defaultBackend',
        undefined,
        {},
        { service: { name: 'A', port: {} } },
        { service: { name: '', port: { name: 'a', number: 5 } } },
        { service: { name: 'a', port: { number: 70000 } } },
        { service: { name: 'a', port: { name: '1' } } },
        { service, resource: { kind: 'a', name: 'b' } },
        { resource: { kind: '', name: 'a/b', apiGroup: 'A' } },
      ),
      ...values(
        'spec.rules',
        [{ host: '1.2.3.4' }],
        [{ host: 'A' }],
        [{ host: '*.A' }],
        [{ host: '*' }],
        [{ http: { paths: [] } }],
        [{ http: { paths: [{ ...onePath, path: 'a' }] } }],
        [{ http: { paths: [{ ...onePath, path: '/a//b/../c%2f/.' }] } }],
        [{ http: { paths: [{ ...onePath, pathType: 'x' }] } }],
        [{ http: { paths: [{ backend: { service } }] } }],
        [{ http: { paths: [{ ...onePath, pathType: 'ImplementationSpecific', path: 'x', backend: {} }] } }],
      ),
      ...values('spec.tls', [{ hosts: ['A', '*.b', '*'], secretName: 'A' }]),
      ...values('spec.ingressClassName', 'A'),
      { 'spec.ingressClassName': 'a', 'metadata.annotations': { 'kubernetes.io/ingress.class': 'b' } },
    ],
    update: values('spec.defaultBackend', {}),
    status: values('status.loadBalancer', { ingress: [{ ip: 'x', hostname: 'A' }] }),
  },
  {
    resource: `${net}/ingressclasses`,
    clusterScoped: true,
    base: object(net, 'IngressClass', { spec: { controller: 'a.b/c' } }),
    create: [
      ...values('spec.controller', 'x', 'A/b', '', 'a/|'),
      ...values(
        'spec.parameters',
        { kind: '', name: '', scope: 'Cluster' },
        { kind: 'a', name: 'b', scope: 'x' },
        { kind: 'a', name: 'b', scope: 'Namespace' },
        { kind: 'a', name: 'b', scope: 'Cluster', namespace: 'a' },
        { kind: 'a/b', name: '..', scope: 'Namespace', namespace: 'A', apiGroup: 'B' },
      ),
    ],
    update: values('spec.controller', 'a.b/d', 'x'),
  },
  {
    resource: `${net}/networkpolicies`,
    base: object(net, 'NetworkPolicy', { spec: { podSelector: {}, policyTypes: ['Ingress'] } }),
    create: [
      ...values(
        'spec.podSelector',
        { matchLabels: { 'a b': 'c' } },
        { matchExpressions: [{ key: 'a', operator: 'x' }] },
      ),
      ...values('spec.policyTypes', ['x'], ['Ingress', 'Egress', 'Ingress']),
      ...values(
        'spec.ingress',
        [{ from: [{}] }],
        [{ from: [{ ipBlock: { cidr: '' } }] }],
        [{ from: [{ ipBlock: { cidr: 'x' } }] }],
        [{ from: [{ ipBlock: { cidr: '10.0.0.1/8' } }] }],
        [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/8', '10.0.0.0/8', 'x'] } }] }],
        [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }] }],
        [{ ports: [{ protocol: 'X' }] }],
        [{ ports: [{ protocol: 'TCP', port: 0 }] }],
        [{ ports: [{ protocol: 'TCP', port: 'A--' }] }],
        [{ ports: [{ protocol: 'TCP', port: 80, endPort: 70 }] }],
        [{ ports: [{ protocol: 'TCP', endPort: 70 }] }],
        [{ ports: [{ protocol: 'TCP', port: 'a', endPort: 70 }] }],
      ),
      ...values('spec.egress', [{ to: [{}] }]),
    ],
    update: values('spec.policyTypes', ['x']),
  },
  {
    resource: `${net}/ipaddresses`,
    clusterScoped: true,
    base: {
      ...object(net, 'IPAddress', { spec: { parentRef: { resource: 'services', name: 'x', namespace: 'default' } } }),
      metadata: { name: '10.9.9.9' },
    },
    create: values(
      'spec.parentRef',
      undefined,
      { resource: '', name: '' },
      { group: 'A', resource: 'a/b', name: '..', namespace: 'c%' },
    ),
    update: values('spec.parentRef', { resource: 'services', name: 'y', namespace: 'default' }),
  },
  {
    resource: `${net}/servicecidrs`,
    clusterScoped: true,
    base: object(net, 'ServiceCIDR', { spec: { cidrs: ['10.77.0.0/24'] } }),
    create: values(
      'spec.cidrs',
      [],
      ['x'],
      ['10.77.0.1/24'],
      ['10.77.0.0/24', '10.78.0.0/24'],
      ['FD00::/64'],
      ['10.1.0.0/24', 'fd00::/64', '10.2.0.0/24'],
    ),
    update: values('spec.cidrs', ['10.78.0.0/24'], ['10.78.0.0/24', 'fd00::/64']),
  },
];

const rbacVersion = 'rbac.authorization.k8s.io/v1';
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'a' };

export const accessCases: readonly KindCases[] = [
  ...[false, true].map((clusterScoped): KindCases => ({
    resource: `${rbacVersion}/${clusterScoped ? 'clusterroles' : 'roles'}`,
    clusterScoped,
    base: object(rbacVersion, clusterScoped ? 'ClusterRole' : 'Role', { rules: [] }),
    create: [
      ...values(
        'rules',
        [{ apiGroups: [''], resources: ['pods'], verbs: [] }],
        [{ verbs: ['get'] }],
        [{ verbs: ['get'], apiGroups: [''] }],
        [{ verbs: ['get'], nonResourceURLs: ['/a'], resources: ['pods'] }],
        [{ verbs: [], nonResourceURLs: ['/a'], apiGroups: ['x'] }],
        [{ verbs: [] }, { verbs: ['get'] }],
      ),
      ...(clusterScoped
        ? values(
            'aggregationRule',
            { clusterRoleSelectors: [] },
            { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c' } }] },
          ).slice(0, 1)
        : []),
    ],
    update: values('rules', [{ verbs: [] }]),
  })),
  ...[false, true].map((clusterScoped): KindCases => ({
    resource: `${rbacVersion}/${clusterScoped ? 'clusterrolebindings' : 'rolebindings'}`,
    clusterScoped,
    base: object(rbacVersion, clusterScoped ? 'ClusterRoleBinding' : 'RoleBinding', { roleRef, subjects: [] }),
    create: [
      ...values(
        'roleRef',
        { ...roleRef, apiGroup: 'x' },
        { ...roleRef, kind: 'x' },
        { ...roleRef, name: 'a/b' },
        { ...roleRef, name: '', kind: 'x' },
      ),
      ...values(
        'subjects',
        [{ kind: 'ServiceAccount', name: '', namespace: 'a' }],
        [{ kind: 'ServiceAccount', name: 'A', apiGroup: 'x', namespace: 'a' }],
        [{ kind: 'User', name: '', apiGroup: 'x' }],
        [{ kind: 'Strange', name: 'a' }],
      ),
    ],
    update: values('roleRef', { ...roleRef, name: 'b' }),
  })),
];

const target = { type: 'Utilization', averageUtilization: 5 };
const hpa = 'autoscaling/v2';

export const scalingCases: readonly KindCases[] = [
  {
    resource: `${hpa}/horizontalpodautoscalers`,
    base: object(hpa, 'HorizontalPodAutoscaler', {
      spec: {
        maxReplicas: 5,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
      },
    }),
    create: [
      ...values('spec.minReplicas', -1, 10, 0),
      ...values('spec.maxReplicas', 0, -1),
      ...values('spec.scaleTargetRef', { kind: '', name: '' }, { kind: 'a/b', name: '..', apiVersion: 'a/b/c' }),
      ...values(
        'spec.metrics.0',
        { type: '' },
        { type: 'Strange' },
        { type: 'Resource' },
        { type: 'Resource', resource: { name: '', target } },
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'x' } } },
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0, averageValue: '-1' } },
        },
        { type: 'Pods', pods: { metric: { name: 'a/b' }, target: { type: 'Value', value: '0' } } },
        {
          type: 'External',
          external: { metric: { name: '' }, target: { type: 'Value', value: '1', averageValue: '1' } },
        },
        {
          type: 'Object',
          object: { metric: { name: 'a' }, describedObject: { kind: '', name: '' }, target: { type: 'Value' } },
        },
        { type: 'ContainerResource', containerResource: { name: 'gpu', container: 'A', target } },
        { type: 'Resource', resource: { name: 'cpu', target }, pods: { metric: { name: 'a' }, target } },
      ),
      ...values(
        'spec.behavior.scaleUp',
        { stabilizationWindowSeconds: -1, selectPolicy: 'x', policies: [{ type: 'x', value: 0, periodSeconds: 0 }] },
        {
          stabilizationWindowSeconds: 4000,
          selectPolicy: 'Max',
          policies: [{ type: 'Pods', value: 1, periodSeconds: 2000 }],
        },
      ),
    ],
    update: values('spec.maxReplicas', 0),
    status: [{ 'status.currentReplicas': -1, 'status.desiredReplicas': -2 }],
  },
  {
    resource: 'policy/v1/poddisruptionbudgets',
    base: object('policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: 1 } }),
    create: [
      ...values('spec.minAvailable', -1, 'x', '101%'),
      ...values('spec.maxUnavailable', 1),
      ...values('spec.selector', { matchExpressions: [{ key: 'a', operator: 'x' }] }),
      ...values('spec.unhealthyPodEvictionPolicy', 'x'),
    ],
    update: values('spec.minAvailable', -1),
    status: [{ 'status.disruptionsAllowed': -1 }],
  },
];

const store = 'storage.k8s.io/v1';

export const storageCases: readonly KindCases[] = [
  {
    resource: `${store}/storageclasses`,
    clusterScoped: true,
    base: object(store, 'StorageClass', { provisioner: 'a.b/c' }),
    create: [
      ...values('provisioner', undefined, 'a b'),
      ...values('parameters', { '': 'a' }),
      ...values('reclaimPolicy', 'x', 'Recycle'),
      ...values('volumeBindingMode', 'x'),
      ...values('allowedTopologies', [
        {
          matchLabelExpressions: [
            { key: 'a b', values: [] },
            { key: 'a b', values: ['a', 'a'] },
          ],
        },
      ]),
    ],
    update: [
      { provisioner: 'a.b/d' },
      { parameters: { a: 'b' } },
      { reclaimPolicy: 'Retain' },
      { volumeBindingMode: 'WaitForFirstConsumer', reclaimPolicy: 'Retain' },
    ],
  },
  {
    resource: `${store}/volumeattributesclasses`,
    clusterScoped: true,
    base: object(store, 'VolumeAttributesClass', { driverName: 'a.b', parameters: { a: 'b' } }),
    create: [...values('driverName', '', 'a b'), ...values('parameters', undefined, { '': 'a' })],
    update: [{ driverName: 'a.c' }, { parameters: { a: 'c' } }],
  },
  {
    resource: `${store}/volumeattachments`,
    clusterScoped: true,
    base: object(store, 'VolumeAttachment', {
      spec: { attacher: 'a.b', nodeName: 'n', source: { persistentVolumeName: 'v' } },
    }),
    create: [
      ...values('spec.attacher', '', 'A_b', 'x'.repeat(64)),
      ...values('spec.nodeName', 'A'),
      ...values('spec.source', {}, { persistentVolumeName: '' }, { persistentVolumeName: 'A' }),
    ],
    update: values('spec.nodeName', 'm'),
  },
  {
    resource: `${store}/csinodes`,
    clusterScoped: true,
    base: object(store, 'CSINode', { spec: { drivers: [{ name: 'a.b', nodeID: 'n' }] } }),
    create: values(
      'spec.drivers',
      [{ name: '', nodeID: '' }],
      [{ name: 'A_b', nodeID: 'n', allocatable: { count: -1 } }],
      [
        { name: 'a', nodeID: 'n' },
        { name: 'a', nodeID: 'n' },
      ],
      [{ name: 'a', nodeID: 'n', topologyKeys: ['', 'a b', 'a b'] }],
    ),
    update: values('spec.drivers.0.nodeID', 'm'),
  },
  {
    resource: `${store}/csidrivers`,
    clusterScoped: true,
    base: object(store, 'CSIDriver', { spec: {} }),
    create: [
      ...values('spec.fsGroupPolicy', 'x'),
      ...values('spec.volumeLifecycleModes', ['x']),
      ...values(
        'spec.tokenRequests',
        [{ audience: 'a' }, { audience: 'a' }],
        [{ audience: 'a', expirationSeconds: 5 }],
      ),
      ...values('spec.nodeAllocatableUpdatePeriodSeconds', 5),
      ...values('spec.serviceAccountTokenInSecrets', true),
    ],
    update: [{ 'spec.attachRequired': false }, { 'spec.volumeLifecycleModes': ['Ephemeral'] }],
  },
  {
    resource: `${store}/csistoragecapacities`,
    base: object(store, 'CSIStorageCapacity', { storageClassName: 'a' }),
    create: [
      ...values('storageClassName', 'A', ''),
      ...values('capacity', '-1'),
      ...values('nodeTopology', { matchExpressions: [{ key: 'a', operator: 'x' }] }),
    ],
    update: values('storageClassName', 'b'),
  },
];

export const smallCases: readonly KindCases[] = [
  {
    resource: 'scheduling.k8s.io/v1/priorityclasses',
    clusterScoped: true,
    base: object('scheduling.k8s.io/v1', 'PriorityClass', { value: 5 }),
    create: [
      { value: 1000000001 },
      { preemptionPolicy: 'x' },
      { 'metadata.name': 'system-x' },
      { 'metadata.name': 'system-node-critical' },
    ],
    update: [{ value: 6 }, { preemptionPolicy: 'Never' }],
  },
  {
    resource: 'node.k8s.io/v1/runtimeclasses',
    clusterScoped: true,
    base: object('node.k8s.io/v1', 'RuntimeClass', { handler: 'a' }),
    create: [
      ...values('handler', 'A', '', 'a.b'),
      ...values('overhead', { podFixed: { gpu: '1' } }),
      ...values(
        'scheduling',
        { nodeSelector: { 'a b': 'c' } },
        { tolerations: [{ operator: 'Exists' }, { operator: 'Exists' }] },
      ),
    ],
    update: values('handler', 'b'),
  },
  {
    resource: 'coordination.k8s.io/v1/leases',
    base: object('coordination.k8s.io/v1', 'Lease', { spec: {} }),
    create: [...values('spec.leaseDurationSeconds', 0, -1), ...values('spec.leaseTransitions', -1)],
    update: values('spec.leaseDurationSeconds', 0),
  },
  {
    resource: 'discovery.k8s.io/v1/endpointslices',
    base: object('discovery.k8s.io/v1', 'EndpointSlice', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'] }],
    }),
    create: [
      ...values('addressType', 'x', ''),
      ...values(
        'ports',
        [{ name: 'A', protocol: 'TCP' }],
        [{ name: 'a', protocol: 'X' }],
        [
          { name: '', protocol: 'TCP' },
          { name: '', protocol: 'TCP' },
        ],
      ),
      ...values(
        'endpoints',
        [{ addresses: [] }],
        [{ addresses: ['x'] }],
        [{ addresses: ['127.0.0.1'] }],
        [{ addresses: ['fd00::1'] }],
        [{ addresses: ['10.0.0.1'], nodeName: 'A', hostname: 'B' }],
      ),
    ],
    update: [{ addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] }],
  },
];
