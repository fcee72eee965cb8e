import { expect, test } from 'vitest';
import type { AuthorizationAttributes } from '../../api/contracts/authorization.ts';
import { PolicyIndex } from './policy-index.ts';
import type { RbacPolicy } from './policy.ts';
import { rbacAuthorizer } from './rbac-authorizer.ts';

const index = new PolicyIndex();
index.setRole({ namespace: '', name: 'reader', rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] });
index.setBinding({
  namespace: 'shop',
  name: 'readers',
  role: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
  subjects: [
    { kind: 'Unknown', name: 'ann' },
    { kind: 'ServiceAccount', name: 'web' },
    { kind: 'Group', name: 'staff' },
    { kind: 'User', name: 'ann' },
    { kind: 'ServiceAccount', namespace: 'other', name: 'web' },
  ],
});
// Only these are used.
const authorizer = rbacAuthorizer({ index, ready: () => Promise.resolve(index) } as unknown as RbacPolicy);

function reasonFor(name: string, groups: readonly string[] = []): string {
  const question = { verb: 'get', group: '', version: 'v1', resource: 'pods', subresource: '', namespace: 'shop' };
  const user = { name, uid: '', groups, extra: {} };
  const attributes = { ...question, name: 'a', path: '', isResourceRequest: true, user, selectors: undefined };
  const answer = authorizer.authorize(attributes as AuthorizationAttributes);
  if (answer instanceof Promise) throw new Error('the policy is known');
  return answer.reason;
}

const allowed = 'RBAC: allowed by RoleBinding "readers/shop" of ClusterRole "reader" to ';

test.each([
  ['ann', [], 'User "ann"'],
  ['ann', ['staff'], 'Group "staff"'],
  ['bob', ['other', 'staff'], 'Group "staff"'],
  ['system:serviceaccount:shop:web', ['staff'], 'ServiceAccount "web/shop"'],
  ['system:serviceaccount:other:web', [], 'ServiceAccount "web/other"'],
])('the reason names the first subject that %s in %j is', (name, groups, subject) => {
  expect(reasonFor(name, groups)).toBe(allowed + subject);
  expect(reasonFor(name, groups)).toBe(allowed + subject);
});

test('others are given no reason', () => expect(reasonFor('bob')).toBe(''));
