import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { PolicyRule, Subject } from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import { PolicyIndex, type PolicyQuestion } from './policy-index.ts';
import type { PolicyBinding, PolicyRole } from './policy-objects.ts';
import { matches, subjectKey } from './subject.ts';

const names = fc.constantFrom('a', 'b', 'c');
const places = fc.constantFrom('', 'n', 'm');
const subject: fc.Arbitrary<Subject> = fc.record({
  kind: fc.constantFrom('User', 'Group', 'ServiceAccount', 'Other'),
  name: fc.constantFrom('a', 'b', 'g'),
  namespace: fc.constantFrom('', 'n'),
});
const rule: fc.Arbitrary<PolicyRule> = fc.record({
  verbs: fc.subarray(['get', 'list', '*'], { minLength: 1 }),
  apiGroups: fc.subarray(['', 'apps', '*'], { minLength: 1 }),
  resources: fc.subarray(['pods', 'pods/log', '*/log', '*'], { minLength: 1 }),
  resourceNames: fc.subarray(['x', 'y']),
});
const role: fc.Arbitrary<PolicyRole> = fc.record({
  namespace: places,
  name: names,
  rules: fc.array(rule, { maxLength: 3 }),
});
const binding: fc.Arbitrary<PolicyBinding> = fc.record({
  namespace: places,
  name: fc.constantFrom(...'abcdefghijklmnop'),
  role: fc.record({ kind: fc.constantFrom('Role', 'ClusterRole'), name: names }),
  subjects: fc.array(subject, { maxLength: 3 }),
});
const change = fc.oneof(
  { weight: 2, arbitrary: fc.record({ set: fc.constant(true), role }) },
  { weight: 5, arbitrary: fc.record({ set: fc.constant(true), binding }) },
  { weight: 1, arbitrary: fc.record({ set: fc.constant(false), role }) },
  { weight: 1, arbitrary: fc.record({ set: fc.constant(false), binding }) },
);
const question: fc.Arbitrary<PolicyQuestion> = fc.record({
  verb: fc.constantFrom('get', 'list', 'watch'),
  group: fc.constantFrom('', 'apps', 'batch'),
  resource: fc.constantFrom('pods', 'nodes'),
  subresource: fc.constantFrom('', 'log'),
  name: fc.constantFrom('', 'x', 'z'),
  isResourceRequest: fc.constant(true),
  path: fc.constant(''),
});
const users: readonly UserInfo[] = [
  { name: 'a', uid: '', groups: ['g'], extra: {} },
  { name: 'b', uid: '', groups: [], extra: {} },
  { name: 'system:serviceaccount:n:a', uid: '', groups: ['b', 'g'], extra: {} },
];

/** Finds by a linear search through all rules what the index is to find. */
class Walk {
  readonly roles = new Map<string, PolicyRole>();
  readonly bindings = new Map<string, PolicyBinding>();

  allows(user: UserInfo, namespace: string, attributes: PolicyQuestion): boolean {
    return [...this.bindings.values()].some((each) => {
      if (each.namespace !== '' && each.namespace !== namespace) return false;
      const keys = each.subjects.flatMap((subject) => subjectKey(subject, each.namespace) ?? []);
      if (!keys.some((key) => matches(key, user))) return false;
      const place = each.role.kind === 'Role' ? each.namespace : '';
      if (each.role.kind === 'Role' && place === '') return false;
      return (this.roles.get(`${place}/${each.role.name}`)?.rules ?? []).some((one) => ruleAllows(one, attributes));
    });
  }
}

function ruleAllows(one: PolicyRule, { verb, group, resource, subresource, name }: PolicyQuestion): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  const matches = (list: readonly string[] = [], ...values: readonly string[]): boolean =>
    list.some((item) => item === '*' || values.includes(item));
  const byName = (one.resourceNames ?? []).length === 0 || one.resourceNames?.includes(name ?? '') === true;
  return (
    matches(one.verbs, verb) &&
    matches(one.apiGroups, group) &&
    matches(one.resources, combined, ...(subresource === '' ? [] : [`*/${subresource}`])) &&
    byName
  );
}

test('matches a linear search through all rules, after any changes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(change, fc.constantFrom(...users), places, question), { maxLength: 60 }), (steps) => {
      const index = new PolicyIndex();
      const walk = new Walk();
      for (const [made, user, namespace, attributes] of steps) {
        if ('role' in made) {
          const key = `${made.role.namespace}/${made.role.name}`;
          if (made.set) index.setRole(made.role);
          else index.deleteRole(made.role);
          if (made.set) walk.roles.set(key, made.role);
          else walk.roles.delete(key);
        } else {
          const key = `${made.binding.namespace}/${made.binding.name}`;
          if (made.set) index.setBinding(made.binding);
          else index.deleteBinding(made.binding);
          if (made.set) walk.bindings.set(key, made.binding);
          else walk.bindings.delete(key);
        }
        expect(index.find(user, namespace, attributes) !== undefined).toBe(walk.allows(user, namespace, attributes));
      }
    }),
    { numRuns: 300 },
  );
});

test('reports bound roles that are missing, until they are created', () => {
  const index = new PolicyIndex();
  const user = { name: 'a', uid: '', groups: [], extra: {} };
  const toGone = {
    namespace: '',
    name: 'x',
    role: { kind: 'ClusterRole', name: 'gone' },
    subjects: [{ kind: 'User', name: 'a' }],
  };
  index.setBinding(toGone);
  expect(index.missingFor(user, 'n')).toEqual([toGone]);
  index.setRole({ namespace: '', name: 'gone', rules: [] });
  expect(index.missingFor(user, 'n')).toEqual([]);
  index.deleteRole({ namespace: '', name: 'gone' });
  expect(index.missingFor(user, '')).toEqual([toGone]);
  index.deleteBinding(toGone);
  expect(index.missingFor(user, '')).toEqual([]);
});

test('looks up thousands of groups in turns, in order', async () => {
  const index = new PolicyIndex();
  const groups = Array.from({ length: 5_000 }, (_, at) => `g${at}`);
  const user = { name: 'a', uid: '', groups, extra: {} };
  const bind = (name: string, group: string, role: string): void =>
    index.setBinding({
      namespace: name === 'early' ? 'n' : '',
      name,
      role: { kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'Group', name: group }],
    });
  const rules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
  for (const name of ['reader', 'writer']) index.setRole({ namespace: '', name, rules });
  bind('early', 'g1', 'reader');
  bind('late', 'g4500', 'writer');
  bind('later', 'g4999', 'gone');
  const attributes = {
    verb: 'get',
    group: '',
    resource: 'pods',
    subresource: '',
    name: '',
    isResourceRequest: true,
    path: '',
  };
  // The bindings of the cluster come before those of the namespace.
  expect(index.find(user, 'n', attributes)?.binding.name).toBe('late');
  index.deleteBinding({ namespace: '', name: 'late' });
  expect(index.find(user, 'n', attributes)?.binding.name).toBe('early');
  expect(index.find(user, 'other', attributes)).toBeUndefined();
  expect(index.missingFor(user, 'n').map(({ name }) => name)).toEqual(['later']);
});
