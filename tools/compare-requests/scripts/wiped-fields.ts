import { deployment, places, pod } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'wiped';
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const withStatus = {
  group: 'wiped.example.com',
  plural: 'halves',
  kind: 'Half',
  properties: { spec: free, status: free, other: free },
  version: { subresources: { status: {} } },
} as const;
const withoutStatus = {
  group: 'wiped.example.com',
  plural: 'wholes',
  kind: 'Whole',
  properties: { spec: free, status: free, other: free },
} as const;

interface Subject {
  readonly collection: string;
  readonly type: { readonly apiVersion: string; readonly kind: string };
  readonly spec: object;
  readonly changed: object;
  readonly status: object;
}

const deploymentSpec = (deployment('a') as { readonly spec: object }).spec;
const subjects: { readonly [name: string]: Subject } = {
  half: {
    collection: places.custom(withStatus.group, 'halves', space),
    type: { apiVersion: 'wiped.example.com/v1', kind: 'Half' },
    spec: { a: 1 },
    changed: { a: 2 },
    status: { s: 1 },
  },
  whole: {
    collection: places.custom(withoutStatus.group, 'wholes', space),
    type: { apiVersion: 'wiped.example.com/v1', kind: 'Whole' },
    spec: { a: 1 },
    changed: { a: 2 },
    status: { s: 1 },
  },
  deployment: {
    collection: places.deployments(space),
    type: { apiVersion: 'apps/v1', kind: 'Deployment' },
    spec: deploymentSpec,
    changed: { ...deploymentSpec, replicas: 4 },
    status: { replicas: 3, observedGeneration: 1 },
  },
  claim: {
    collection: `/api/v1/namespaces/${space}/persistentvolumeclaims`,
    type: { apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    changed: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
    status: { phase: 'Bound' },
  },
  job: {
    collection: `/apis/batch/v1/namespaces/${space}/jobs`,
    type: { apiVersion: 'batch/v1', kind: 'Job' },
    spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } } },
    changed: {
      parallelism: 2,
      template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } },
    },
    status: { active: 1 },
  },
  ingress: {
    collection: `/apis/networking.k8s.io/v1/namespaces/${space}/ingresses`,
    type: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' },
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    changed: { defaultBackend: { service: { name: 't', port: { number: 80 } } } },
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
  },
  budget: {
    collection: `/apis/policy/v1/namespaces/${space}/poddisruptionbudgets`,
    type: { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
    spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
    changed: { minAvailable: 2, selector: { matchLabels: { a: 'b' } } },
    status: { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
  },
};

function storyOf({ collection, type, spec, changed, status }: Subject, name: string): readonly Step[] {
  const one = `${collection}/a`;
  const called = (text: string): string => `${name}: ${text}`;
  const of = (fields: object, metadata: object = {}): object => ({
    ...type,
    metadata: { name: 'a', ...metadata },
    ...fields,
  });
  return [
    post(called('create with a status'), collection, of({ spec, status })),
    put(called('put a status'), one, of({ spec, status })),
    put(called('put the status'), `${one}/status`, of({ spec: changed, status })),
    get(called('get'), one),
    put(called('put without a status'), one, of({ spec: changed })),
    put(called('put the status without it'), `${one}/status`, of({ spec })),
    patch(called('merge the status'), 'merge', `${one}/status`, {
      spec: changed,
      status,
      metadata: { labels: { l: '1' }, annotations: { n: '1' }, finalizers: ['example.com/f'] },
    }),
    patch(called('merge a status'), 'merge', one, { status: null, metadata: { labels: { l: '2' } } }),
    patch(called('strategic'), 'strategic', `${one}/status`, { status: null }),
    patch(called('JSON patch of a status'), 'json', one, [{ op: 'add', path: '/status', value: status }]),
    patch(called('JSON patch of the status'), 'json', `${one}/status`, [
      { op: 'add', path: '/status', value: status },
      { op: 'add', path: '/spec', value: spec },
    ]),
    apply(called('apply both'), one, of({ spec: changed, status }), 'x&force=true'),
    apply(called('apply the status'), `${one}/status`, of({ spec, status }), 'y&force=true'),
    apply(called('apply the status, only'), `${one}/status`, of({ status }), 'y&force=true'),
    apply(called('apply no status'), `${one}/status`, of({}), 'y'),
    apply(
      called('apply labels through the status'),
      `${one}/status`,
      of({ status }, { labels: { z: '1' } }),
      'y&force=true',
    ),
    get(called('get the status'), `${one}/status`),
    get(called('at the end'), one),
    put(called('put the status of none'), `${collection}/zz/status`, of({ status }, { name: 'zz' })),
    apply(called('apply the status of none'), `${collection}/zz/status`, of({ status }, { name: 'zz' }), 'y'),
    remove(called('delete the status'), `${one}/status`),
    post(called('post the status'), `${one}/status`, of({ status })),
    remove(called('delete'), one),
  ];
}

const pods = places.pods(space);

/** Reports: a status through the main endpoint and back, and what else an endpoint resets. */
export const wipedFields = script(
  'wiped-fields',
  inNamespace(space),
  define(withStatus),
  define(withoutStatus),
  forEach(subjects, storyOf),
  post('a pod', pods, { ...pod('p'), status: { phase: 'Running' } }),
  apply(
    'a pod with conditions',
    `${pods}/p/status`,
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    },
    'kubelet',
  ),
  patch('a condition by another', 'strategic', `${pods}/p/status?fieldManager=gate`, {
    status: { conditions: [{ type: 'example.com/gate', status: 'True' }] },
  }),
  apply(
    'the same with another status',
    `${pods}/p/status`,
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    },
    'kubelet',
  ),
  put('a pod with a status', `${pods}/p`, { ...pod('p'), status: { phase: 'Failed' } }),
  get('the pod', `${pods}/p`),
);
