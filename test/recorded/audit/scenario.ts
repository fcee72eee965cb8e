import type { Request } from '../../api-client.ts';

/** One request; its name is its Audit-ID. */
export interface Step extends Request {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Ends the request this long after it began, if it lasts. */
  readonly endsMs?: number;
  readonly anonymous?: boolean;
}

const maps = '/api/v1/namespaces/default/configmaps';
const bare = '/api/v1/namespaces/bare/configmaps';
const post = (name: string, path: string, body: object, more: Partial<Step> = {}): Step => ({
  name,
  method: 'POST',
  path,
  body,
  ...more,
});
const patch = (name: string, path: string, contentType: string, body: unknown): Step => ({
  name,
  method: 'PATCH',
  path,
  contentType: `application/${contentType}`,
  body,
});
const get = (name: string, path: string, more: Partial<Step> = {}): Step => ({ name, method: 'GET', path, ...more });
const map = (name: string, data: object = { a: '1' }): object => ({ metadata: { name }, data });
const containers = [{ name: 'c', image: 'i' }];
const pod = (name: string, spec: object = {}): object => ({ metadata: { name }, spec: { containers, ...spec } });
const podSecurity = (modes: object): object =>
  Object.fromEntries(Object.entries(modes).map(([mode, level]) => [`pod-security.kubernetes.io/${mode}`, level]));
const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

export const steps: readonly Step[] = [
  post('create a namespace', '/api/v1/namespaces', { metadata: { name: 'bare' } }),
  post('create', maps, map('one'), { headers: { 'x-forwarded-for': '10.1.2.3, 10.1.2.4', 'x-real-ip': '10.1.2.5' } }),
  post('create with a name to be made', maps, { metadata: { generateName: 'made-' } }),
  post('create again', maps, map('one')),
  post('create what is invalid', maps, map('No Name')),
  post('create what cannot be read', maps, { metadata: 7 }),
  post('create in YAML', maps, Buffer.from('metadata: {name: two}\ndata: {a: b}\n'), {
    contentType: 'application/yaml',
  }),
  post('create dry', `${maps}?dryRun=All&fieldManager=me`, map('three')),
  post('create unknown fields', `${maps}?fieldValidation=Warn`, { ...map('unknown'), other: 1 }),
  get('get', `${maps}/one`),
  get('get a named one', `${maps}/named`),
  get('get what is not there', `${maps}/nothing`),
  get('get in YAML', `${maps}/one`, { headers: { accept: 'application/yaml' } }),
  get('get a Table', `${maps}/one`, { headers: { accept: table } }),
  get('get metadata', `${maps}/one`, {
    headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
  }),
  get('get with pretty', `${maps}/one?pretty=true`),
  { name: 'update', method: 'PUT', path: `${maps}/one`, body: map('one', { a: '2' }) },
  { name: 'update another name', method: 'PUT', path: `${maps}/one`, body: map('two') },
  patch('merge patch', `${maps}/one`, 'merge-patch+json', { data: { b: '3' } }),
  patch('strategic merge patch', `${maps}/one`, 'strategic-merge-patch+json', { data: { c: '4' } }),
  patch('JSON patch', `${maps}/one`, 'json-patch+json', [{ op: 'add', path: '/data/d', value: '5' }]),
  patch(
    'apply',
    `${maps}/applied?fieldManager=me`,
    'apply-patch+yaml',
    Buffer.from('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata: {a: "1"}\n'),
  ),
  patch('patch with an error', `${maps}/one`, 'merge-patch+json', Buffer.from('{"data":')),
  post('create where fields have no owners shown', bare, map('one')),
  get('get where fields have no owners shown', `${bare}/one`),
  get('list where fields have no owners shown', `${bare}?labelSelector=!x`),
  patch('merge patch where fields have no owners shown', `${bare}/one`, 'merge-patch+json', { data: { b: '3' } }),
  get('list', `${maps}?limit=1&fieldSelector=metadata.name=one`),
  get('list nothing', `${maps}?fieldSelector=metadata.name=nothing`),
  get('list a Table', `${maps}?fieldSelector=metadata.name=one`, { headers: { accept: table } }),
  get('watch', `${maps}?watch=true&fieldSelector=metadata.name=one&timeoutSeconds=1`),
  get('watch from too far', `${maps}?watch=true&resourceVersion=x`),
  post('create a secret', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' }, data: { a: 'aGk=' } }),
  get('get a secret', '/api/v1/namespaces/default/secrets/s'),
  { name: 'delete a secret', method: 'DELETE', path: '/api/v1/namespaces/default/secrets/s' },
  post('create a deployment', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, template, replicas: 0 },
  }),
  get('get a scale', '/apis/apps/v1/namespaces/default/deployments/d/scale'),
  patch('patch a scale', '/apis/apps/v1/namespaces/default/deployments/d/scale', 'merge-patch+json', {
    spec: { replicas: 2 },
  }),
  patch('patch a status', '/apis/apps/v1/namespaces/default/deployments/d/status', 'merge-patch+json', {
    status: { replicas: 1 },
  }),
  post('create a pod', '/api/v1/namespaces/default/pods', pod('p')),
  post('label a strict namespace', '/api/v1/namespaces', {
    metadata: { name: 'strict', labels: podSecurity({ enforce: 'baseline', audit: 'restricted' }) },
  }),
  post('create an audited pod', '/api/v1/namespaces/strict/pods', pod('p')),
  post('create a refused pod', '/api/v1/namespaces/strict/pods', pod('q', { hostNetwork: true })),
  post('bind a pod', '/api/v1/namespaces/default/pods/p/binding', {
    metadata: { name: 'p' },
    target: { kind: 'Node', name: 'n' },
  }),
  post('evict a pod', '/api/v1/namespaces/strict/pods/p/eviction', { metadata: { name: 'p' } }),
  post('ask for a review', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
  }),
  post('create an account', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } }),
  post('ask for a token of an account', '/api/v1/namespaces/default/serviceaccounts/robot/token', { spec: {} }),
  post('ask for a token', '/api/v1/namespaces/default/serviceaccounts/default/token', { spec: {} }),
  { name: 'delete with options', method: 'DELETE', path: `${maps}/two`, body: { propagationPolicy: 'Background' } },
  {
    name: 'delete with options of a version',
    method: 'DELETE',
    path: `${maps}/applied`,
    body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
  },
  { name: 'delete', method: 'DELETE', path: `${maps}/one?gracePeriodSeconds=0` },
  { name: 'delete what is not there', method: 'DELETE', path: `${maps}/one` },
  { name: 'delete a collection', method: 'DELETE', path: `${maps}?fieldSelector=metadata.name=unknown` },
  get('discovery', '/apis/apps/v1'),
  get('version', '/version'),
  get('health', '/healthz'),
  get('readiness', '/readyz/ping'),
  get('nothing', '/nothing'),
  get('a resource that is not there', '/apis/apps/v1/nothing'),
  { name: 'a method that is not allowed', method: 'PUT', path: maps, body: {} },
  get('unauthorized', maps, { anonymous: true, headers: { authorization: 'Bearer wrong' } }),
  get('anonymous', '/version', { anonymous: true }),
  get('anonymous and forbidden', maps, { anonymous: true }),
  get('a wrong timeout', `${maps}?timeout=x`),
  get('forbidden', maps, { headers: { 'impersonate-user': 'somebody', 'impersonate-group': 'some' } }),
  get('impersonated', `${maps}/one`, {
    headers: {
      'impersonate-user': 'somebody',
      'impersonate-group': 'system:masters',
      'impersonate-uid': '7',
      'impersonate-extra-a': 'b',
    },
  }),
  get('a node', `${maps}/one`, { headers: { 'impersonate-user': 'system:node:n' } }),
  get('a long user agent', '/version', { headers: { 'user-agent': `binnacle ${'x'.repeat(1100)}` } }),
  post('a deprecated version', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          deprecated: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }),
  get('an instance of a deprecated version', '/apis/example.com/v1/namespaces/bare/widgets'),
  get('deprecated endpoints', '/api/v1/namespaces/default/endpoints'),
];
