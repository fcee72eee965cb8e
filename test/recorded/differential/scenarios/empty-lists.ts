import { get, inNamespace, patch, post, put, scenario } from '../scenario.ts';

const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/diff-empty-lists/roles';
const slices = '/apis/discovery.k8s.io/v1/namespaces/diff-empty-lists/endpointslices';
const pods = '/api/v1/namespaces/diff-empty-lists/pods';
const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const claimed = {
  metadata: { name: 'claimed' },
  spec: {
    containers: [{ name: 'c', image: 'pause' }],
    resourceClaims: [{ name: 'gpu', resourceClaimName: 'claim' }],
  },
};
const statuses = { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'claim' }] };

/** Empty lists: a writer may own one, or reset what was there. */
export const emptyLists = scenario('empty-lists', [
  inNamespace('diff-empty-lists'),
  post('a role without rules', roles, { metadata: { name: 'none' } }),
  post('a role whose rules are null', roles, { metadata: { name: 'null' }, rules: null }),
  post('a role with no rules', roles, { metadata: { name: 'empty' }, rules: [] }),
  get(`${roles}/empty`),
  post('a role with a rule', roles, { metadata: { name: 'some' }, rules: [rule] }),
  put('no rules any more', `${roles}/some`, { metadata: { name: 'some' }, rules: [] }),
  put('a rule again', `${roles}/some`, { metadata: { name: 'some' }, rules: [rule] }),
  patch('no rules by patch', `${roles}/some`, { type: 'merge', body: { rules: [] } }),
  patch('null rules by patch', `${roles}/empty`, { type: 'merge', body: { rules: null } }),
  post('a slice without endpoints', slices, {
    metadata: { name: 'slice' },
    addressType: 'IPv4',
    endpoints: [],
    ports: [],
  }),
  get(`${slices}/slice`),
  post('a pod with claims', pods, claimed),
  put('status of claims', `${pods}/claimed/status`, { ...claimed, status: statuses }),
  put('status of a client that does not know claims', `${pods}/claimed/status`, { ...claimed, status: {} }),
  put('status of null', `${pods}/claimed/status`, { ...claimed, status: { resourceClaimStatuses: null } }),
  put('status of no claims', `${pods}/claimed/status`, { ...claimed, status: { resourceClaimStatuses: [] } }),
  put('status of claims again', `${pods}/claimed/status`, { ...claimed, status: statuses }),
  patch('no claims by patch', `${pods}/claimed/status`, {
    type: 'merge',
    body: { status: { resourceClaimStatuses: [] } },
  }),
]);
