import { role } from './policy.ts';
import type { TokenRequest } from './token-client.ts';

/** Tokens of two kubelets, of one without a node name, and of one outside of the nodes group. */
export const nodeTokens = [
  'tok-one,system:node:one,n1,"system:nodes"',
  'tok-two,system:node:two,n2,"system:nodes"',
  'tok-nobody,system:node:,n3,"system:nodes"',
  'tok-alone,system:node:one,n4',
  'tok-root,root,u4,"system:masters"',
].join('\n');

const inTeam = (plural: string): string => `/api/v1/namespaces/team/${plural}`;

function object(kind: string, name: string, more: object = {}, apiVersion = 'v1'): object {
  return { kind, apiVersion, metadata: { name }, ...more };
}

function pod(name: string, nodeName: string, spec: object): object {
  const containers = [{ name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' }];
  return object('Pod', name, { spec: { automountServiceAccountToken: false, ...spec, nodeName, containers } });
}

const capacity = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };

/** The objects that nodes may or may not read, in creation order. */
export const nodeWorld: readonly (readonly [path: string, object: object])[] = [
  ['/api/v1/namespaces', object('Namespace', 'team')],
  ['/api/v1/namespaces', object('Namespace', 'kube-node-lease')],
  ['/api/v1/nodes', object('Node', 'one')],
  ['/api/v1/nodes', object('Node', 'two')],
  [inTeam('serviceaccounts'), object('ServiceAccount', 'worker')],
  [
    inTeam('pods'),
    pod('a', 'one', {
      serviceAccountName: 'worker',
      imagePullSecrets: [{ name: 'pull' }],
      volumes: [
        { name: 'v', persistentVolumeClaim: { claimName: 'claim' } },
        { name: 'w', configMap: { name: 'settings' } },
        { name: 'x', projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'vault' } }] } },
      ],
      resourceClaims: [{ name: 'r', resourceClaimName: 'device' }],
    }),
  ],
  [inTeam('pods'), pod('b', 'two', { volumes: [{ name: 'v', secret: { secretName: 'other' } }] })],
  [
    '/api/v1/persistentvolumes',
    object('PersistentVolume', 'disk', {
      spec: {
        ...capacity,
        claimRef: { namespace: 'team', name: 'claim' },
        csi: { driver: 'd', volumeHandle: 'h', nodeStageSecretRef: { namespace: 'team', name: 'stage' } },
      },
    }),
  ],
  [
    '/apis/storage.k8s.io/v1/volumeattachments',
    object(
      'VolumeAttachment',
      'attached',
      { spec: { attacher: 'd', nodeName: 'one', source: { persistentVolumeName: 'disk' } } },
      'storage.k8s.io/v1',
    ),
  ],
  [
    '/apis/resource.k8s.io/v1/resourceslices',
    object(
      'ResourceSlice',
      'slice',
      {
        spec: {
          driver: 'd.example',
          pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
          nodeName: 'one',
          devices: [],
        },
      },
      'resource.k8s.io/v1',
    ),
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    role('ClusterRole', 'r', [{ verbs: ['list'], apiGroups: [''], resources: ['secrets'] }]),
  ],
];

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'use'];

const namespaced: readonly (readonly [
  group: string,
  resource: string,
  subresource: string,
  names: readonly string[],
])[] = [
  ['', 'secrets', '', ['', 'pull', 'other', 'stage', 'none']],
  ['', 'secrets', 'status', ['pull']],
  ['', 'configmaps', '', ['', 'settings', 'none']],
  ['', 'persistentvolumeclaims', '', ['', 'claim', 'none']],
  ['', 'persistentvolumeclaims', 'status', ['', 'claim', 'none']],
  ['', 'serviceaccounts', '', ['', 'worker', 'none']],
  ['', 'serviceaccounts', 'token', ['', 'worker', 'none']],
  ['', 'pods', '', ['', 'a', 'b']],
  ['', 'pods', 'status', ['a', 'b']],
  ['', 'pods', 'eviction', ['a']],
  ['', 'pods', 'log', ['a']],
  ['', 'services', '', ['', 's']],
  ['', 'events', '', ['', 'e']],
  ['resource.k8s.io', 'resourceclaims', '', ['', 'device', 'none']],
  ['coordination.k8s.io', 'leases', '', ['', 'one', 'two']],
  ['certificates.k8s.io', 'podcertificaterequests', '', ['', 'x']],
  ['certificates.k8s.io', 'podcertificaterequests', 'status', ['x']],
];

const clusterWide: typeof namespaced = [
  ['', 'secrets', '', ['pull']],
  ['', 'persistentvolumes', '', ['', 'disk', 'none']],
  ['', 'persistentvolumes', 'status', ['disk']],
  ['', 'nodes', '', ['', 'one', 'two']],
  ['', 'nodes', 'status', ['one', 'two']],
  ['', 'nodes', 'proxy', ['one']],
  ['storage.k8s.io', 'volumeattachments', '', ['', 'attached', 'none']],
  ['storage.k8s.io', 'csinodes', '', ['', 'one', 'two']],
  ['storage.k8s.io', 'csinodes', 'status', ['one']],
  ['storage.k8s.io', 'csinodes', 'other', ['one']],
  ['storage.k8s.io', 'csidrivers', '', ['', 'd']],
  ['resource.k8s.io', 'resourceslices', '', ['', 'slice', 'none']],
  ['resource.k8s.io', 'resourceslices', 'status', ['slice']],
  ['authentication.k8s.io', 'tokenreviews', '', ['']],
  ['certificates.k8s.io', 'certificatesigningrequests', '', ['', 'x']],
];

const subjects: readonly object[] = [
  { user: 'system:node:one', groups: ['system:nodes'] },
  { user: 'system:node:two', groups: ['system:nodes', 'system:authenticated'] },
  { user: 'system:node:three', groups: ['system:nodes'] },
  { user: 'system:node:', groups: ['system:nodes'] },
  { user: 'system:node:one' },
];

function selectorsFor(resource: string): readonly object[] {
  if (!['pods', 'resourceslices', 'podcertificaterequests'].includes(resource)) return [{}];
  const selecting = (operator: string, value: string): object => ({
    fieldSelector: { requirements: [{ key: 'spec.nodeName', operator, values: [value] }] },
  });
  const raw = { fieldSelector: { rawSelector: 'spec.nodeName=one,status.phase!=Failed' } };
  return [{}, selecting('In', 'one'), selecting('NotIn', 'one'), raw];
}

/** What nodes may do, as reviewed by an administrator. */
export function nodeQuestions(): readonly TokenRequest[] {
  const apiVersion = 'authorization.k8s.io/v1';
  const path = `/apis/${apiVersion}/subjectaccessreviews`;
  const places = [
    ...['team', 'kube-node-lease'].flatMap((namespace) => namespaced.map((row) => ({ row, namespace }))),
    ...clusterWide.map((row) => ({ row, namespace: '' })),
  ];
  return subjects.flatMap((subject) =>
    places.flatMap(({ row: [group, resource, subresource, names], namespace }) =>
      names.flatMap((name) =>
        verbs.flatMap((verb) =>
          selectorsFor(resource).map((selectors) => {
            const resourceAttributes = { group, resource, subresource, namespace, name, verb, ...selectors };
            const body = { kind: 'SubjectAccessReview', apiVersion, spec: { ...subject, resourceAttributes } };
            return { method: 'POST', path, token: 'tok-root', body };
          }),
        ),
      ),
    ),
  );
}

const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
const owner = { apiVersion: 'v1', kind: 'Node', name: 'one', controller: true };

interface Uids {
  readonly node: string;
  readonly pod: string;
}

function mirrorPods({ node: uid }: Uids): readonly object[] {
  const made = (name: string, metadata: object, spec: object = {}): object => {
    const whole = pod(name, 'one', spec) as { readonly metadata: object };
    return { ...whole, metadata: { ...whole.metadata, ...metadata } };
  };
  const own = { ...mirror, ownerReferences: [{ ...owner, uid }] };
  const volume = (source: object): object => ({ volumes: [{ name: 'v', ...source }] });
  return [
    made('m0', {}),
    made('m1', mirror),
    { ...made('m2', own), spec: { ...(pod('x', 'two', {}) as { spec: object }).spec } },
    made('m3', {
      ...mirror,
      ownerReferences: [
        { ...owner, uid },
        { ...owner, name: 'two', uid: 'u', controller: false },
      ],
    }),
    made('m4', { ...mirror, ownerReferences: [{ ...owner, uid, name: 'two' }] }),
    made('m5', { ...mirror, ownerReferences: [{ ...owner, uid, controller: false }] }),
    made('m6', { ...mirror, ownerReferences: [{ ...owner, uid, blockOwnerDeletion: true }] }),
    made('m7', { ...mirror, ownerReferences: [{ ...owner, uid: 'other' }] }),
    made('m8', own, { serviceAccountName: 'worker' }),
    made('m9', own, volume({ secret: { secretName: 's' } })),
    made('m10', own, volume({ configMap: { name: 's' } })),
    made('m11', own, volume({ persistentVolumeClaim: { claimName: 's' } })),
    made(
      'm12',
      own,
      volume({
        ephemeral: {
          volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
        },
      }),
    ),
    made('m13', own, volume({ csi: { driver: 'd' } })),
    made('m14', own, volume({ projected: { sources: [{ serviceAccountToken: { path: 'p' } }] } })),
    made('m15', own, volume({ projected: { sources: [{ downwardAPI: { items: [] } }] } })),
    made('m16', own, { resourceClaims: [{ name: 'r', resourceClaimName: 'd' }] }),
    made('m17', own, volume({ emptyDir: {} })),
  ];
}

/** Reads and writes by a node; some succeed, so the order matters. */
export function nodeAttempts(token: string, uids: Uids): readonly TokenRequest[] {
  const post = (path: string, body: object): TokenRequest => ({ method: 'POST', path, token, body });
  const merge = (path: string, body: object): TokenRequest => {
    return { method: 'PATCH', path, token, body, contentType: 'application/merge-patch+json' };
  };
  const read = (path: string): TokenRequest => ({ method: 'GET', path, token });
  const lease = (name: string): object => object('Lease', name, {}, 'coordination.k8s.io/v1');
  const labelled = (labels: object): object => ({ metadata: { labels } });
  const tokenFor = (boundObjectRef: object, audiences: readonly string[] = []): TokenRequest =>
    post(inTeam('serviceaccounts/worker/token'), {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      spec: { audiences, boundObjectRef },
    });
  const bound = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: uids.pod };
  return [
    ...['secrets/pull', 'secrets/other', 'secrets', 'configmaps/settings', 'pods', 'pods/a', 'pods/b'].map((at) =>
      read(inTeam(at)),
    ),
    read(`${inTeam('secrets')}?fieldSelector=metadata.name%3Dpull`),
    read(`${inTeam('secrets')}?fieldSelector=metadata.name%3Dother`),
    read('/api/v1/pods?fieldSelector=spec.nodeName%3Done'),
    read('/api/v1/nodes'),
    read('/api/v1/nodes?fieldSelector=metadata.name%3Done'),
    read('/api/v1/nodes/one'),
    ...['one', 'two'].flatMap((name) => [
      merge(`/api/v1/nodes/${name}`, labelled({ free: token })),
      merge(`/api/v1/nodes/${name}`, labelled({ 'node-restriction.kubernetes.io/a': 'b', 'k8s.io/z': 'c' })),
      merge(`/api/v1/nodes/${name}`, labelled({ 'node.kubernetes.io/own': 'b', 'kubernetes.io/os': 'linux' })),
      merge(`/api/v1/nodes/${name}`, { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }),
      merge(`/api/v1/nodes/${name}/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
      merge(`/api/v1/nodes/${name}`, {
        metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: 'u' }] },
      }),
    ]),
    post('/api/v1/nodes', object('Node', 'one')),
    post('/api/v1/nodes', { ...object('Node', 'one'), metadata: { name: 'one', labels: { 'k8s.io/z': 'c' } } }),
    post('/api/v1/nodes', object('Node', 'three')),
    { method: 'DELETE', path: '/api/v1/nodes/two', token },
    ...mirrorPods(uids).map((body) => post(`${inTeam('pods')}?dryRun=All`, body)),
    merge(inTeam('pods/a/status'), { status: { message: token } }),
    merge(inTeam('pods/b/status'), { status: { message: token } }),
    merge(inTeam('pods/a/status'), labelled({ x: 'y' })),
    merge(inTeam('pods/a/status'), { status: { resourceClaimStatuses: [{ name: 'r', resourceClaimName: 'z' }] } }),
    post(`${inTeam('pods/b/eviction')}`, object('Eviction', 'b', {}, 'policy/v1')),
    post(`${inTeam('pods/none/eviction')}`, object('Eviction', 'none', {}, 'policy/v1')),
    { method: 'DELETE', path: `${inTeam('pods/b')}?dryRun=All`, token },
    { method: 'DELETE', path: inTeam('pods/none'), token },
    post('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', lease('one')),
    post('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', lease('three')),
    post('/apis/coordination.k8s.io/v1/namespaces/team/leases', lease('one')),
    post('/apis/storage.k8s.io/v1/csinodes', object('CSINode', 'one', { spec: { drivers: [] } }, 'storage.k8s.io/v1')),
    post('/apis/storage.k8s.io/v1/csinodes', object('CSINode', 'x', { spec: { drivers: [] } }, 'storage.k8s.io/v1')),
    tokenFor({}),
    tokenFor({ apiVersion: 'v1', kind: 'Pod', name: 'a' }),
    tokenFor({ ...bound, name: 'none' }),
    tokenFor({ ...bound, uid: 'wrong' }),
    tokenFor({ ...bound, name: 'b', uid: 'wrong' }),
    tokenFor(bound, ['a', 'b']),
    tokenFor(bound, ['strange']),
    post(inTeam('persistentvolumeclaims'), object('PersistentVolumeClaim', 'new')),
    post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.k8s.io/v1',
      spec: { namespace: 'team' },
    }),
  ];
}
