import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'bound';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const roles = `${rbac}/namespaces/${space}/roles`;
const bindings = `${rbac}/namespaces/${space}/rolebindings`;
const clusterRoles = `${rbac}/clusterroles`;
const clusterBindings = `${rbac}/clusterrolebindings`;
const of = (kind: string, name: string, fields: object, metadata: object = {}): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name, ...metadata },
  ...fields,
});
const rule = (verbs: readonly string[], resources: readonly string[], more: object = {}): object => ({
  apiGroups: [''],
  resources,
  verbs,
  ...more,
});
const user = (name: string): object => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name });
const ref = (kind: string, name: string): object => ({
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
});

const badRules: { readonly [name: string]: object } = {
  'no verbs': rule([], ['pods']),
  'no groups': { resources: ['pods'], verbs: ['get'] },
  'no resources': { apiGroups: [''], verbs: ['get'] },
  'paths in a role': { nonResourceURLs: ['/x'], verbs: ['get'] },
  'paths and resources': rule(['get'], ['pods'], { nonResourceURLs: ['/x'] }),
  'a star': rule(['*'], ['*'], { apiGroups: ['*'] }),
  'a path with a star within': { nonResourceURLs: ['/x/*/y'], verbs: ['get'] },
  names: rule(['get'], ['pods'], { resourceNames: ['a', ''] }),
};
const subjects: { readonly [name: string]: unknown } = {
  'a user': [user('u')],
  'a user without a group': [{ kind: 'User', name: 'u' }],
  'a user of another group': [{ ...user('u'), apiGroup: 'x' }],
  'an account': [{ kind: 'ServiceAccount', name: 'a', namespace: space }],
  'an account without a namespace': [{ kind: 'ServiceAccount', name: 'a' }],
  'an account with a bad name': [{ kind: 'ServiceAccount', name: 'A_', namespace: space }],
  'an account of a group': [
    { apiGroup: 'rbac.authorization.k8s.io', kind: 'ServiceAccount', name: 'a', namespace: space },
  ],
  'a group': [{ kind: 'Group', name: 'g' }],
  'an unknown kind': [{ kind: 'Robot', name: 'r' }],
  'no kind': [{ name: 'r' }],
  'no name': [{ kind: 'User' }],
  'the same twice': [user('u'), user('u')],
  none: [],
  null: null,
};
const refs: { readonly [name: string]: object } = {
  'a role': ref('Role', 'r'),
  'a cluster role': ref('ClusterRole', 'view'),
  'no role': ref('Role', 'nope'),
  'no group': { roleRef: { kind: 'Role', name: 'r' } },
  'another group': { roleRef: { apiGroup: 'x', kind: 'Role', name: 'r' } },
  'another kind': ref('Group', 'r'),
  'no name': ref('Role', ''),
  nothing: {},
};

const as = (name: string): { readonly [header: string]: string } => ({ 'impersonate-user': name });

function asUser(name: string, title: string): readonly Step[] {
  const headers = as(name);
  const called = (what: string): string => `${title}: ${what}`;
  return [
    get(called('get pods'), `/api/v1/namespaces/${space}/pods`, { headers }),
    get(called('get secrets'), `/api/v1/namespaces/${space}/secrets`, { headers }),
    get(called('get namespaces'), '/api/v1/namespaces', { headers }),
    post(called('a role that it has'), `${roles}?dryRun=All`, of('Role', 'x', { rules: [rule(['get'], ['pods'])] }), {
      headers,
    }),
    post(
      called('a role that it lacks'),
      `${roles}?dryRun=All`,
      of('Role', 'x', {
        rules: [rule(['get'], ['secrets']), rule(['list', 'get'], ['configmaps'], { resourceNames: ['a'] })],
      }),
      { headers },
    ),
    post(
      called('a binding to a role that it has'),
      `${bindings}?dryRun=All`,
      of('RoleBinding', 'x', { ...ref('Role', 'r'), subjects: [user('v')] }),
      { headers },
    ),
    post(
      called('a binding to a role that it lacks'),
      `${bindings}?dryRun=All`,
      of('RoleBinding', 'x', { ...ref('ClusterRole', 'cluster-admin'), subjects: [user('v')] }),
      { headers },
    ),
    post(
      called('a binding to no role'),
      `${bindings}?dryRun=All`,
      of('RoleBinding', 'x', { ...ref('Role', 'nope'), subjects: [user('v')] }),
      { headers },
    ),
    patch(called('a patch of a role'), 'merge', `${roles}/r?dryRun=All`, { rules: [rule(['*'], ['*'])] }, { headers }),
    post(
      called('may I'),
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { namespace: space, verb: 'get', resource: 'pods' } },
      },
      { headers },
    ),
    post(
      called('what may I'),
      '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: space } },
      { headers },
    ),
  ];
}

/** Reports: bindings that cannot change their role, duplicate subjects, and privilege escalation. */
export const roleBindings = script(
  'role-bindings',
  inNamespace(space),
  post('a role', roles, of('Role', 'r', { rules: [rule(['get', 'list'], ['pods'])] })),
  forEach(badRules, (bad, name) => [
    post(`a role: ${name}`, `${roles}?dryRun=All`, of('Role', 'b', { rules: [bad] })),
    post(`a cluster role: ${name}`, `${clusterRoles}?dryRun=All`, of('ClusterRole', 'b', { rules: [bad] })),
    apply(`apply a role: ${name}`, `${roles}/b?dryRun=All`, of('Role', 'b', { rules: [bad] })),
  ]),
  forEach(subjects, (list, name) => [
    post(
      `subjects: ${name}`,
      `${bindings}?dryRun=All`,
      of('RoleBinding', 'b', { ...ref('Role', 'r'), subjects: list }),
    ),
    post(
      `cluster subjects: ${name}`,
      `${clusterBindings}?dryRun=All`,
      of('ClusterRoleBinding', 'b', { ...ref('ClusterRole', 'view'), subjects: list }),
    ),
    apply(
      `apply subjects: ${name}`,
      `${bindings}/b?dryRun=All`,
      of('RoleBinding', 'b', { ...ref('Role', 'r'), subjects: list }),
    ),
  ]),
  forEach(refs, (roleRef, name) => [
    post(`bound to ${name}`, `${bindings}?dryRun=All`, of('RoleBinding', 'b', { ...roleRef, subjects: [user('u')] })),
    post(
      `bound in the cluster to ${name}`,
      `${clusterBindings}?dryRun=All`,
      of('ClusterRoleBinding', 'b', { ...roleRef, subjects: [user('u')] }),
    ),
  ]),
  post('a binding', bindings, of('RoleBinding', 'b', { ...ref('Role', 'r'), subjects: [user('reader')] })),
  put('another role', `${bindings}/b`, of('RoleBinding', 'b', { ...ref('Role', 's'), subjects: [user('reader')] })),
  apply(
    'another role by apply',
    `${bindings}/b`,
    of('RoleBinding', 'b', { ...ref('ClusterRole', 'view') }),
    'x&force=true',
  ),
  patch('no role', 'merge', `${bindings}/b`, { roleRef: null }),
  patch('more subjects', 'strategic', `${bindings}/b`, { subjects: [user('v')] }),
  patch(
    'the first subjects',
    'json',
    `${bindings}/b`,
    [{ op: 'replace', path: '/subjects', value: [user('reader')] }],
    { settles: true },
  ),
  post(
    'a role to make roles',
    roles,
    of('Role', 'maker', {
      rules: [rule(['*'], ['roles', 'rolebindings'], { apiGroups: ['rbac.authorization.k8s.io'] })],
    }),
  ),
  post('its binding', bindings, of('RoleBinding', 'maker', { ...ref('Role', 'maker'), subjects: [user('reader')] }), {
    settles: true,
  }),
  asUser('reader', 'reader'),
  asUser('stranger', 'stranger'),
  asUser('system:serviceaccount:bound:a', 'an account'),
  post(
    'an aggregated role',
    clusterRoles,
    of('ClusterRole', 'bound-aggregate', {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { bound: 'yes' } }] },
      rules: [rule(['get'], ['pods'])],
    }),
  ),
  patch('its rules', 'merge', `${clusterRoles}/bound-aggregate`, { rules: [] }),
  post(
    'a bad selector',
    `${clusterRoles}?dryRun=All`,
    of('ClusterRole', 'b', {
      aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Nope' }] }] },
    }),
  ),
  post('no selector', `${clusterRoles}?dryRun=All`, of('ClusterRole', 'b', { aggregationRule: {} })),
  remove('the aggregated role', `${clusterRoles}/bound-aggregate`),
  remove('the binding', `${bindings}/b`),
);
