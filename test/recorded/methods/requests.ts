import type { RecordedRequest } from '../../recorded-requests.ts';

// Writes are dry runs, so that the order does not matter.

export const namespace = 'methods';
const group = 'methods.example.com';

interface Walked {
  readonly plural: string;
  /** `/apis/GROUP/VERSION` */
  readonly root: string;
  readonly namespaced: boolean;
  readonly apiVersion: string;
  readonly kind: string;
  readonly content: object;
}

const custom = { root: `/apis/${group}/v1`, apiVersion: `${group}/v1`, content: { spec: { replicas: 1 } } };

/** Custom resources with and without subresources, one that takes the name of namespaces, and built-in kinds. */
const kinds: readonly Walked[] = [
  { ...custom, plural: 'things', kind: 'Thing', namespaced: true },
  { ...custom, plural: 'plains', kind: 'Plain', namespaced: true },
  { ...custom, plural: 'globals', kind: 'Global', namespaced: false },
  { ...custom, plural: 'namespaces', kind: 'Place', namespaced: false },
  { root: '/api/v1', plural: 'configmaps', kind: 'ConfigMap', apiVersion: 'v1', namespaced: true, content: {} },
  {
    root: '/apis/apps/v1',
    plural: 'deployments',
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    namespaced: true,
    content: {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
  },
  {
    root: '/apis/scheduling.k8s.io/v1',
    plural: 'priorityclasses',
    kind: 'PriorityClass',
    apiVersion: 'scheduling.k8s.io/v1',
    namespaced: false,
    content: { value: 1 },
  },
];

function objectOf({ apiVersion, kind, content }: Walked, name: string): object {
  return { apiVersion, kind, metadata: { name }, ...content };
}

/** Where the objects of a kind are, below its root. */
function collectionOf({ plural, namespaced }: Walked): string {
  return namespaced ? `namespaces/${namespace}/${plural}` : plural;
}

/** Paths of a kind, below its root. */
function pathsOf(kind: Walked): readonly string[] {
  const collection = collectionOf(kind);
  const item = `${collection}/base`;
  const misplaced = kind.namespaced ? `${kind.plural}/base` : `namespaces/${namespace}/${kind.plural}/base`;
  return [
    collection,
    kind.namespaced ? kind.plural : `namespaces/${namespace}/${kind.plural}`,
    item,
    misplaced,
    `${item}/`,
    `${item}/status`,
    `${item}/scale`,
    `${item}/other`,
    `${collection}//status`,
    `${item}/status/more`,
    `${item}/scale/more`,
    `${item}/other/more`,
    `${collection}/none/status`,
    `watch/${collection}`,
    `watch/${item}`,
    `watch/${item}/status`,
    `proxy/${item}`,
  ];
}

const jsonType = 'application/json';
const patch = { metadata: { labels: { a: 'b' } } };

interface Sent {
  readonly method: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: (kind: Walked, path: string) => object;
}

function updateBody(kind: Walked, path: string): object {
  if (!path.includes('/scale')) return objectOf(kind, 'base');
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'base' }, spec: { replicas: 2 } };
}

const sent: readonly Sent[] = [
  { method: 'GET' },
  { method: 'GET', accept: 'a/b' },
  { method: 'HEAD' },
  { method: 'POST', contentType: jsonType, body: (kind) => objectOf(kind, 'fresh') },
  { method: 'POST', contentType: 'a/b', body: (kind) => objectOf(kind, 'fresh') },
  { method: 'PUT', contentType: jsonType, body: updateBody },
  { method: 'PUT', contentType: 'a/b', body: updateBody },
  { method: 'PATCH', contentType: 'application/merge-patch+json', body: () => patch },
  { method: 'PATCH', contentType: 'application/strategic-merge-patch+json', body: () => patch },
  { method: 'PATCH', contentType: jsonType, body: () => patch },
  { method: 'DELETE' },
  { method: 'OPTIONS' },
  { method: 'PROPFIND' },
];

const walked: readonly RecordedRequest[] = kinds.flatMap((kind) =>
  pathsOf(kind).flatMap((path) =>
    sent.map(({ method, contentType, accept, body }) => ({
      name: [method, `${kind.root}/${path}`, ...(contentType ?? accept ?? '').split(' ', 1)].join(' ').trim(),
      method,
      path: `${kind.root}/${path}?${query(method)}`,
      ...(contentType === undefined ? {} : { contentType }),
      ...(accept === undefined ? {} : { accept }),
      ...(body === undefined ? {} : { body: body(kind, path) }),
    })),
  ),
);

/** Creates that a policy refuses, telling the name it was asked about: that of the path, if it has one. */
const named: readonly RecordedRequest[] = ['', '/base', '/other'].flatMap((below) =>
  [{ name: 'named' }, { generateName: 'named-' }].map((metadata) => ({
    name: `POST things${below} ${JSON.stringify(metadata)}`,
    method: 'POST',
    path: `${custom.root}/namespaces/${namespace}/things${below}?dryRun=All`,
    contentType: jsonType,
    body: { apiVersion: custom.apiVersion, kind: 'Thing', metadata, spec: { replicas: 7 } },
  })),
);

export const requests: readonly RecordedRequest[] = [...walked, ...named];

function query(method: string): string {
  return ['GET', 'HEAD'].includes(method) ? 'timeoutSeconds=1' : 'dryRun=All&timeoutSeconds=1';
}

/** Their definitions come first. */
export const definitions: readonly RecordedRequest[] = kinds
  .filter(({ root }) => root === custom.root)
  .map(({ plural, kind, namespaced }) => ({
    name: plural,
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    contentType: jsonType,
    body: definitionOf({ plural, kind, namespaced }),
  }));

function definitionOf({ plural, kind, namespaced }: Pick<Walked, 'plural' | 'kind' | 'namespaced'>): object {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const number = { type: 'object', properties: { replicas: { type: 'integer' } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { plural, kind },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...(kind === 'Plain' ? {} : { subresources: { status: {}, scale } }),
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: number, status: number } } },
        },
      ],
    },
  };
}

/** Objects named `base`, and the namespace they are in. */
export const objects: readonly RecordedRequest[] = [
  {
    name: 'namespace',
    method: 'POST',
    path: '/api/v1/namespaces',
    contentType: jsonType,
    body: { metadata: { name: namespace } },
  },
  ...kinds.map((kind) => ({
    name: kind.plural,
    method: 'POST',
    path: `${kind.root}/${collectionOf(kind)}`,
    contentType: jsonType,
    body: objectOf(kind, 'base'),
  })),
];

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic';

/** The policy, and its binding. */
export const policy: readonly RecordedRequest[] = [
  {
    name: 'policy',
    method: 'POST',
    path: `${policies}ies`,
    contentType: jsonType,
    body: {
      metadata: { name: 'names' },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [group], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
        },
        validations: [
          {
            expression: 'object.spec.replicas != 7',
            messageExpression: `'asked about ' + (request.name.startsWith('named-') ? 'a generated name' : request.name)`,
          },
        ],
      },
    },
  },
  {
    name: 'binding',
    method: 'POST',
    path: `${policies}ybindings`,
    contentType: jsonType,
    body: { metadata: { name: 'names' }, spec: { policyName: 'names', validationActions: ['Deny'] } },
  },
];

/** Refused once the policy is known. */
export const refused: RecordedRequest = named[0] as RecordedRequest; // not empty
