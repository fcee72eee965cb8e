import { expect, test } from 'vitest';
import type { Authorizer } from '../../api/contracts/authorization.ts';
import type { PolicyRule } from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import type { PolicyWrite } from '../../registry/kinds/escalation-guard.ts';
import { RbacEscalationGuard } from './escalation.ts';
import { PolicyIndex } from './policy-index.ts';

const nobody: Authorizer = { authorize: () => ({ decision: 'no-opinion', reason: '' }) };
const user = { name: 'ann', uid: '', groups: ['devs'], extra: {} };
const write: PolicyWrite = { user, authorizer: nobody, resource: 'roles', namespace: 'n', name: 'r', requestName: '' };
function guard(owned: readonly PolicyRule[]): RbacEscalationGuard {
  const index = new PolicyIndex();
  index.setRole({ namespace: 'n', name: 'own', rules: owned });
  const subjects = [{ kind: 'User', name: 'ann' }];
  index.setBinding({ namespace: 'n', name: 'b', role: { kind: 'Role', name: 'own' }, subjects });
  return new RbacEscalationGuard({
    policy: () => Promise.resolve(index),
    rulesOfRole: (namespace, name) => Promise.resolve(index.rulesOfRole(namespace, name)),
  });
}

const pods: PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };

test('rights that are held may be granted, also in parts', async () => {
  const named = { ...pods, verbs: ['get'], resourceNames: ['a'] };
  await expect(guard([pods]).checkRole(write, { rules: [pods, named], aggregates: false })).resolves.toBeUndefined();
});

test('the refusal lists every missing right', async () => {
  const rules = [
    { ...pods, verbs: ['get', 'delete', 'watch'] },
    { verbs: ['get'], nonResourceURLs: ['/x'] },
  ];
  await expect(guard([pods]).checkRole(write, { rules, aggregates: false })).rejects.toMatchObject({
    status: { code: 403 },
    message:
      'roles.rbac.authorization.k8s.io "r" is forbidden: user "ann" (groups=["devs"]) is attempting to grant RBAC permissions not currently held:\n' +
      '{APIGroups:[""], Resources:["pods"], Verbs:["delete" "watch"]}\n{NonResourceURLs:["/x"], Verbs:["get"]}',
  });
});

test('rules with names do not cover all objects', async () => {
  const named = { ...pods, resourceNames: ['a'] };
  await expect(guard([named]).checkRole(write, { rules: [pods], aggregates: false })).rejects.toThrow(
    'not currently held',
  );
});

test('a user with the escalate verb needs no other rights', async () => {
  const checked: unknown[] = [];
  const allows: Authorizer = {
    authorize: ({ verb, resource, name, namespace }) => {
      checked.push({ verb, resource, name, namespace });
      return { decision: 'allow', reason: '' };
    },
  };
  const asOther = { ...write, authorizer: allows };
  await guard([]).checkRole(asOther, { rules: [pods], aggregates: true });
  await guard([]).checkBinding(asOther, { kind: 'ClusterRole', name: 'admin' });
  expect(checked).toEqual([
    { verb: 'escalate', resource: 'roles', name: '', namespace: 'n' },
    { verb: 'bind', resource: 'clusterroles', name: 'admin', namespace: 'n' },
  ]);
});

test('aggregation requires all rights', async () => {
  await expect(guard([pods]).checkRole(write, { rules: [], aggregates: true })).rejects.toThrow(
    'must have cluster-admin privileges to use the aggregationRule',
  );
});

test('a missing role is not found', async () => {
  await expect(guard([]).checkBinding(write, { kind: 'Role', name: 'gone' })).rejects.toMatchObject({
    status: { code: 404 },
  });
});

test.each([
  [{ kind: 'Role', name: 'r' }, '', 400, 'Namespace parameter required.'],
  [{ kind: 'ClusterRole', name: '' }, '', 400, 'Name parameter required.'],
  [{ kind: 'Role', name: '' }, 'n', 400, 'Name parameter required.'],
  [{ kind: 'Ship', name: 'r' }, 'n', 500, 'unsupported role reference kind: "Ship"'],
  [{}, '', 500, 'unsupported role reference kind: ""'],
])('a binding of %j in the namespace %j names no role', async (reference, namespace, code, message) => {
  const checked = guard([pods]).checkBinding({ ...write, namespace }, reference);
  await expect(checked).rejects.toMatchObject({ status: { code, message } });
});

test('rules whose combinations are too many to compare are refused at once', async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => `r${index}`);
  const rules = [{ verbs: many, apiGroups: many, resources: many, resourceNames: many }];
  await expect(guard([pods]).checkRole(write, { rules, aggregates: false })).rejects.toThrow('too much');
});

test('of very many missing rights the first are listed', async () => {
  const many = Array.from({ length: 900 }, (_, index) => `r${index}`);
  const rules = [{ verbs: many, apiGroups: [''], resources: many }];
  const refused: unknown = await guard([pods])
    .checkRole(write, { rules, aggregates: false })
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: expect.stringMatching(/^.{80,90000}$/s) });
});
