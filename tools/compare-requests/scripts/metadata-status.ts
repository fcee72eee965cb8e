import { deployment, instance, places, pod } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'through-status';
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const custom = {
  group: 'through-status.example.com',
  plural: 'gates',
  kind: 'Gate',
  properties: { spec: free, status: free },
  version: { subresources: { status: {} } },
} as const;
type Subject = { readonly collection: string; readonly object: object; readonly status: object };
const typed = (apiVersion: string, kind: string, spec: object): object => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
  spec,
});
const subjects: { readonly [name: string]: Subject } = {
  gate: {
    collection: places.custom(custom.group, custom.plural, space),
    object: instance(custom, 'a', { spec: {} }),
    status: { s: 1 },
  },
  deployment: { collection: places.deployments(space), object: deployment('a'), status: { replicas: 1 } },
  pod: { collection: places.pods(space), object: pod('a'), status: { phase: 'Running' } },
  node: { collection: '/api/v1/nodes', object: typed('v1', 'Node', {}), status: { phase: 'Running' } },
  namespace: {
    collection: '/api/v1/namespaces',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'through-status-2' } },
    status: { phase: 'Active' },
  },
  ingress: {
    collection: `/apis/networking.k8s.io/v1/namespaces/${space}/ingresses`,
    object: typed('networking.k8s.io/v1', 'Ingress', {
      defaultBackend: { service: { name: 's', port: { number: 80 } } },
    }),
    status: { loadBalancer: {} },
  },
  'cron job': {
    collection: `/apis/batch/v1/namespaces/${space}/cronjobs`,
    object: typed('batch/v1', 'CronJob', {
      schedule: '* * * * *',
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
      },
    }),
    status: {},
  },
};

const changes: { readonly [name: string]: object } = {
  labels: { labels: { a: 'b' } },
  'no labels': { labels: null },
  annotations: { annotations: { 'a/b': 'c' } },
  'a bad label': { labels: { a: 'not valid!' } },
  finalizers: { finalizers: ['example.com/f'] },
  owners: {
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '00000000-0000-4000-8000-000000000001' }],
  },
  'bad owners': { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap' }] },
  'another name': { name: 'b' },
  'another uid': { uid: '00000000-0000-4000-8000-000000000001' },
  generation: { generation: 99 },
  'a deletion': { deletionTimestamp: '2001-01-01T00:00:00Z' },
  'an old version': { resourceVersion: '1' },
  'a generate name': { generateName: 'x-' },
  'another namespace': { namespace: 'default' },
};

function storyOf({ collection, object, status }: Subject, subject: string): readonly Step[] {
  const { metadata, ...others } = object as { readonly metadata: { readonly name: string } };
  const one = `${collection}/${metadata.name}`;
  const called = (what: string): string => `${subject}: ${what}`;
  return [
    post(called('create'), collection, { ...others, metadata: { ...metadata, labels: { first: '1' } } }),
    ...forEach(changes, (change, name) => [
      patch(called(`merge ${name}`), 'merge', `${one}/status`, { metadata: change, status }),
      put(called(`put ${name}`), `${one}/status`, { ...others, metadata: { ...metadata, ...change }, status }),
      apply(
        called(`apply ${name}`),
        `${one}/status`,
        { ...others, metadata: { ...metadata, ...change }, spec: undefined, status },
        'x&force=true',
      ),
    ]),
    get(called('at the end'), one),
    patch(called('without finalizers'), 'merge', one, { metadata: { finalizers: null } }),
    remove(called('delete'), one),
    patch(called('the status after that'), 'merge', `${one}/status`, { status }),
  ];
}

/** Reports: labels, annotations and finalizers that a status update sets, or does not. */
export const metadataStatus = script('metadata-status', inNamespace(space), define(custom), forEach(subjects, storyOf));
