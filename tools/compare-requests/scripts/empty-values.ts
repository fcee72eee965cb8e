import { deployment, places, pod, podSpec, replicaSet, statefulSet } from '../objects.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import { script, type Step } from '../script.ts';
import { forEach, inNamespace, patch, post, put } from '../steps.ts';

const space = 'empty-values';

/** An object, and what is changed in it: each change to what is there, and in a new object. */
interface Kind {
  readonly path: string;
  readonly object: object;
  readonly changes: { readonly [name: string]: object };
  readonly subresource?: string;
}

const inSpace = (group: string, plural: string): string => `/apis/${group}/namespaces/${space}/${plural}`;
const named = (apiVersion: string, kind: string, rest: object): object => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  ...rest,
});
const spec = (changed: object): object => ({ spec: changed });
const inPod = (changed: object): object => spec({ template: { spec: changed } });

const empties = { 'an empty list': [], null: null } as const;
const selectors: { readonly [name: string]: JsonObject | null } = {
  nothing: {},
  null: null,
  'no labels': { matchLabels: {} },
  'no expressions': { matchLabels: { app: 'x' }, matchExpressions: [] },
  'an expression of nothing': { matchExpressions: [{}] },
  'an expression without values': { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] },
  'an expression with values to many': { matchExpressions: [{ key: 'a', operator: 'Exists', values: [] }] },
  'an empty label': { matchLabels: { app: 'x', '': '' } },
};
const ofSelector = (at: string): Kind['changes'] =>
  Object.fromEntries(Object.entries(selectors).map(([name, selector]) => [name, spec({ [at]: selector })]));

const claim = named('v1', 'PersistentVolumeClaim', {
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    selector: { matchLabels: { a: 'b' } },
    dataSource: { kind: 'PersistentVolumeClaim', name: 'y' },
  },
});
const volume = named('v1', 'PersistentVolume', {
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    csi: { driver: 'd.example', volumeHandle: 'h', volumeAttributes: { a: 'b' } },
  },
});
const container = (changed: object): object => spec({ containers: [{ name: 'c', image: 'img:1', ...changed }] });

const podChanges: Kind['changes'] = {
  'readiness gates': spec({ readinessGates: [], hostname: 'other' }),
  'no readiness gates': spec({ readinessGates: null, hostname: 'other' }),
  volumes: spec({ volumes: [], subdomain: 'other' }),
  tolerations: spec({ tolerations: [], hostname: 'other' }),
  'scheduling gates': spec({ schedulingGates: [], hostname: 'other' }),
  'secrets to pull': spec({ imagePullSecrets: [], hostname: 'other' }),
  'a node selector': spec({ nodeSelector: {}, hostname: 'other' }),
  'host aliases': spec({ hostAliases: [{}], hostname: 'other' }),
  overhead: spec({ overhead: {}, hostname: 'other' }),
  affinity: spec({ affinity: {}, hostname: 'other' }),
  'node affinity': spec({ affinity: { nodeAffinity: {} }, hostname: 'other' }),
  'pod affinity': spec({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] } },
    hostname: 'other',
  }),
  constraints: spec({ topologySpreadConstraints: [], hostname: 'other' }),
  sysctls: spec({ securityContext: { sysctls: [], supplementalGroups: [] }, hostname: 'other' }),
  dns: spec({ dnsConfig: { nameservers: [], searches: [], options: [] }, hostname: 'other' }),
  'claims of resources': spec({ resourceClaims: [], hostname: 'other' }),
  args: container({ args: [], command: [] }),
  env: container({ env: [], envFrom: [], ports: [] }),
  'an empty value': container({ env: [{ name: 'a', value: '' }] }),
  resources: container({ resources: { limits: {}, requests: {}, claims: [] } }),
  mounts: container({ volumeMounts: [], volumeDevices: [], resizePolicy: [] }),
  capabilities: container({ securityContext: { capabilities: { add: [], drop: [] } } }),
  'a probe': container({ livenessProbe: { exec: { command: [] } } }),
  'headers of a probe': container({ livenessProbe: { httpGet: { port: 1, httpHeaders: [] } } }),
  'rules of restarts': container({ restartPolicyRules: [] }),
};

const template: Kind['changes'] = {
  'no labels of the template': spec({ template: { metadata: { labels: {} } } }),
  'null labels of the template': spec({ template: { metadata: { labels: null } } }),
  'an empty label of the template': spec({ template: { metadata: { labels: { '': '' } } } }),
  'no containers': inPod({ containers: [] }),
  'an empty strategy': spec({ strategy: {}, updateStrategy: {} }),
  'a strategy of nothing': spec({ strategy: { type: '' }, updateStrategy: { type: '' } }),
};
const claimTemplates = {
  volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: { accessModes: ['ReadWriteOnce'] } }],
};

const workloads: { readonly [name: string]: Kind } = {
  deployment: {
    path: places.deployments(space),
    object: deployment('x'),
    changes: { ...ofSelector('selector'), ...template },
  },
  'replica set': {
    path: places.replicaSets(space),
    object: replicaSet('x'),
    changes: { ...ofSelector('selector'), ...template },
  },
  'daemon set': {
    path: inSpace('apps/v1', 'daemonsets'),
    object: { ...replicaSet('x'), kind: 'DaemonSet' },
    changes: { ...ofSelector('selector'), ...template },
  },
  'stateful set': {
    path: places.statefulSets(space),
    object: statefulSet('x', claimTemplates),
    changes: {
      ...ofSelector('selector'),
      ...template,
      'no claims': spec({ volumeClaimTemplates: [] }),
      'null claims': spec({ volumeClaimTemplates: null }),
      'a claim of nothing': spec({ volumeClaimTemplates: [{}] }),
      'no name of a service': spec({ serviceName: '' }),
    },
  },
  job: {
    path: inSpace('batch/v1', 'jobs'),
    object: named('batch/v1', 'Job', spec({ template: { spec: podSpec({}, { restartPolicy: 'Never' }) } })),
    changes: {
      ...ofSelector('selector'),
      'no labels of the template': template['no labels of the template'] ?? {},
      'no rules': spec({ podFailurePolicy: { rules: [] } }),
      'rules of nothing': spec({ podFailurePolicy: { rules: [{}] } }),
      'no rules of success': spec({ completionMode: 'Indexed', completions: 1, successPolicy: { rules: [] } }),
    },
  },
};

const volumes: { readonly [name: string]: Kind } = {
  claim: {
    path: `/api/v1/namespaces/${space}/persistentvolumeclaims`,
    object: claim,
    changes: {
      ...ofSelector('selector'),
      ...Object.fromEntries(Object.entries(empties).map(([name, of]) => [`modes: ${name}`, spec({ accessModes: of })])),
      'no requests': spec({ resources: { requests: {} } }),
      'no limits': spec({ resources: { limits: {} }, volumeName: 'v' }),
      'a source of nothing': spec({ dataSource: { kind: '', name: '' } }),
      'no class': spec({ storageClassName: '' }),
    },
  },
  volume: {
    path: '/api/v1/persistentvolumes',
    object: named('v1', 'PersistentVolume', { ...volume, metadata: { name: 'empty-values' } }),
    changes: {
      'no capacity': spec({ capacity: {} }),
      'null capacity': spec({ capacity: null }),
      'no attributes': spec({ csi: { volumeAttributes: {} } }),
      'null attributes': spec({ csi: { volumeAttributes: null } }),
      'an empty reference': spec({ csi: { nodeStageSecretRef: {} } }),
      'no modes': spec({ accessModes: [] }),
      'no terms': spec({ nodeAffinity: { required: { nodeSelectorTerms: [] } } }),
      'another source': spec({ csi: null, rbd: { image: 'i', monitors: [] } }),
    },
  },
};

const others: { readonly [name: string]: Kind } = {
  pod: { path: places.pods(space), object: pod('x'), changes: podChanges },
  budget: {
    path: inSpace('policy/v1', 'poddisruptionbudgets'),
    object: named('policy/v1', 'PodDisruptionBudget', spec({ minAvailable: 1, selector: { matchLabels: { a: 'b' } } })),
    changes: ofSelector('selector'),
  },
  binding: {
    path: inSpace('rbac.authorization.k8s.io/v1', 'rolebindings'),
    object: named('rbac.authorization.k8s.io/v1', 'RoleBinding', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    }),
    changes: { 'a role of nothing': { roleRef: { name: '' } }, 'a subject of nothing': { subjects: [{}] } },
  },
  slice: {
    path: inSpace('discovery.k8s.io/v1', 'endpointslices'),
    object: named('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [], ports: [{ port: 1 }] }),
    changes: {
      'an empty protocol': { ports: [{ port: 1, protocol: '' }] },
      'a null protocol': { ports: [{ port: 1, protocol: null }] },
      'an empty name': { ports: [{ port: 1, name: '', appProtocol: '' }] },
      'an empty type': { addressType: '' },
      'no addresses': { endpoints: [{ addresses: [] }] },
    },
  },
  capacity: {
    path: inSpace('storage.k8s.io/v1', 'csistoragecapacities'),
    object: named('storage.k8s.io/v1', 'CSIStorageCapacity', {
      storageClassName: 'c',
      nodeTopology: { matchLabels: { a: 'b' } },
    }),
    changes: Object.fromEntries(Object.entries(selectors).map(([name, of]) => [name, { nodeTopology: of }])),
  },
  'claim of devices': {
    path: inSpace('resource.k8s.io/v1', 'resourceclaimtemplates'),
    object: named('resource.k8s.io/v1', 'ResourceClaimTemplate', {
      spec: {
        metadata: { labels: { a: 'b' } },
        spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } },
      },
    }),
    changes: {
      'no labels': spec({ metadata: { labels: {} } }),
      'an owner': spec({ metadata: { ownerReferences: [{ blockOwnerDeletion: true, controller: true, uid: 'u' }] } }),
      'a configuration of nothing': spec({ spec: { devices: { config: [{ opaque: {} }] } } }),
      'no requests': spec({ spec: { devices: { requests: [] } } }),
      'no constraints': spec({ spec: { devices: { constraints: [], config: [] } } }),
    },
  },
  event: {
    path: `/api/v1/namespaces/${space}/events`,
    object: named('v1', 'Event', { involvedObject: { kind: 'Pod', name: 'p', namespace: space }, reason: 'r' }),
    changes: {
      'an object of nothing': { involvedObject: { kind: '', name: '' } },
      'a related object of nothing': { related: {} },
      'no related object': { related: null },
    },
  },
};

/** JSON merge patches of objects without nulls: what the change adds, and what it empties. */
function merged(value: JsonValue | undefined, change: JsonValue): JsonValue {
  if (!isJsonObject(change)) return change;
  const base = isJsonObject(value) ? value : {};
  const changed = Object.entries(change).map(([key, inner]) => [key, merged(base[key], inner)] as const);
  return { ...base, ...Object.fromEntries(changed) };
}

function kindSteps({ path, object, changes }: Kind, kind: string): readonly Step[] {
  const start = object as JsonObject; // data of this script
  const name = String((start['metadata'] as JsonObject)['name']);
  return [
    post(`${kind}: create`, path, object),
    ...forEach(changes, (change, what) => {
      const body = merged(start, change as JsonObject) as JsonObject;
      const other = { ...body, metadata: { name: `${name}-other` } };
      return [
        post(`${kind}: ${what}: post`, `${path}?dryRun=All`, other),
        put(`${kind}: ${what}: put`, `${path}/${name}?dryRun=All`, body),
        patch(`${kind}: ${what}: merge`, 'merge', `${path}/${name}?dryRun=All`, change),
        patch(`${kind}: ${what}: strategic`, 'strategic', `${path}/${name}?dryRun=All`, change),
      ];
    }),
  ];
}

/** Reports: lists, maps and texts that a client writes empty instead of leaving them out, and errors that show them. */
export const emptyValues = script(
  space,
  inNamespace(space),
  forEach(volumes, kindSteps),
  forEach(workloads, kindSteps),
  forEach(others, kindSteps),
);
