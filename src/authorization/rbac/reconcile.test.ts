import { expect, test } from 'vitest';
import type { ClusterRole, ClusterRoleBinding } from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import { isProtected, reconciledBinding, reconciledRole } from './reconcile.ts';

const metadata = { name: 'r', labels: { l: 'x' }, annotations: { a: 'y' } };
const wanted: ClusterRole = { metadata, rules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }] };

test('a complete role is unchanged, and keeps additions', () => {
  const more = { ...wanted, rules: [{ verbs: ['*'], apiGroups: [''], resources: ['pods', 'nodes'] }] };
  expect(reconciledRole(more, wanted)).toBeUndefined();
});

test('missing verbs are added one by one, and missing labels', () => {
  const own = { name: 'r', labels: { l: 'own' } };
  const less = { metadata: own, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] };
  expect(reconciledRole(less, wanted)).toEqual({
    metadata: { name: 'r', labels: { l: 'own' }, annotations: { a: 'y' } },
    rules: [...less.rules, { verbs: ['list'], apiGroups: [''], resources: ['pods'] }],
  });
});

test('aggregation selectors are restored, and removed from roles that do not aggregate', () => {
  const rule = { clusterRoleSelectors: [{ matchLabels: { to: 'admin' } }] };
  expect(reconciledRole({ metadata }, { metadata, aggregationRule: rule })).toEqual({
    metadata,
    aggregationRule: rule,
  });
  expect(reconciledRole({ ...wanted, aggregationRule: rule }, wanted)).toEqual(wanted);
});

test('a binding gets its subjects back, and is recreated for another role', () => {
  const binding: ClusterRoleBinding = {
    metadata,
    roleRef: { kind: 'ClusterRole', name: 'r' },
    subjects: [{ kind: 'User', name: 'a' }],
  };
  const other = { ...binding, subjects: [{ kind: 'User', name: 'b' }] };
  expect(reconciledBinding(binding, binding)).toBeUndefined();
  expect(reconciledBinding(other, binding)).toMatchObject({
    subjects: [
      { kind: 'User', name: 'b' },
      { kind: 'User', name: 'a' },
    ],
  });
  expect(reconciledBinding({ ...binding, roleRef: { kind: 'ClusterRole', name: 'x' } }, binding)).toBe('recreate');
});

test('objects can opt out', () => {
  const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
  expect([isProtected({ metadata: { annotations } }), isProtected(wanted)]).toEqual([true, false]);
});
