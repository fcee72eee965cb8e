import { join } from 'node:path';
import { patchTypes, post, type Step } from '../../test/recorded/differential/scenario.ts';

/** Plugins beside those that are on by default. */
export interface FuzzedConfiguration {
  readonly name: string;
  readonly enabled: readonly string[];
  readonly configFile?: string;
}

const configFile = join(import.meta.dirname, 'admission-configuration.yaml');

export const configurations: readonly FuzzedConfiguration[] = [
  { name: 'default', enabled: ['AlwaysAdmit'] },
  { name: 'placing', enabled: ['PodNodeSelector', 'PodTolerationRestriction', 'EventRateLimit'], configFile },
  {
    name: 'restricting',
    enabled: [
      'ExtendedResourceToleration',
      'AlwaysPullImages',
      'LimitPodHardAntiAffinityTopology',
      'NamespaceExists',
      'DenyServiceExternalIPs',
      'OwnerReferencesPermissionEnforcement',
      'ServiceAccount',
    ],
  },
  { name: 'providing', enabled: ['NamespaceAutoProvision', 'NodeRestriction', 'OwnerReferencesPermissionEnforcement'] },
];

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const everything = ['pods', 'pods/*', 'configmaps', 'services', 'events', 'serviceaccounts/token'];

function grant(name: string, subject: object, rules: readonly object[]): readonly Step[] {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', ...subject }];
  return [
    post(`role ${name}`, roles, { metadata: { name }, rules }),
    post(`binding ${name}`, bindings, { metadata: { name }, roleRef, subjects }),
  ];
}

const classes: readonly Step[] = [
  ...[
    { metadata: { name: 'high' }, value: 1000 },
    { metadata: { name: 'low' }, value: -5, preemptionPolicy: 'PreemptLowerPriority' },
    { metadata: { name: 'never' }, value: 7, preemptionPolicy: 'Never', globalDefault: true },
  ].map((body) => post(`class ${body.metadata.name}`, '/apis/scheduling.k8s.io/v1/priorityclasses', body)),
  ...[
    { metadata: { name: 'plain' }, handler: 'h' },
    { metadata: { name: 'heavy' }, handler: 'h', overhead: { podFixed: { cpu: '10m', memory: '1Mi' } } },
    {
      metadata: { name: 'picky' },
      handler: 'h',
      scheduling: { nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'a', operator: 'Exists' }] },
    },
  ].map((body) => post(`runtime ${body.metadata.name}`, '/apis/node.k8s.io/v1/runtimeclasses', body)),
  ...['gold', 'growing'].map((name) =>
    post(`storage ${name}`, '/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': String(name === 'growing') } },
      provisioner: 'p',
      allowVolumeExpansion: name === 'growing',
    }),
  ),
  post('ingress first', '/apis/networking.k8s.io/v1/ingressclasses', {
    metadata: { name: 'first', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
    spec: { controller: 'example.com/c' },
  }),
];

const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';

/** Undoes what plugins have set before it. */
const policy: readonly Step[] = [
  post('a policy', policies, {
    metadata: { name: 'pulls-never' },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['pods'] },
        ],
        objectSelector: { matchLabels: { pulled: 'never' } },
      },
      reinvocationPolicy: 'Never',
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: {
            expression: `[JSONPatch{op: "add", path: "/spec/containers/0/imagePullPolicy", value: "Never"}]`,
          },
        },
      ],
    },
  }),
  post('its binding', `${policies.slice(0, -'policies'.length)}policybindings`, {
    metadata: { name: 'pulls-never' },
    spec: { policyName: 'pulls-never' },
  }),
];

/** Classes, nodes, a policy, and what users of some names may do. */
export const setUp: readonly Step[] = [
  ...classes,
  ...policy,
  post('a node in a zone', '/api/v1/nodes', {
    metadata: {
      name: 'zoned',
      labels: {
        'topology.kubernetes.io/zone': 'z',
        'topology.kubernetes.io/region': 'r',
        'kubernetes.io/hostname': 'h',
      },
    },
  }),
  post('a node', '/api/v1/nodes', { metadata: { name: 'plain' } }),
  ...grant('fuzzers', { kind: 'Group', name: 'fuzzers' }, [
    { apiGroups: [''], resources: everything, verbs: ['create', 'update', 'patch', 'get'] },
  ]),
  ...grant('deleter', { kind: 'User', name: 'deleter' }, [
    { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['delete'] },
  ]),
  ...grant('owner', { kind: 'User', name: 'owner' }, [
    { apiGroups: ['', 'apps'], resources: ['configmaps/finalizers', 'deployments/finalizers'], verbs: ['update'] },
    { apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['delete'] },
  ]),
];

/** A quota, as if the controller had seen it. */
export function usedQuota(space: string, hard: object, spec: object): readonly Step[] {
  const path = `/api/v1/namespaces/${space}/resourcequotas`;
  const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
  return [
    post('quota', path, { metadata: { name: 'quota' }, spec: { hard, ...spec } }),
    {
      name: 'quota status',
      method: 'PATCH',
      path: `${path}/quota/status`,
      contentType: patchTypes.merge,
      body: { status: { hard, used } },
    },
  ];
}
