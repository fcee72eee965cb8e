import { script, type Step } from '../script.ts';
import { configMap, places } from '../objects.ts';
import { forEach, get, inNamespace, patch, post, remove } from '../steps.ts';

const space = 'masks';
const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const self = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const configMaps = places.configMaps(space);

const masks: { readonly [name: string]: { readonly [header: string]: string } } = {
  'a user': { 'impersonate-user': 'alice' },
  'a user with a colon': { 'impersonate-user': 'a:b' },
  'a user of the system': { 'impersonate-user': 'system:kube-scheduler' },
  'an account': { 'impersonate-user': `system:serviceaccount:${space}:default` },
  'an account without a name': { 'impersonate-user': `system:serviceaccount:${space}:` },
  'an account of no namespace': { 'impersonate-user': 'system:serviceaccount:x' },
  'an account with a bad name': { 'impersonate-user': 'system:serviceaccount:A:B' },
  'a node': { 'impersonate-user': 'system:node:n' },
  nobody: { 'impersonate-user': 'system:anonymous' },
  'an empty user': { 'impersonate-user': '' },
  'a group': { 'impersonate-user': 'alice', 'impersonate-group': 'g' },
  masters: { 'impersonate-user': 'alice', 'impersonate-group': 'system:masters' },
  'the unauthenticated': { 'impersonate-user': 'alice', 'impersonate-group': 'system:unauthenticated' },
  'the authenticated': { 'impersonate-user': 'alice', 'impersonate-group': 'system:authenticated' },
  'a group only': { 'impersonate-group': 'g' },
  'a uid': { 'impersonate-user': 'alice', 'impersonate-uid': '5' },
  'a uid only': { 'impersonate-uid': '5' },
  'an extra': { 'impersonate-user': 'alice', 'impersonate-extra-scopes': 'view' },
  'an escaped extra': { 'impersonate-user': 'alice', 'impersonate-extra-example.com%2fproject': 'a b' },
  'a badly escaped extra': { 'impersonate-user': 'alice', 'impersonate-extra-%zz': 'x' },
  'an extra without a name': { 'impersonate-user': 'alice', 'impersonate-extra-': 'x' },
  'an extra only': { 'impersonate-extra-scopes': 'view' },
  'letters of other languages': { 'impersonate-user': 'ali%C3%A7e' },
  'blanks within': { 'impersonate-user': 'alice smith' },
};

function maskSteps(headers: { readonly [header: string]: string }, name: string): readonly Step[] {
  return [
    post(`${name}: who am I`, reviews, self, { headers }),
    get(`${name}: list`, configMaps, { headers }),
    post(`${name}: create`, `${configMaps}?dryRun=All`, configMap('a'), { headers }),
    get(`${name}: version`, '/api', { headers }),
    get(`${name}: discovery`, '/apis/apps/v1', { headers }),
  ];
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const limited = { 'impersonate-user': 'masks-manager' };

/** Rights to impersonate, which reviews tell of. */
const access: { readonly [name: string]: object } = {
  user: { verb: 'impersonate', resource: 'users', name: 'alice' },
  group: { verb: 'impersonate', resource: 'groups', name: 'g' },
  account: { verb: 'impersonate', resource: 'serviceaccounts', namespace: space, name: 'default' },
  uid: { verb: 'impersonate', group: 'authentication.k8s.io', resource: 'uids', name: '5' },
  extra: {
    verb: 'impersonate',
    group: 'authentication.k8s.io',
    resource: 'userextras',
    subresource: 'scopes',
    name: 'view',
  },
};

/** Reports: `kubectl --as`, what reviews show of it, and who owns what is written. */
export const impersonation = script(
  'impersonation',
  inNamespace(space),
  forEach(masks, maskSteps),
  post('a config map by masters', configMaps, configMap('m'), { headers: masks['masters'] ?? {} }),
  patch('a patch by masters', 'merge', `${configMaps}/m`, { data: { b: '2' } }, { headers: masks['masters'] ?? {} }),
  remove('a deletion by nobody', `${configMaps}/m`, undefined, { headers: masks['nobody'] ?? {} }),
  post('a role', `${rbac}/clusterroles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'masks' },
    rules: [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['alice'] }],
  }),
  post(
    'a binding',
    `${rbac}/clusterrolebindings`,
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'masks' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'masks' },
      subjects: [{ kind: 'User', name: 'masks-manager', apiGroup: 'rbac.authorization.k8s.io' }],
    },
    { settles: true },
  ),
  forEach(access, (resourceAttributes, name) => [
    post(`may it impersonate a ${name}`, '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: 'masks-manager', resourceAttributes },
    }),
    post(
      `may I impersonate a ${name}`,
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
      { headers: limited },
    ),
  ]),
  get('nobody lists', configMaps, { as: 'nobody' }),
  get('nobody with a mask', configMaps, { as: 'nobody', headers: masks['a user'] ?? {} }),
  get('nobody asks for the version', '/api/v1', { as: 'nobody', headers: { authorization: 'Basic eDp5' } }),
  get('nobody asks for health', '/healthz', { as: 'nobody' }),
  post('nobody asks who it is', reviews, self, { as: 'nobody' }),
  remove('the binding', `${rbac}/clusterrolebindings/masks`),
  remove('the role', `${rbac}/clusterroles/masks`),
);
