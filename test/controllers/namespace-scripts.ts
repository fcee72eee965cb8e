import type { Script, Step } from './script.ts';

const core = '/api/v1/namespaces';
const post = (path: string, body: unknown): Step => ({ method: 'POST', path, body });
const remove = (path: string): Step => ({ method: 'DELETE', path });
const space = (name: string, spec: object = {}): Step => post(core, { metadata: { name }, spec });
const held = (name: string, ...holds: readonly string[]): object => ({
  metadata: { name, finalizers: holds.map((hold) => `example.com/${hold}`) },
});
const containers = [{ name: 'c', image: 'i' }];
/** A deployment without pods, as there is no controller of it. */
const deployment = (name: string, ...holds: readonly string[]): object => ({
  ...held(name, ...holds),
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers } },
  },
});

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ships = (names: { readonly plural: string; readonly kind: string }): object => ({
  metadata: { name: `${names.plural}.fleet.example.com` },
  spec: {
    group: 'fleet.example.com',
    names,
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});
const ship = (kind: string, name: string, ...holds: readonly string[]): object => ({
  apiVersion: 'fleet.example.com/v1',
  kind,
  ...held(name, ...holds),
});

const policies = '/apis/admissionregistration.k8s.io/v1';
/** Secrets of a namespace must stay. */
const keepsSecrets: readonly Step[] = [
  post(`${policies}/validatingadmissionpolicies`, {
    metadata: { name: 'keep-secrets' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['secrets'] }],
      },
      validations: [{ expression: 'false', message: 'secrets stay' }],
    },
  }),
  post(`${policies}/validatingadmissionpolicybindings`, {
    metadata: { name: 'keep-secrets' },
    spec: {
      policyName: 'keep-secrets',
      validationActions: ['Deny'],
      matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'leaving-refused' } } },
    },
  }),
  { pauseMs: 3000 },
];

const everything = ['configmaps', 'secrets', 'serviceaccounts', 'pods'];
const readsOf = (name: string): readonly string[] => [
  `${core}/${name}`,
  ...everything.map((plural) => `${core}/${name}/${plural}`),
];

/** Namespaces that go, and what their conditions say when they cannot. */
export const namespaceScripts: readonly Script[] = [
  {
    name: 'a namespace that goes',
    restMs: 10_000, // its controller waits for what is being created
    steps: [
      space('leaving-at-once'),
      post(`${core}/leaving-at-once/configmaps`, held('a')),
      { pauseMs: 500 },
      remove(`${core}/leaving-at-once`),
    ],
    reads: readsOf('leaving-at-once'),
  },
  {
    name: 'a namespace with objects that stay',
    restMs: 20_000, // its controller estimates how long to wait
    steps: [
      post(definitions, ships({ plural: 'barges', kind: 'Barge' })),
      post(definitions, ships({ plural: 'ferries', kind: 'Ferry' })),
      { pauseMs: 3000 },
      space('leaving-held'),
      ...['a', 'b', 'c'].map((name) => post(`${core}/leaving-held/configmaps`, held(name, 'first'))),
      post(`${core}/leaving-held/configmaps`, held('d', 'first', 'second')),
      post(`${core}/leaving-held/configmaps`, held('e')),
      post(`${core}/leaving-held/secrets`, held('a', 'third')),
      post('/apis/apps/v1/namespaces/leaving-held/deployments', deployment('web', 'second')),
      post('/apis/apps/v1/namespaces/leaving-held/deployments', deployment('gone')),
      post('/apis/fleet.example.com/v1/namespaces/leaving-held/barges', ship('Barge', 'a', 'first')),
      post('/apis/fleet.example.com/v1/namespaces/leaving-held/ferries', ship('Ferry', 'a')),
      { pauseMs: 1000 },
      remove(`${core}/leaving-held`),
    ],
    reads: [
      ...readsOf('leaving-held'),
      '/apis/apps/v1/namespaces/leaving-held/deployments',
      '/apis/fleet.example.com/v1/namespaces/leaving-held/barges',
      '/apis/fleet.example.com/v1/namespaces/leaving-held/ferries',
    ],
  },
  {
    name: 'a namespace with pods that stay',
    restMs: 20_000,
    steps: [
      space('leaving-pods'),
      post(`${core}/leaving-pods/serviceaccounts`, held('robot')),
      post(`${core}/leaving-pods/pods`, { ...held('stuck', 'first'), spec: { containers } }),
      post(`${core}/leaving-pods/configmaps`, held('waits', 'second')),
      { pauseMs: 1000 },
      remove(`${core}/leaving-pods`),
    ],
    reads: readsOf('leaving-pods'),
  },
  {
    name: 'a namespace whose contents may not be deleted',
    restMs: 20_000,
    steps: [
      space('leaving-refused'),
      ...keepsSecrets,
      post(`${core}/leaving-refused/secrets`, held('a')),
      post(`${core}/leaving-refused/configmaps`, held('a')),
      { pauseMs: 1000 },
      remove(`${core}/leaving-refused`),
    ],
    reads: readsOf('leaving-refused'),
  },
  {
    name: 'a namespace that others hold',
    restMs: 8000,
    steps: [
      space('leaving-shared', { finalizers: ['example.com/shared'] }),
      post(`${core}/leaving-shared/configmaps`, held('a')),
      { pauseMs: 500 },
      remove(`${core}/leaving-shared`),
    ],
    reads: readsOf('leaving-shared'),
  },
  {
    // The last one: what cannot be discovered is so for every namespace.
    name: 'a namespace while a server does not answer',
    restMs: 20_000,
    steps: [
      post('/apis/apiregistration.k8s.io/v1/apiservices', {
        metadata: { name: 'v1.away.example.com' },
        spec: {
          group: 'away.example.com',
          version: 'v1',
          groupPriorityMinimum: 10,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { namespace: 'default', name: 'nobody' },
        },
      }),
      { pauseMs: 2000 },
      space('leaving-unseen'),
      post(`${core}/leaving-unseen/configmaps`, held('a')),
      { pauseMs: 1000 },
      remove(`${core}/leaving-unseen`),
    ],
    reads: readsOf('leaving-unseen'),
  },
];
