import { samples } from '../all-resources/objects.ts';
import type { Script, Step } from './script.ts';

const space = 'leaving-many';
const hold = 'example.com/hold';

/** By the root of their version. */
const builtIn: { readonly [root: string]: readonly string[] } = {
  '/api/v1': [
    'configmaps',
    'endpoints',
    'limitranges',
    'persistentvolumeclaims',
    'podtemplates',
    'replicationcontrollers',
    'resourcequotas',
    'secrets',
    'serviceaccounts',
    'services',
  ],
  '/apis/apps/v1': ['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'],
  '/apis/autoscaling/v2': ['horizontalpodautoscalers'],
  '/apis/batch/v1': ['cronjobs', 'jobs'],
  '/apis/coordination.k8s.io/v1': ['leases'],
  '/apis/discovery.k8s.io/v1': ['endpointslices'],
  '/apis/networking.k8s.io/v1': ['ingresses', 'networkpolicies'],
  '/apis/policy/v1': ['poddisruptionbudgets'],
  '/apis/rbac.authorization.k8s.io/v1': ['rolebindings', 'roles'],
  '/apis/resource.k8s.io/v1': ['resourceclaims', 'resourceclaimtemplates'],
  '/apis/storage.k8s.io/v1': ['csistoragecapacities'],
};
const custom = [
  'buoys',
  'charts',
  'cranes',
  'docks',
  'locks',
  'masts',
  'piers',
  'quays',
  'sails',
  'tides',
  'tugs',
  'winches',
];
const group = 'many.example.com';

const post = (path: string, body: unknown): Step => ({ method: 'POST', path, body });
const metadata = { name: 'held', finalizers: [hold] };
const inSpace = (root: string, plural: string): string => `${root}/namespaces/${space}/${plural}`;

function makeBuiltIn(root: string, plural: string): Step {
  const [, , name = '', version = ''] = root.split('/');
  const of = root.startsWith('/api/') ? '' : name;
  const sample = samples[`${of}/${version}/${plural}`] ?? samples[`${of}/${plural}`];
  return post(inSpace(root, plural), { ...sample?.body, metadata });
}

function define(plural: string): Step {
  const names = { plural, kind: plural.toUpperCase() };
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  return post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope: 'Namespaced', versions },
  });
}

/** The conditions of a namespace in which objects of forty kinds are held. */
export const manyKindsScript: Script = {
  name: 'a namespace with forty kinds that stay',
  restMs: 20_000,
  steps: [
    ...custom.map(define),
    { pauseMs: 5000 },
    post('/api/v1/namespaces', { metadata: { name: space } }),
    { pauseMs: 1000 },
    ...Object.entries(builtIn).flatMap(([root, plurals]) => plurals.map((plural) => makeBuiltIn(root, plural))),
    ...custom.map((plural) =>
      post(inSpace(`/apis/${group}/v1`, plural), { apiVersion: `${group}/v1`, kind: plural.toUpperCase(), metadata }),
    ),
    { pauseMs: 1000 },
    { method: 'DELETE', path: `/api/v1/namespaces/${space}` },
  ],
  reads: [`/api/v1/namespaces/${space}`],
};
