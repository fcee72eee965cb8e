import { define } from '../../definitions.ts';
import { configMap, deployment, instance, places, pod, replicaSet } from '../../objects.ts';
import { script, type Step } from '../../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../../steps.ts';

const space = 'deletion-stories';
const custom = {
  group: 'deletion-stories.example.com',
  plural: 'twigs',
  kind: 'Twig',
  properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
  version: { subresources: { status: {} } },
} as const;
const options = (more: object = {}): object => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...more });

interface Subject {
  readonly collection: string;
  readonly of: (name: string, metadata: object) => object;
}
const subjects: { readonly [name: string]: Subject } = {
  'config map': { collection: places.configMaps(space), of: (name, metadata) => configMap(name, { a: '1' }, metadata) },
  twig: {
    collection: places.custom(custom.group, custom.plural, space),
    of: (name, metadata) => instance(custom, name, { spec: { a: '1' } }, metadata),
  },
  'replica set': { collection: places.replicaSets(space), of: (name, metadata) => replicaSet(name, {}, metadata) },
  pod: { collection: places.pods(space), of: (name, metadata) => pod(name, {}, {}, metadata) },
};

/** Bodies of a deletion, each of a new object. */
const bodies: { readonly [name: string]: unknown } = {
  foreground: options({ propagationPolicy: 'Foreground' }),
  orphaning: options({ propagationPolicy: 'Orphan' }),
  background: options({ propagationPolicy: 'Background' }),
  'an old orphaning': options({ orphanDependents: true }),
  'an old cascade': options({ orphanDependents: false }),
  both: options({ orphanDependents: true, propagationPolicy: 'Foreground' }),
  'an unknown policy': options({ propagationPolicy: 'Nope' }),
  'a policy in lower case': options({ propagationPolicy: 'foreground' }),
  'a negative grace': options({ gracePeriodSeconds: -5 }),
  'a grace': options({ gracePeriodSeconds: 7 }),
  'a dry run': options({ dryRun: ['All'] }),
  'an unknown dry run': options({ dryRun: ['Some'] }),
  'two dry runs': options({ dryRun: ['All', 'All'] }),
  'an empty uid': options({ preconditions: { uid: '' } }),
  'a wrong uid': options({ preconditions: { uid: '00000000-0000-4000-8000-000000000000' } }),
  'another kind': { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
  'another group': { apiVersion: 'apps/v1', kind: 'DeleteOptions' },
  'meta v1': { apiVersion: 'meta.k8s.io/v1', kind: 'DeleteOptions', propagationPolicy: 'Orphan' },
  'an unknown field': options({ nope: 1 }),
  'wrong types': options({ gracePeriodSeconds: 'x' }),
  'a list': [],
  'a text': '"x"',
  null: 'null',
  'an empty text': '',
  'ignored errors': options({ ignoreStoreReadErrorWithClusterBreakingPotential: true }),
  'ignored errors and a grace': options({
    ignoreStoreReadErrorWithClusterBreakingPotential: true,
    gracePeriodSeconds: 1,
  }),
};
const queries: { readonly [name: string]: string } = {
  foreground: 'propagationPolicy=Foreground',
  'an unknown policy': 'propagationPolicy=Nope',
  'a grace': 'gracePeriodSeconds=0',
  'a grace that is a text': 'gracePeriodSeconds=x',
  'an old orphaning': 'orphanDependents=true',
  'an orphaning that is a text': 'orphanDependents=x',
  both: 'orphanDependents=true&propagationPolicy=Orphan',
  'a dry run': 'dryRun=All',
  'an unknown dry run': 'dryRun=true',
  'an empty dry run': 'dryRun=',
  unknown: 'nope=1',
};

let index = 0;
function bodySteps({ collection, of }: Subject, subject: string): readonly Step[] {
  index += 1;
  const called = (what: string): string => `${subject}: ${what}`;
  const each = (how: string, at: number): { readonly name: string; readonly made: Step; readonly after: Step } => {
    const name = `${how}${at}`;
    return {
      name,
      made: post(called(`create ${name}`), collection, of(name, { finalizers: ['example.com/f'] })),
      after: patch(called(`let ${name} go`), 'merge', `${collection}/${name}`, { metadata: { finalizers: null } }),
    };
  };
  return [
    ...Object.entries(bodies).flatMap(([name, body], at) => {
      const { name: object, made, after } = each('b', at);
      return [
        made,
        remove(called(`with ${name}`), `${collection}/${object}`, body),
        ...(subject === 'pod' ? [] : [after]),
      ];
    }),
    ...Object.entries(queries).flatMap(([name, query], at) => {
      const { name: object, made, after } = each('q', at);
      return [
        made,
        remove(called(`with a query, ${name}`), `${collection}/${object}?${query}`),
        ...(subject === 'pod' ? [] : [after]),
      ];
    }),
    get(called('what is left'), `${collection}?labelSelector=nope`),
  ];
}

/** An object that is being deleted and is written to. */
function heldSteps({ collection, of }: Subject, subject: string): readonly Step[] {
  const one = `${collection}/held`;
  const called = (what: string): string => `${subject}, held: ${what}`;
  const held = (metadata: object): object => of('held', metadata);
  return [
    post(called('create'), collection, held({ finalizers: ['example.com/a', 'example.com/b'] })),
    remove(called('delete'), one, options({ propagationPolicy: 'Background', gracePeriodSeconds: 0 })),
    remove(called('delete again'), one, options({ propagationPolicy: 'Foreground' })),
    remove(called('delete with a wrong uid'), one, options({ preconditions: { uid: 'x' } })),
    remove(called('delete as an orphan'), one, options({ propagationPolicy: 'Orphan' })),
    patch(called('a label'), 'merge', one, { metadata: { labels: { l: '1' } } }),
    patch(called('another finalizer'), 'merge', one, {
      metadata: { finalizers: ['example.com/a', 'example.com/b', 'example.com/c'] },
    }),
    patch(called('one replaced'), 'merge', one, { metadata: { finalizers: ['example.com/a', 'example.com/c'] } }),
    patch(called('no deletion time'), 'merge', one, { metadata: { deletionTimestamp: null } }),
    patch(called('another deletion time'), 'merge', one, { metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } }),
    patch(called('a grace period'), 'merge', one, { metadata: { deletionGracePeriodSeconds: 99 } }),
    patch(called('an owner'), 'merge', one, {
      metadata: {
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'Pod',
            name: 'x',
            uid: '00000000-0000-4000-8000-000000000000',
            blockOwnerDeletion: true,
          },
        ],
      },
    }),
    post(called('create again'), collection, held({})),
    apply(called('apply'), one, held({ labels: { l: '2' } }), 'one&force=true'),
    put(called('put without finalizers, dry'), `${one}?dryRun=All`, held({})),
    get(called('get'), one),
    remove(called('delete all, dry'), `${collection}?dryRun=All&fieldSelector=metadata.name%3Dheld`),
    patch(called('one finalizer less'), 'json', one, [{ op: 'remove', path: '/metadata/finalizers/0' }]),
    patch(called('the last one, dry'), 'merge', `${one}?dryRun=All`, { metadata: { finalizers: null } }),
    patch(called('all go'), 'merge', one, { metadata: { finalizers: null } }),
    get(called('gone'), one),
    post(called('a new one'), collection, held({})),
    remove(
      called('delete the new one'),
      one,
      options({
        preconditions: {
          uid: `{{${subject}, held: a new one|metadata.uid}}`,
          resourceVersion: `{{${subject}, held: a new one|metadata.resourceVersion}}`,
        },
        gracePeriodSeconds: 0,
      }),
    ),
  ];
}

const namespaces = '/api/v1/namespaces';
const deployments = places.deployments(space);

/** Reports: options of deletions, objects that wait for finalizers, and what may still be written to them. */
export const deletionStories = script(
  'deletion-stories',
  inNamespace(space),
  define(custom),
  forEach(subjects, bodySteps),
  forEach(subjects, heldSteps),
  // The deployment's dependents are nobody's business without controllers.
  post('a deployment', deployments, deployment('d')),
  remove('a deployment in the foreground', `${deployments}/d?propagationPolicy=Foreground`),
  patch('its replicas', 'merge', `${deployments}/d`, { spec: { replicas: 5 } }),
  patch('its scale', 'merge', `${deployments}/d/scale`, { spec: { replicas: 6 } }),
  patch('its finalizers', 'merge', `${deployments}/d`, { metadata: { finalizers: [] } }),
  // A namespace and its finalize endpoint.
  post('another namespace', namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'deletion-stories-2' },
  }),
  put('finalize what is not deleted', `${namespaces}/deletion-stories-2/finalize`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'deletion-stories-2' },
    spec: { finalizers: ['example.com/x', 'kubernetes'] },
  }),
  put('finalize another name', `${namespaces}/deletion-stories-2/finalize`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'other' },
    spec: { finalizers: [] },
  }),
  put('finalize with a bad finalizer', `${namespaces}/deletion-stories-2/finalize`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'deletion-stories-2' },
    spec: { finalizers: ['nope'] },
  }),
  get('finalize: get', `${namespaces}/deletion-stories-2/finalize`),
  patch('finalize: patch', 'merge', `${namespaces}/deletion-stories-2/finalize`, { spec: { finalizers: [] } }),
  patch('its phase', 'merge', `${namespaces}/deletion-stories-2/status`, { status: { phase: 'Terminating' } }),
  patch('finalizers of a namespace', 'merge', `${namespaces}/deletion-stories-2`, {
    spec: { finalizers: [] },
    metadata: { labels: { 'kubernetes.io/metadata.name': 'x' } },
  }),
  remove('delete namespaces', namespaces),
  remove('delete the default namespace', `${namespaces}/default?dryRun=All`),
  remove('delete kube-system', `${namespaces}/kube-system?dryRun=All`),
);
