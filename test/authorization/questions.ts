import { binding, places, role, subject } from './policy.ts';
import type { TokenRequest } from './token-client.ts';

const api = '/apis/authorization.k8s.io/v1';
const apiVersion = 'authorization.k8s.io/v1';

const subjects: readonly object[] = [
  { user: 'ann', groups: ['devs', 'system:authenticated'] },
  { user: 'bob', groups: ['ops', 'qa'] },
  { user: 'carol' },
  { user: 'system:serviceaccount:team:sa', groups: ['system:serviceaccounts', 'system:authenticated'] },
  { user: 'system:serviceaccount:team:local' },
  { user: 'x', groups: ['system:masters'] },
  { user: 'system:kube-scheduler' },
  { user: 'system:kube-controller-manager' },
  { user: 'system:kube-proxy' },
  { user: 'system:anonymous', groups: ['system:unauthenticated'] },
  { groups: ['system:serviceaccounts'] },
  { groups: ['system:monitoring'] },
  { user: 'system:serviceaccount:kube-system:job-controller' },
  { user: 'system:serviceaccount:kube-system:generic-garbage-collector' },
];
const verbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  '*',
  'escalate',
  'bind',
];
const resources = [
  ['', 'pods', ''],
  ['', 'pods', 'log'],
  ['', 'pods', 'status'],
  ['', 'nodes', 'status'],
  ['apps', 'deployments', ''],
  ['apps', 'deployments', 'scale'],
  ['', 'secrets', ''],
  ['', 'configmaps', ''],
  ['*', '*', ''],
  ['rbac.authorization.k8s.io', 'clusterroles', ''],
  ['batch', 'jobs', ''],
  ['', 'events', ''],
  ['authorization.k8s.io', 'selfsubjectaccessreviews', ''],
  ['coordination.k8s.io', 'leases', ''],
  ['', 'pods/log', ''],
];
const paths = [
  '/healthz',
  '/api',
  '/apis/apps',
  '/foo',
  '/foo/',
  '/bar/',
  '/bar/x/y',
  '/bar',
  '/metrics',
  '*',
  '/openapi/v3',
];

function review(spec: object): TokenRequest {
  const body = { kind: 'SubjectAccessReview', apiVersion, spec };
  return { method: 'POST', path: `${api}/subjectaccessreviews`, token: 'tok-root', body };
}

/** Access reviews of every subject, verb and resource, with alternating namespaces and names, and of every path. */
export function accessQuestions(): readonly TokenRequest[] {
  const namespaces = ['', 'team', 'default', 'kube-system', 'team'];
  const names = ['', 'a', 'z'];
  let turn = 0;
  const ofResources = subjects.flatMap((who) =>
    verbs.flatMap((verb) =>
      resources.flatMap(([group, resource, subresource]) =>
        [0, 1].map(() => {
          turn += 1;
          const namespace = namespaces[turn % namespaces.length];
          const name = names[turn % names.length];
          return review({ ...who, resourceAttributes: { verb, group, resource, subresource, namespace, name } });
        }),
      ),
    ),
  );
  const ofPaths = subjects.flatMap((who) =>
    ['get', 'post', 'head', '*'].flatMap((verb) =>
      paths.map((path) => review({ ...who, nonResourceAttributes: { verb, path } })),
    ),
  );
  return [...ofResources, ...ofPaths];
}

const refusedRequests: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api/v1/namespaces/team/secrets/x'],
  ['DELETE', '/api/v1/nodes/n'],
  ['GET', '/apis/apps/v1/deployments'],
  ['HEAD', '/version'],
  ['POST', '/foo'],
  ['GET', '/bar/x'],
  ['PATCH', '/apis/apps/v1/namespaces/team/deployments/x/scale'],
  ['DELETE', '/api/v1/namespaces/team/pods/b'],
  ['GET', '/nowhere'],
];

const rules: readonly (readonly object[])[] = [
  [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }],
  [{ verbs: ['get', 'delete'], apiGroups: ['', 'apps'], resources: ['pods', 'deployments'] }],
  [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ],
  [{ verbs: ['get'], nonResourceURLs: ['/foo', '/bar/x', '/bar/*', '/baz'] }],
  [{ verbs: ['get'], apiGroups: ['apps'], resources: ['deployments/scale', '*', '*/status'] }],
  [{ verbs: ['create'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] }],
];

const impersonations: readonly { readonly [name: string]: string | string[] }[] = [
  { 'impersonate-user': 'x' },
  { 'impersonate-user': 'system:serviceaccount:team:sa' },
  { 'impersonate-group': 'g' },
  { 'impersonate-uid': 'u' },
  { 'impersonate-extra-foo': 'bar' },
  { 'impersonate-user': '' },
  { 'impersonate-user': 'x', 'impersonate-group': ['a', 'b', 'system:masters'] },
  { 'impersonate-user': 'x', 'impersonate-group': ['system:unauthenticated'] },
  { 'impersonate-user': 'system:anonymous' },
  { 'impersonate-user': 'x', 'impersonate-uid': '1', 'impersonate-extra-acme.io%2ffoo': ['1', '2'] },
  { 'impersonate-group': ['a', 'b'], 'impersonate-extra-foo': ['x', 'y'], 'impersonate-extra-bar': 'z' },
  { 'impersonate-user': 'x', 'impersonate-extra-%zz': 'y' },
  { 'impersonate-user': 'system:serviceaccount:team:sa', 'impersonate-group': 'q' },
  { 'impersonate-user': 'x', 'impersonate-group': ['a', 'b', 'c', 'd', 'e'] },
  { 'impersonate-foo': 'x' },
  { 'impersonate-user': 'ann', 'impersonate-group': 'devs' },
];

/** Requests by one user; some change the policy, so the order matters. */
export function attempts(token: string): readonly TokenRequest[] {
  const post = (path: string, body: object): TokenRequest => ({ method: 'POST', path, token, body });
  const merge = (path: string, body: object): TokenRequest => {
    return { method: 'PATCH', path, token, body, contentType: 'application/merge-patch+json' };
  };
  const whoami = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' };
  const gathers = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } };
  const user = [subject('User zed')];
  return [
    ...['default', 'team', ''].map((namespace) =>
      post(`${api}/selfsubjectrulesreviews`, { kind: 'SelfSubjectRulesReview', apiVersion, spec: { namespace } }),
    ),
    ...refusedRequests.map(([method, path]) => ({ method, path, token })),
    ...rules.flatMap((list, index) => [
      post(places.clusterRoles, role('ClusterRole', `e${index}-${token}`, list)),
      {
        ...post(`${places.clusterRoles}/p${index}-${token}`, role('ClusterRole', `p${index}-${token}`, list)),
        method: 'PUT',
      },
      post(places.roles, role('Role', `r${index}-${token}`, list)),
    ]),
    post(places.clusterRoles, role('ClusterRole', `agg-${token}`, [], gathers)),
    { ...post('/api/v1/namespaces/team/limitranges/new', { kind: 'LimitRange', apiVersion: 'v1' }), method: 'PUT' },
    merge(`${places.clusterRoles}/r1`, { metadata: { labels: { x: token } } }),
    merge(`${places.clusterRoles}/r1`, { metadata: { finalizers: [`a/${token}`] } }),
    merge(`${places.clusterRoles}/system:discovery`, { metadata: { labels: { x: token } } }),
    ...['r1', 'cluster-admin', 'writer', 'nope', 'system:discovery'].flatMap((name) => [
      post(places.clusterRoleBindings, binding(`b-${name}-${token}`, `ClusterRole ${name}`, user)),
      post(places.roleBindings, binding(`b-${name}-${token}`, `ClusterRole ${name}`, user)),
    ]),
    post(places.roleBindings, binding(`ro-${token}`, 'Role ro', [])),
    post(places.roleBindings, binding(`ro2-${token}`, 'Role nope', [])),
    merge(`${places.clusterRoleBindings}/b2`, { metadata: { labels: { x: token } } }),
    ...impersonations.flatMap((headers) => [
      { ...post('/apis/authentication.k8s.io/v1/selfsubjectreviews', whoami), headers },
      { method: 'GET', path: '/api/v1/namespaces/team/pods', token, headers },
      { method: 'GET', path: '/foo', token, headers },
    ]),
  ];
}
