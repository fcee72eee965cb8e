import { configMap, places } from '../../objects.ts';
import { script, type Step } from '../../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../../steps.ts';

const space = 'roles-of-others';
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
const rules = (...list: readonly object[]): object => ({ rules: list });
const rule = (verbs: readonly string[], resources: readonly string[], more: object = {}): object => ({
  apiGroups: [''],
  resources,
  verbs,
  ...more,
});
const reference = (kind: string, name: string): object => ({
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
});
const subjects = (name: string): object => ({
  subjects: [{ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' }],
});

/** What each user may do; all of them manage roles. */
const managing = {
  apiGroups: ['rbac.authorization.k8s.io'],
  resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  verbs: ['get', 'list', 'create', 'update', 'patch', 'delete'],
};
const users: { readonly [name: string]: readonly object[] } = {
  plain: [managing],
  reader: [managing, rule(['get', 'list'], ['configmaps'])],
  'reader-of-one': [managing, rule(['get'], ['configmaps'], { resourceNames: ['a'] })],
  escalator: [managing, { ...managing, verbs: ['escalate'] }],
  binder: [managing, { ...managing, verbs: ['bind'], resourceNames: ['roles-of-others-view'] }],
  star: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  urls: [managing, { nonResourceURLs: ['/metrics', '/logs/*'], verbs: ['get'] }],
  subresources: [managing, rule(['get', 'create'], ['pods/log', '*/scale', 'pods'])],
};
const granted: { readonly [name: string]: readonly object[] } = {
  nothing: [],
  'get config maps': [rule(['get'], ['configmaps'])],
  'get one config map': [rule(['get'], ['configmaps'], { resourceNames: ['a'] })],
  'get another': [rule(['get'], ['configmaps'], { resourceNames: ['b'] })],
  'get two': [rule(['get'], ['configmaps'], { resourceNames: ['a', 'b'] })],
  'get and delete': [rule(['get', 'delete'], ['configmaps'])],
  'everything of config maps': [rule(['*'], ['configmaps'])],
  everything: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  'the log of pods': [rule(['get'], ['pods/log'])],
  'any scale': [rule(['get'], ['*/scale', 'replicationcontrollers/scale'])],
  'all of pods': [rule(['get'], ['pods/*'])],
  escalate: [{ ...managing, verbs: ['escalate', 'bind'] }],
  impersonate: [rule(['impersonate'], ['users', 'groups'])],
};

const as = (user: string): { readonly headers: { readonly [name: string]: string } } => ({
  headers: { 'impersonate-user': `roles-of-others:${user}` },
});

function userSteps(name: string): readonly Step[] {
  const called = (what: string): string => `${name}: ${what}`;
  const more = as(name);
  return [
    ...Object.entries(granted).flatMap(([what, list], at) => [
      post(called(`create a role of ${what}`), `${roles}?dryRun=All`, of('Role', `g${at}`, rules(...list)), more),
      patch(called(`give a role ${what}`), 'merge', `${roles}/given?dryRun=All`, rules(...list), more),
      apply(
        called(`apply a role of ${what}`),
        `${roles}/given?dryRun=All`,
        of('Role', 'given', rules(...list)),
        'x&force=true',
        more,
      ),
    ]),
    post(
      called('a cluster role of URLs'),
      `${clusterRoles}?dryRun=All`,
      of('ClusterRole', 'roles-of-others-urls', rules({ nonResourceURLs: ['/metrics', '/logs/x'], verbs: ['get'] })),
      more,
    ),
    post(
      called('a cluster role of all URLs'),
      `${clusterRoles}?dryRun=All`,
      of('ClusterRole', 'roles-of-others-urls', rules({ nonResourceURLs: ['*'], verbs: ['get'] })),
      more,
    ),
    post(
      called('an aggregated role'),
      `${clusterRoles}?dryRun=All`,
      of('ClusterRole', 'roles-of-others-agg', {
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
        rules: [],
      }),
      more,
    ),
    get(called('a config map'), `${places.configMaps(space)}/a`, more),
    get(called('another config map'), `${places.configMaps(space)}/b`, more),
    get(called('config maps'), `${places.configMaps(space)}?fieldSelector=metadata.name%3Da`, more),
    get(called('metrics'), '/metrics/slis', more),
    post(
      called('rules'),
      '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: space } },
      more,
    ),
  ];
}

function bindingSteps(name: string): readonly Step[] {
  const called = (what: string): string => `${name}: ${what}`;
  const more = as(name);
  return [
    post(
      called('bind it'),
      `${bindings}?dryRun=All`,
      of('RoleBinding', 'b', { ...reference('ClusterRole', 'roles-of-others-view'), ...subjects('zoe') }),
      more,
    ),
    post(
      called('bind the administrator'),
      `${bindings}?dryRun=All`,
      of('RoleBinding', 'b', { ...reference('ClusterRole', 'cluster-admin'), ...subjects('zoe') }),
      more,
    ),
    post(
      called('bind it everywhere'),
      `${clusterBindings}?dryRun=All`,
      of('ClusterRoleBinding', 'roles-of-others-b', {
        ...reference('ClusterRole', 'roles-of-others-view'),
        ...subjects('zoe'),
      }),
      more,
    ),
    post(
      called('bind what is not there'),
      `${bindings}?dryRun=All`,
      of('RoleBinding', 'b', { ...reference('Role', 'nope'), ...subjects('zoe') }),
      more,
    ),
    put(
      called('change who is bound'),
      `${bindings}/bound?dryRun=All`,
      of('RoleBinding', 'bound', { ...reference('Role', 'given'), ...subjects('zoe') }),
      more,
    ),
    patch(called('bind nobody'), 'merge', `${bindings}/bound?dryRun=All`, { subjects: [] }, more),
    patch(
      called('a label on the binding'),
      'merge',
      `${bindings}/bound?dryRun=All`,
      { metadata: { labels: { l: '1' } } },
      more,
    ),
    patch(
      called('another role of the binding'),
      'merge',
      `${bindings}/bound?dryRun=All`,
      { roleRef: { name: 'other' } },
      more,
    ),
    remove(called('delete the binding'), `${bindings}/bound?dryRun=All`, undefined, more),
  ];
}

const broken: { readonly [name: string]: object } = {
  'a role without verbs': of('Role', 'x', rules(rule([], ['pods']))),
  'a role without resources': of('Role', 'x', rules({ apiGroups: [''], verbs: ['get'] })),
  'a role without groups': of('Role', 'x', rules({ resources: ['pods'], verbs: ['get'] })),
  'a role of URLs': of('Role', 'x', rules({ nonResourceURLs: ['/x'], verbs: ['get'] })),
  'a rule of both': of(
    'Role',
    'x',
    rules({ nonResourceURLs: ['/x'], resources: ['pods'], apiGroups: [''], verbs: ['get'] }),
  ),
  'a name with a colon': of('Role', 'system:x', rules()),
  'a name with a slash': of('Role', 'a/b', rules()),
  'a name with a percent': of('Role', 'a%b', rules()),
  'null rules': of('Role', 'x', { rules: null }),
};
const brokenBindings: { readonly [name: string]: object } = {
  'no role': of('RoleBinding', 'x', subjects('a')),
  'another group': of('RoleBinding', 'x', {
    roleRef: { apiGroup: 'x', kind: 'Role', name: 'given' },
    ...subjects('a'),
  }),
  'another kind': of('RoleBinding', 'x', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Pod', name: 'given' },
    ...subjects('a'),
  }),
  'no group': of('RoleBinding', 'x', {
    roleRef: { kind: 'Role', name: 'given' },
    subjects: [{ kind: 'User', name: 'a' }],
  }),
  'an account without a namespace': of('RoleBinding', 'x', {
    ...reference('Role', 'given'),
    subjects: [{ kind: 'ServiceAccount', name: 'a' }],
  }),
  'an account with a group': of('RoleBinding', 'x', {
    ...reference('Role', 'given'),
    subjects: [{ kind: 'ServiceAccount', apiGroup: 'x', name: 'a', namespace: 'default' }],
  }),
  'a subject of another kind': of('RoleBinding', 'x', {
    ...reference('Role', 'given'),
    subjects: [{ kind: 'Pod', name: 'a' }],
  }),
  'a subject without a name': of('RoleBinding', 'x', { ...reference('Role', 'given'), subjects: [{ kind: 'Group' }] }),
  'a user of a namespace': of('RoleBinding', 'x', {
    ...reference('Role', 'given'),
    subjects: [{ kind: 'User', name: 'a', namespace: 'default' }],
  }),
  'no subjects': of('RoleBinding', 'x', reference('Role', 'given')),
};

/** Reports: what users may grant who have not everything themselves. */
export const rolesOfOthers = script(
  'roles-of-others',
  inNamespace(space),
  post('a config map', places.configMaps(space), configMap('a')),
  post('a role to bind', clusterRoles, of('ClusterRole', 'roles-of-others-view', rules(rule(['get'], ['configmaps'])))),
  post('a role', roles, of('Role', 'given', rules(rule(['get'], ['secrets'])))),
  post('a binding', bindings, of('RoleBinding', 'bound', { ...reference('Role', 'given'), ...subjects('ann') })),
  Object.entries(users).flatMap(([name, list]) => [
    post(`a role of ${name}`, clusterRoles, of('ClusterRole', `roles-of-others-${name}`, rules(...list))),
    post(
      `a binding of ${name}`,
      clusterBindings,
      of('ClusterRoleBinding', `roles-of-others-${name}`, {
        ...reference('ClusterRole', `roles-of-others-${name}`),
        ...subjects(`roles-of-others:${name}`),
      }),
      { settles: true },
    ),
  ]),
  Object.keys(users).flatMap((name) => [...userSteps(name), ...bindingSteps(name)]),
  forEach(broken, (body, name) => [
    post(`broken: ${name}`, `${roles}?dryRun=All`, body),
    apply(`broken, applied: ${name}`, `${roles}/x?dryRun=All`, body),
  ]),
  forEach(brokenBindings, (body, name) => post(`broken binding: ${name}`, `${bindings}?dryRun=All`, body)),
  remove('no roles left', `${clusterRoles}/roles-of-others-view`),
);
