const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;
const base = `/apis/${apiVersion}`;

/** Tokens of the users; `root` is an administrator. */
export const tokens =
  'tok-ann,ann,u1,"devs"\ntok-bob,bob,u2,"ops,qa"\ntok-carol,carol,u3\ntok-root,root,u4,"system:masters"\n';

export const places = {
  clusterRoles: `${base}/clusterroles`,
  clusterRoleBindings: `${base}/clusterrolebindings`,
  roles: `${base}/namespaces/team/roles`,
  roleBindings: `${base}/namespaces/team/rolebindings`,
};

export function role(kind: 'Role' | 'ClusterRole', name: string, rules: readonly object[], more: object = {}): object {
  return { kind, apiVersion, metadata: { name }, rules, ...more };
}

export function binding(name: string, to: string, subjects: readonly object[]): object {
  const [kind, roleName] = to.split(' ');
  return { apiVersion, metadata: { name }, roleRef: { apiGroup: group, kind, name: roleName }, subjects };
}

export function subject(text: string): object {
  const [kind = '', name = '', namespace] = text.split(' ');
  return kind === 'ServiceAccount'
    ? { kind, name, ...(namespace === undefined ? {} : { namespace }) }
    : { kind, name, apiGroup: group };
}

/** Objects besides the bootstrap policy, in creation order. */
export const policy: readonly (readonly [path: string, object: object])[] = [
  ['/api/v1/namespaces', { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'team' } }],
  [
    places.clusterRoles,
    role('ClusterRole', 'r1', [
      {
        verbs: ['get', 'list'],
        apiGroups: [''],
        resources: ['pods', '*/status', 'configmaps'],
        resourceNames: ['a', 'b'],
      },
      { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] },
      { verbs: ['get'], nonResourceURLs: ['/foo', '/bar/*'] },
    ]),
  ],
  [
    places.clusterRoles,
    role('ClusterRole', 'writer', [
      { verbs: ['create', 'update', 'patch', 'get', 'delete'], apiGroups: [group], resources: ['*'] },
    ]),
  ],
  [places.roles, role('Role', 'ro', [{ verbs: ['get', 'watch'], apiGroups: ['*'], resources: ['secrets', '*/log'] }])],
  [
    places.clusterRoleBindings,
    binding('b1', 'ClusterRole r1', [subject('Group devs'), subject('ServiceAccount sa team')]),
  ],
  [places.clusterRoleBindings, binding('b2', 'ClusterRole missing', [subject('User carol')])],
  [places.clusterRoleBindings, binding('b3', 'ClusterRole writer', [subject('User bob'), subject('User ann')])],
  [places.roleBindings, binding('rb1', 'Role ro', [subject('User bob'), subject('ServiceAccount local')])],
  [places.roleBindings, binding('rb2', 'ClusterRole r1', [subject('Group qa')])],
];
