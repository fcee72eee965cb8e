import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

const c = 'spec.containers.0';
const http = { path: '/', port: 80, scheme: 'HTTP' };
const counts = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

const containerFields: readonly Mutation[] = [
  ...values(`${c}.name`, undefined, 'A_b', 'a.b', 'x'.repeat(64)),
  ...values(`${c}.image`, undefined, ' x'),
  ...values(`${c}.terminationMessagePolicy`, 'No'),
  ...values(`${c}.imagePullPolicy`, 'Sometimes'),
  { 'spec.containers': [] },
  { 'spec.containers.1': { name: 'main', image: 'x', terminationMessagePolicy: 'File', imagePullPolicy: 'Never' } },
  ...values(
    `${c}.ports`,
    [{ protocol: 'TCP' }],
    [{ containerPort: 70000, protocol: 'TCP' }],
    [{ containerPort: 80, hostPort: -1, protocol: 'TCP' }],
    [{ containerPort: 80, protocol: 'QUIC' }],
    [{ name: 'A--b-', containerPort: 80, protocol: 'TCP' }],
    [{ name: 'abcdefghijklmnopq', containerPort: 80, protocol: 'TCP' }],
    [{ name: '12', containerPort: 80, protocol: 'TCP' }],
    [
      { name: 'a', containerPort: 80, hostPort: 80, protocol: 'TCP' },
      { name: 'a', containerPort: 81, hostPort: 80, protocol: 'TCP' },
    ],
  ),
  ...values(
    `${c}.env`,
    [{ value: 'x' }],
    [{ name: 'a=b' }],
    [{ name: 'a', valueFrom: {} }],
    [{ name: 'a', value: 'x', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }],
    [{ name: 'a', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.nothing' } } }],
    [{ name: 'a', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } } }],
    [{ name: 'a', valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } } }],
    [{ name: 'a', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.labels['a b']" } } }],
    [{ name: 'a', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.name['a']" } } }],
    [{ name: 'a', valueFrom: { fieldRef: { apiVersion: 'v1' } } }],
    [{ name: 'a', valueFrom: { resourceFieldRef: { divisor: '0' } } }],
    [{ name: 'a', valueFrom: { resourceFieldRef: { resource: 'limits.gpu', divisor: '0' } } }],
    [{ name: 'a', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } }],
    [{ name: 'a', valueFrom: { resourceFieldRef: { resource: 'requests.memory', divisor: '3Mi' } } }],
    [{ name: 'a', valueFrom: { configMapKeyRef: { name: 'A', key: 'a b' } } }],
    [{ name: 'a', valueFrom: { secretKeyRef: { name: '' } } }],
    [{ name: 'a', valueFrom: { fileKeyRef: { key: 'a=', path: '../a', volumeName: 'none' } } }],
    [{ name: 'a', valueFrom: { secretKeyRef: { name: 'a', key: 'a' }, configMapKeyRef: { name: 'a', key: '..' } } }],
  ),
  ...values(
    `${c}.envFrom`,
    [{}],
    [{ prefix: '=', configMapRef: { name: 'A' } }],
    [{ secretRef: {} }],
    [{ secretRef: { name: 'a' }, configMapRef: { name: 'a-' } }],
  ),
];

const resources: readonly Mutation[] = values(
  `${c}.resources`,
  { limits: { cpu: '-1' }, requests: { cpu: '-1' } },
  { limits: { gpu: '1' }, requests: { gpu: '1' } },
  { limits: { 'example.com/gpu': '1500m' }, requests: { 'example.com/gpu': '1500m' } },
  { limits: { 'a b': '1' }, requests: { 'a b': '1' } },
  { limits: { cpu: '1' }, requests: { cpu: '2' } },
  { limits: { 'example.com/gpu': '1' }, requests: { 'example.com/gpu': '2' } },
  { requests: { 'example.com/gpu': '2' } },
  { requests: { 'hugepages-2Mi': '3Mi' }, limits: { 'hugepages-2Mi': '3Mi' } },
  { limits: { 'hugepages-x': '1', cpu: '1' } },
  { limits: { 'hugepages-': '1', cpu: '1' } },
  { limits: { 'requests.foo/bar': '1' }, requests: { 'requests.foo/bar': '1' } },
  { limits: { pods: '1' }, requests: { pods: '1' } },
  { claims: [{ name: 'a' }, {}] },
);

const probes: readonly Mutation[] = [
  ...values(
    `${c}.livenessProbe`,
    { ...counts },
    { ...counts, httpGet: { port: 0, scheme: 'HTTP', path: '/' } },
    { ...counts, httpGet: { port: 'no--good', scheme: 'http', path: '/' } },
    { ...counts, httpGet: { port: 80, scheme: 'HTTP', path: '/', httpHeaders: [{ name: 'a b', value: 'x' }] } },
    { ...counts, httpGet: http, tcpSocket: { port: 1 } },
    { ...counts, exec: {} },
    { ...counts, grpc: { port: 0, service: '' } },
    { ...counts, httpGet: http, timeoutSeconds: -1, periodSeconds: -2, initialDelaySeconds: -3, failureThreshold: -4 },
    { ...counts, httpGet: http, successThreshold: 2 },
    { ...counts, httpGet: http, terminationGracePeriodSeconds: 0 },
  ),
  ...values(`${c}.readinessProbe`, { ...counts, httpGet: http, terminationGracePeriodSeconds: 5 }),
  ...values(`${c}.startupProbe`, { ...counts, tcpSocket: { port: 'x_y' }, successThreshold: 5 }),
  ...values(
    `${c}.lifecycle`,
    { preStop: {} },
    { postStart: { exec: { command: [] } } },
    { preStop: { sleep: { seconds: 1000 } } },
  ),
];

const mounts: readonly Mutation[] = [
  ...values(
    `${c}.volumeMounts`,
    [{ name: 'none', mountPath: '/a' }],
    [{ mountPath: '/a' }],
    [{ name: 'data' }],
    [
      { name: 'data', mountPath: '/a' },
      { name: 'data', mountPath: '/a' },
    ],
    [{ name: 'data', mountPath: '/a', subPath: '/b' }],
    [{ name: 'data', mountPath: '/a', subPath: 'a/../b' }],
    [{ name: 'data', mountPath: '/a', subPath: 'a', subPathExpr: '/b' }],
    [{ name: 'data', mountPath: '/a', mountPropagation: 'Bidirectional' }],
    [{ name: 'data', mountPath: '/a', mountPropagation: 'Up' }],
    [{ name: 'data', mountPath: '/a', recursiveReadOnly: 'Enabled' }],
    [{ name: 'data', mountPath: '/a', recursiveReadOnly: 'Maybe' }],
  ),
  ...values(
    `${c}.volumeDevices`,
    [{ name: 'data', devicePath: '/dev/a' }],
    [{ name: 'none', devicePath: '/a/../b' }],
    [{ name: 'claim' }],
  ),
];

const volumes: readonly Mutation[] = values(
  'spec.volumes.2',
  { emptyDir: {} },
  { name: 'A', emptyDir: {} },
  { name: 'data', emptyDir: {} },
  { name: 'x', emptyDir: { sizeLimit: '-1' } },
  { name: 'x', hostPath: { path: '' } },
  { name: 'x', hostPath: { path: '/a/../b', type: 'Strange' } },
  { name: 'x', emptyDir: {}, hostPath: { path: '/a', type: '' } },
  { name: 'x', emptyDir: {}, cephfs: { monitors: [] }, downwardAPI: { defaultMode: 420 } },
  { name: 'x', secret: { defaultMode: 420 } },
  { name: 'x', secret: { secretName: 'a', defaultMode: 5000 } },
  { name: 'x', secret: { secretName: 'a', defaultMode: 420, items: [{ key: '', path: '/a' }] } },
  { name: 'x', configMap: { name: 'a', defaultMode: 420, items: [{ key: 'a', path: '..a', mode: -1 }] } },
  { name: 'x', configMap: { defaultMode: 420 } },
  { name: 'x', persistentVolumeClaim: { claimName: '' } },
  { name: 'x', nfs: { server: '', path: 'a' } },
  { name: 'x', iscsi: { targetPortal: '', iqn: 'x', lun: 300, iscsiInterface: 'default' } },
  { name: 'x', iscsi: { targetPortal: 'a', iqn: 'iqn.x', lun: 0, chapAuthSession: true, iscsiInterface: 'default' } },
  { name: 'x', gcePersistentDisk: { pdName: '', partition: 300 } },
  { name: 'x', awsElasticBlockStore: { volumeID: '' } },
  { name: 'x', gitRepo: { repository: '', directory: '/a' } },
  { name: 'x', glusterfs: { endpoints: '', path: '' } },
  { name: 'x', flocker: { datasetName: 'a/b', datasetUUID: 'c' } },
  { name: 'x', flocker: {} },
  { name: 'x', fc: {} },
  { name: 'x', fc: { targetWWNs: ['a'], wwids: ['b'] } },
  { name: 'x', flexVolume: { driver: '', options: { 'a.kubernetes.io/b': 'c' } } },
  { name: 'x', rbd: { monitors: [], image: '', pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } },
  { name: 'x', cinder: { volumeID: '', secretRef: {} } },
  { name: 'x', quobyte: { registry: 'nocolon', volume: '' } },
  { name: 'x', azureFile: { secretName: '', shareName: '' } },
  {
    name: 'x',
    azureDisk: { diskName: '', diskURI: 'x', kind: 'Managed', cachingMode: 'None', fsType: 'ext4', readOnly: false },
  },
  { name: 'x', vsphereVolume: { volumePath: '' } },
  { name: 'x', portworxVolume: { volumeID: '' } },
  { name: 'x', scaleIO: { gateway: '', system: '', secretRef: null, storageMode: 'ThinProvisioned', fsType: 'xfs' } },
  { name: 'x', storageos: { volumeName: 'A', volumeNamespace: 'B', secretRef: {} } },
  { name: 'x', csi: { driver: '' } },
  { name: 'x', csi: { driver: 'A_b', nodePublishSecretRef: {} } },
  { name: 'x', image: { pullPolicy: 'IfNotPresent' } },
  { name: 'x', ephemeral: {} },
  {
    name: 'x',
    ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['Some'], resources: {}, volumeMode: 'Filesystem' } } },
  },
  { name: 'x', downwardAPI: { defaultMode: 420, items: [{ path: 'a' }] } },
  {
    name: 'x',
    downwardAPI: { defaultMode: 420, items: [{ path: '', fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } }] },
  },
  {
    name: 'x',
    downwardAPI: {
      defaultMode: 420,
      items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } }],
    },
  },
  { name: 'x', projected: { defaultMode: 420, sources: [{ secret: {}, configMap: {} }] } },
  {
    name: 'x',
    projected: { defaultMode: 420, sources: [{ serviceAccountToken: { path: '', expirationSeconds: 1 } }] },
  },
  { name: 'x', projected: { defaultMode: 420, sources: [{ clusterTrustBundle: { path: '' } }] } },
  {
    name: 'x',
    projected: {
      defaultMode: 420,
      sources: [
        { secret: { name: 'a', items: [{ key: 'a', path: 'p' }] } },
        { configMap: { name: 'b', items: [{ key: 'a', path: 'p' }] } },
      ],
    },
  },
);

const podLevel: readonly Mutation[] = [
  ...values('spec.restartPolicy', 'Sometimes'),
  ...values('spec.dnsPolicy', 'Mine', 'None'),
  ...values('spec.activeDeadlineSeconds', 0, 3000000000),
  ...values('spec.nodeSelector', { 'a b': 'c' }, { a: 'b c' }),
  ...values('spec.hostname', 'A', 'a.b'),
  ...values('spec.subdomain', 'A_'),
  ...values('spec.nodeName', 'A'),
  { 'spec.serviceAccountName': 'A', 'spec.serviceAccount': 'A' },
  ...values('spec.schedulingGates', [{ name: 'a b' }], [{ name: 'a.b/c' }, { name: 'a.b/c' }]),
  ...values('spec.readinessGates', [{ conditionType: 'a b' }]),
  ...values('spec.hostAliases', [{ ip: 'x', hostnames: ['A_'] }], [{ ip: '010.0.0.1' }]),
  ...values(
    'spec.dnsConfig',
    { nameservers: ['1', '1.1.1.1', '2.2.2.2', '3.3.3.3'] },
    { searches: ['A', 'a_b.', '.'], options: [{}] },
  ),
  ...values('spec.os', { name: '' }, { name: 'plan9' }),
  { 'spec.os': { name: 'linux' }, 'spec.securityContext.windowsOptions': { runAsUserName: 'a' } },
  {
    'spec.os': { name: 'windows' },
    'spec.securityContext.runAsUser': 5,
    [`${c}.securityContext`]: { privileged: true },
  },
  { 'spec.hostNetwork': true, [`${c}.ports`]: [{ containerPort: 80, protocol: 'TCP', hostPort: 81 }] },
  { 'spec.hostUsers': false, 'spec.hostPID': true, 'spec.hostIPC': true, 'spec.hostNetwork': true },
  { 'spec.hostPID': true, 'spec.shareProcessNamespace': true },
  { 'spec.hostnameOverride': 'A_b' },
  { 'spec.overhead': { gpu: '1' } },
  {
    'spec.resources': { requests: { cpu: '1m' }, limits: { gpu: '1' } },
    [`${c}.resources`]: { requests: { cpu: '1' } },
  },
  { 'spec.resourceClaims': [{ name: 'a' }, { name: 'a', resourceClaimName: 'A', resourceClaimTemplateName: 'b' }] },
  {
    'spec.ephemeralContainers': [
      { name: 'd', image: 'x', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' },
    ],
  },
  { 'spec.nodeName': 'n', 'spec.schedulingGates': [{ name: 'a.b/c' }] },
  { 'metadata.finalizers': ['own'] },
  { 'metadata.annotations': { 'container.apparmor.security.beta.kubernetes.io/none': 'x' } },
  { 'metadata.annotations': { 'seccomp.security.alpha.kubernetes.io/pod': 'x' } },
  { 'metadata.annotations': { 'controller.kubernetes.io/pod-deletion-cost': 'x' } },
  { 'metadata.annotations': { 'kubernetes.io/config.mirror': 'x' } },
];

const security: readonly Mutation[] = [
  ...values(
    'spec.securityContext',
    { runAsUser: -1, runAsGroup: -2, fsGroup: -3, supplementalGroups: [1, -4] },
    {
      sysctls: [
        { name: '', value: '' },
        { name: 'A', value: '' },
      ],
    },
    { fsGroupChangePolicy: 'x', supplementalGroupsPolicy: 'y', seLinuxChangePolicy: 'z' },
    { seccompProfile: { type: 'Localhost' } },
    { seccompProfile: { type: 'x', localhostProfile: 'y' } },
    { appArmorProfile: { type: 'RuntimeDefault', localhostProfile: 'x' } },
    { appArmorProfile: { type: 'Localhost' } },
    { windowsOptions: { hostProcess: true } },
    { windowsOptions: { runAsUserName: '', gmsaCredentialSpec: '', gmsaCredentialSpecName: 'A' } },
    { windowsOptions: { runAsUserName: 'a\\b\\c' } },
    { windowsOptions: { runAsUserName: '..\\b[' } },
  ),
  ...values(
    `${c}.securityContext`,
    { runAsUser: -1, runAsGroup: -1 },
    { allowPrivilegeEscalation: false, privileged: true },
    { allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } },
    { procMount: 'Unmasked' },
    { procMount: 'x' },
    { seccompProfile: {} },
  ),
];

const term = { matchExpressions: [{ key: 'a', operator: 'In' }] };
const affinity: readonly Mutation[] = [
  ...values(
    'spec.affinity',
    { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'a b', operator: 'Exists', values: ['x y'] },
                { key: 'a', operator: 'Gt', values: ['1', '2'] },
                { key: 'a', operator: 'Like' },
              ],
              matchFields: [
                { key: 'metadata.labels', operator: 'Exists' },
                { key: 'metadata.name', operator: 'In', values: ['A'] },
              ],
            },
          ],
        },
      },
    },
    { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: term }] } },
    { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: '' }] } },
    { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', matchLabelKeys: ['x'] }] } },
    {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 101,
            podAffinityTerm: {
              topologyKey: 'a b',
              namespaces: ['A'],
              labelSelector: { matchLabels: { 'a b': 'c' }, matchExpressions: [{ key: 'a', operator: 'x' }] },
            },
          },
        ],
      },
    },
  ),
  ...values(
    'spec.tolerations.2',
    { operator: 'Equal' },
    { key: 'a b', operator: 'Exists', value: 'x' },
    { key: 'a', operator: 'Like' },
    { key: 'a', operator: 'Gt', value: '1' },
    { key: 'a', operator: 'Equal', value: 'x y' },
    { key: 'a', operator: 'Exists', effect: 'Never' },
    { key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 },
  ),
  ...values(
    'spec.topologySpreadConstraints',
    [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'x' }],
    [
      { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway', minDomains: 0 },
      { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway' },
    ],
    [
      {
        maxSkew: 1,
        topologyKey: 'a',
        whenUnsatisfiable: 'DoNotSchedule',
        nodeAffinityPolicy: 'x',
        nodeTaintsPolicy: 'y',
        labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
      },
    ],
  ),
];

const init = {
  name: 'init',
  image: 'x',
  imagePullPolicy: 'Always',
  terminationMessagePolicy: 'File',
  terminationMessagePath: '/dev/termination-log',
};
const initContainers: readonly Mutation[] = values(
  'spec.initContainers',
  [{ ...init, name: 'main' }],
  [{ ...init, livenessProbe: { ...counts, httpGet: http }, lifecycle: { preStop: { exec: { command: ['x'] } } } }],
  [{ ...init, restartPolicy: 'x' }],
  [{ ...init, restartPolicyRules: [{ action: 'x' }] }],
  [{ ...init, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }],
  [init, init],
);

const updates: readonly Mutation[] = [
  { [`${c}.name`]: 'other' },
  { [`${c}.image`]: '' },
  { [`${c}.image`]: ' x' },
  { [`${c}.env`]: [{ name: 'A', value: '<&>' }] },
  { [`${c}.resources`]: { limits: { cpu: '1' }, requests: { cpu: '1' } } },
  { 'spec.containers.1': { ...init, name: 'second' } },
  { 'spec.nodeSelector': { a: 'b' } },
  { 'spec.volumes.2': { name: 'more', emptyDir: {} } },
  { 'spec.terminationGracePeriodSeconds': 5 },
  { 'spec.activeDeadlineSeconds': -1 },
  { 'spec.tolerations.0.operator': 'Equal' },
  { 'spec.schedulingGates': [{ name: 'a.b/c' }] },
  { 'spec.hostNetwork': true },
  { 'spec.restartPolicy': 'Never' },
  { 'spec.hostname': 'other', 'spec.subdomain': 'sub' },
  {
    'spec.affinity': {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 5, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
        ],
      },
    },
  },
  { 'spec.securityContext': { runAsUser: 5 } },
  { 'metadata.annotations': { 'kubernetes.io/config.mirror': 'x' } },
  { 'spec.serviceAccountName': 'other', 'spec.serviceAccount': 'other' },
];

const gatedUpdates: readonly Mutation[] = [
  { 'spec.nodeSelector': { a: 'c' } },
  { 'spec.nodeSelector': undefined },
  { 'spec.schedulingGates': [{ name: 'example.com/other' }] },
  { 'spec.affinity': undefined },
  {
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.0.matchExpressions.0.operator':
      'DoesNotExist',
  },
];

export const podCases: readonly KindCases[] = [
  {
    resource: 'v1/pods',
    base: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'base' },
      spec: {
        containers: [{ name: 'main', image: 'image' }],
        volumes: [
          { name: 'data', emptyDir: {} },
          { name: 'claim', persistentVolumeClaim: { claimName: 'claim' } },
        ],
      },
    },
    create: [containerFields, resources, probes, mounts, volumes, podLevel, security, affinity, initContainers].flat(),
    update: updates,
  },
  {
    resource: 'v1/pods',
    variant: 'gated',
    base: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'gated' },
      spec: {
        schedulingGates: [{ name: 'example.com/gate' }],
        nodeSelector: { a: 'b' },
        activeDeadlineSeconds: 50,
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
            },
          },
        },
        containers: [{ name: 'main', image: 'image' }],
        initContainers: [{ name: 'init', image: 'image' }],
      },
    },
    update: [...gatedUpdates, { 'spec.activeDeadlineSeconds': 60 }, { 'spec.activeDeadlineSeconds': undefined }],
  },
];
