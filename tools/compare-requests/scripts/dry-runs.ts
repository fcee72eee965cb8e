import { configMap, deployment, places, pod, service } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'dry-runs';
const configMaps = places.configMaps(space);
const pods = places.pods(space);
const deployments = places.deployments(space);
const services = places.services(space);
const accounts = `/api/v1/namespaces/${space}/serviceaccounts`;
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** Each sent as a dry run: nothing of it may be there afterwards. */
const writes: readonly ((query: string) => Step)[] = [
  (query) => post('a map', `${configMaps}?${query}`, configMap('new')),
  (query) =>
    post(
      'a generated name',
      `${configMaps}?${query}`,
      configMap('', {}, { name: undefined, generateName: 'gen-map-' }),
    ),
  (query) => post('a map that is there', `${configMaps}?${query}`, configMap('kept')),
  (query) => put('a replaced map', `${configMaps}/kept?${query}`, configMap('kept', { b: '2' })),
  (query) => put('an old version', `${configMaps}/kept?${query}`, configMap('kept', {}, { resourceVersion: '1' })),
  (query) => put('a map by PUT', `${configMaps}/absent?${query}`, configMap('absent')),
  (query) => patch('a merged map', 'merge', `${configMaps}/kept?${query}`, { data: { c: '3' } }),
  (query) =>
    patch('a map without finalizers', 'merge', `${configMaps}/held?${query}`, { metadata: { finalizers: null } }),
  (query) => apply('an applied map', `${configMaps}/applied?${query}`, configMap('applied')),
  (query) => apply('an applied map that is there', `${configMaps}/kept?${query}`, configMap('kept', { a: '9' })),
  (query) => apply('a forced map', `${configMaps}/kept?force=true&${query}`, configMap('kept', { a: '9' })),
  (query) => remove('a deleted map', `${configMaps}/kept?${query}`),
  (query) => remove('a held map', `${configMaps}/held?${query}`),
  (query) => remove('a foreground deletion', `${configMaps}/kept?propagationPolicy=Foreground&${query}`),
  (query) => remove('an absent map', `${configMaps}/absent?${query}`),
  (query) => remove('all maps', `${configMaps}?labelSelector=all&${query}`),
  (query) => post('a service', `${services}?${query}`, service('new', { ports: [{ port: 80 }], type: 'NodePort' })),
  (query) =>
    post('a taken address', `${services}?${query}`, service('new', { clusterIP: '10.0.0.1', ports: [{ port: 80 }] })),
  (query) => patch('a service of another type', 'merge', `${services}/kept?${query}`, { spec: { type: 'NodePort' } }),
  (query) => remove('a deleted service', `${services}/kept?${query}`),
  (query) => post('a pod', `${pods}?${query}`, pod('new')),
  (query) => remove('a deleted pod', `${pods}/kept?gracePeriodSeconds=5&${query}`),
  (query) => remove('a pod without grace', `${pods}/kept?gracePeriodSeconds=0&${query}`),
  (query) =>
    post('a binding', `${pods}/kept/binding?${query}`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'kept' },
      target: { apiVersion: 'v1', kind: 'Node', name: 'n' },
    }),
  (query) =>
    post('an eviction', `${pods}/kept/eviction?${query}`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'kept', namespace: space },
    }),
  (query) =>
    post('an eviction with options', `${pods}/kept/eviction?${query}`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'kept', namespace: space },
      deleteOptions: { dryRun: ['All'], gracePeriodSeconds: 3, preconditions: { resourceVersion: '1' } },
    }),
  (query) => patch('a status', 'merge', `${pods}/kept/status?${query}`, { status: { phase: 'Running' } }),
  (query) =>
    patch('an ephemeral container', 'strategic', `${pods}/kept/ephemeralcontainers?${query}`, {
      spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] },
    }),
  (query) =>
    patch('a resize', 'strategic', `${pods}/kept/resize?${query}`, {
      spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] },
    }),
  (query) => patch('a scale', 'merge', `${deployments}/kept/scale?${query}`, { spec: { replicas: 5 } }),
  (query) =>
    apply('an applied scale', `${deployments}/kept/scale?force=true&${query}`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'kept' },
      spec: { replicas: 7 },
    }),
  (query) =>
    post('a token', `${accounts}/kept/token?${query}`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    }),
  (query) => patch('an approval', 'merge', `${requests}/none/approval?${query}`, { status: {} }),
  (query) =>
    post('a review', `/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?${query}`, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    }),
  (query) => post('a namespace', `/api/v1/namespaces?${query}`, { metadata: { name: `${space}-new` } }),
  (query) =>
    put('a finalized namespace', `/api/v1/namespaces/${space}/finalize?${query}`, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: space },
      spec: { finalizers: [] },
    }),
  (query) => remove('the namespace', `/api/v1/namespaces/${space}?${query}`),
];

/** What is no dry run, or not only one. */
const odd: { readonly [name: string]: string } = {
  twice: 'dryRun=All&dryRun=All',
  'with another': 'dryRun=All&dryRun=Some',
  'in lower case': 'dryRun=all',
  'with an empty one': 'dryRun=All&dryRun=',
};

const first = 'dryRun=All&fieldManager=dry';

export const dryRuns = script(
  'dry-runs',
  inNamespace(space),
  post('a kept map', `${configMaps}?fieldManager=maker`, configMap('kept', { a: '1' }, { labels: { all: '' } })),
  post('a held map', configMaps, configMap('held', {}, { finalizers: ['a.example.com/b'], labels: { all: '' } })),
  post('a kept service', services, service('kept', { ports: [{ port: 80 }] })),
  post('an account', accounts, { metadata: { name: 'kept' } }),
  post('a kept pod', pods, pod('kept', {}, { serviceAccountName: 'kept' }), { settles: true }),
  post('a kept deployment', deployments, deployment('kept'), { settles: true }),
  writes.map((write) => write(first)),
  forEach(odd, (query, name) =>
    writes.slice(0, 12).map((write) => {
      const step = write(query);
      return { ...step, name: `${step.name}, ${name}` };
    }),
  ),
  get('the maps', configMaps),
  get('the pods', pods),
  get('the services', services),
  get('the scale', `${deployments}/kept/scale`),
  get('the namespace', `/api/v1/namespaces/${space}`),
  get('no new namespace', `/api/v1/namespaces/${space}-new`),
);
