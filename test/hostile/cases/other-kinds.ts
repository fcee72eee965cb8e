import { type KindRow, object } from '../kind-row.ts';
import { namespaced } from '../text-bodies.ts';

const definition = (parts: object, schema: object = { type: 'object' }): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'as.x.io' },
  spec: {
    group: 'x.io',
    scope: 'Namespaced',
    names: { plural: 'as', kind: 'A' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    ...parts,
  },
});
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Continues `kinds.ts`. */
export const otherKinds: readonly KindRow[] = [
  {
    name: 'endpoints',
    path: namespaced('endpoints'),
    document: object('v1', 'Endpoints', { subsets: 'HOLE' }),
    item: '{}',
  },
  {
    name: 'addresses',
    path: namespaced('endpoints'),
    document: object('v1', 'Endpoints', { subsets: [{ addresses: 'HOLE', ports: [{ port: 1 }] }] }),
    item: '{"ip":"1.1.1.1"}',
  },
  {
    name: 'endpoints of a slice',
    path: namespaced('endpointslices', 'apis/discovery.k8s.io/v1'),
    document: object('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: 'HOLE' }),
    item: '{"addresses":[]}',
  },
  {
    name: 'taints',
    path: '/api/v1/nodes',
    document: object('v1', 'Node', { spec: { taints: 'HOLE' } }),
    item: '{"key":"a","effect":"NoSchedule"}',
  },
  {
    name: 'address ranges of a node',
    path: '/api/v1/nodes',
    document: object('v1', 'Node', { spec: { podCIDRs: 'HOLE' } }),
    item: '"1.1.1.0/24"',
  },
  {
    name: 'rules of a role',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    document: object('rbac.authorization.k8s.io/v1', 'ClusterRole', { rules: 'HOLE' }),
    item: '{}',
  },
  {
    name: 'subjects',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    document: object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', {
      roleRef: { kind: 'ClusterRole', name: 'a' },
      subjects: 'HOLE',
    }),
    item: '{}',
  },
  { name: 'versions of a definition', path: definitions, document: definition({ versions: 'HOLE' }), item: '{}' },
  {
    name: 'conversion versions',
    path: definitions,
    document: definition({ conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: 'HOLE' } } }),
    item: '"a"',
  },
  {
    name: 'short names',
    path: definitions,
    document: definition({ names: { plural: 'as', kind: 'A', shortNames: 'HOLE' } }),
    item: (n) => `"a${n}"`,
  },
  {
    name: 'properties of a schema',
    path: definitions,
    document: definition({}, { type: 'object', properties: 'HOLE' }),
    item: (n) => `"a${n}":{}`,
    map: true,
  },
  {
    name: 'enumeration of a schema',
    path: definitions,
    document: definition({}, { type: 'object', enum: 'HOLE' }),
    item: (n) => `"a${n}"`,
  },
  {
    name: 'required of a schema',
    path: definitions,
    document: definition({}, { type: 'object', required: 'HOLE' }),
    item: (n) => `"a${n}"`,
  },
  {
    name: 'rules of a schema',
    path: definitions,
    document: definition({}, { type: 'object', 'x-kubernetes-validations': 'HOLE' }),
    item: '{"rule":"true"}',
  },
  {
    name: 'alternatives of a schema',
    path: definitions,
    document: definition({}, { type: 'object', anyOf: 'HOLE' }),
    item: '{}',
  },
  {
    name: 'topologies of a storage class',
    path: '/apis/storage.k8s.io/v1/storageclasses',
    document: object('storage.k8s.io/v1', 'StorageClass', { provisioner: 'a', allowedTopologies: 'HOLE' }),
    item: '{}',
  },
  {
    name: 'parameters of a storage class',
    path: '/apis/storage.k8s.io/v1/storageclasses',
    document: object('storage.k8s.io/v1', 'StorageClass', { provisioner: 'a', parameters: 'HOLE' }),
    item: (n) => `"a${n}":""`,
    map: true,
  },
  {
    name: 'devices',
    path: '/apis/resource.k8s.io/v1/resourceslices',
    document: object('resource.k8s.io/v1', 'ResourceSlice', {
      spec: { driver: 'a', nodeName: 'a', pool: { name: 'a', generation: 0, resourceSliceCount: 1 }, devices: 'HOLE' },
    }),
    item: '{}',
  },
  {
    name: 'requests of a claim',
    path: namespaced('resourceclaims', 'apis/resource.k8s.io/v1'),
    document: object('resource.k8s.io/v1', 'ResourceClaim', { spec: { devices: { requests: 'HOLE' } } }),
    item: '{}',
  },
  {
    name: 'metrics of an autoscaler',
    path: namespaced('horizontalpodautoscalers', 'apis/autoscaling/v2'),
    document: object('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: { maxReplicas: 1, scaleTargetRef: { kind: 'a', name: 'a' }, metrics: 'HOLE' },
    }),
    item: '{}',
  },
  {
    name: 'rules of flow control',
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    document: object('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', {
      spec: { priorityLevelConfiguration: { name: 'a' }, rules: 'HOLE' },
    }),
    item: '{}',
  },
  {
    name: 'indices of a failure policy',
    path: namespaced('jobs', 'apis/batch/v1'),
    document: object('batch/v1', 'Job', { spec: { podFailurePolicy: { rules: 'HOLE' }, template: {} } }),
    item: '{}',
  },
  {
    name: 'exit codes',
    path: namespaced('jobs', 'apis/batch/v1'),
    document: object('batch/v1', 'Job', {
      spec: {
        podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: 'HOLE' } }] },
        template: {},
      },
    }),
    item: (n) => String(n),
  },
  {
    name: 'volume templates',
    path: namespaced('statefulsets', 'apis/apps/v1'),
    document: object('apps/v1', 'StatefulSet', { spec: { selector: {}, template: {}, volumeClaimTemplates: 'HOLE' } }),
    item: '{}',
  },
  {
    name: 'usages of a signing request',
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    document: object('certificates.k8s.io/v1', 'CertificateSigningRequest', {
      spec: { signerName: 'a.b/c', request: '', usages: 'HOLE' },
    }),
    item: '"signing"',
  },
  {
    name: 'extra of a review',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    document: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: 'a', extra: 'HOLE' },
    },
    item: (n) => `"a${n}":[]`,
    map: true,
  },
  {
    name: 'data of a secret',
    path: namespaced('secrets'),
    document: object('v1', 'Secret', { data: 'HOLE' }),
    item: (n) => `"a${n}":""`,
    map: true,
  },
  {
    name: 'objects of a list',
    path: '/api/v1/namespaces/default/pods',
    document: { apiVersion: 'v1', kind: 'List', items: 'HOLE' },
    item: '{}',
  },
];
