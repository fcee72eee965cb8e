import { expect, test } from 'vitest';
import type { AuthorizationAttributes } from '../../api/contracts/authorization.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import { Impersonation } from './impersonation.ts';
import { impersonationModes, oldModes } from './modes.ts';
import { wantedUser } from './wanted-user.ts';

const requester: UserInfo = { name: 'ann', uid: '', groups: [], extra: {} };
const request: AuthorizationAttributes = {
  user: requester,
  verb: 'list',
  isResourceRequest: true,
  path: '/api/v1/pods',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: '',
  name: '',
};
const bob: UserInfo = { name: 'bob', uid: '', groups: [], extra: {} };

/** Allows the listed `verb resource/name` and records every query. */
function impersonation(allowed: readonly string[], modes = impersonationModes) {
  const checked: string[] = [];
  const subject = new Impersonation(
    {
      authorize({ verb, resource, subresource, name }) {
        const question = `${verb} ${[resource, subresource, name].filter((part) => part !== '').join('/')}`;
        checked.push(question);
        return { decision: allowed.includes(question) ? 'allow' : 'no-opinion', reason: '' };
      },
    },
    modes,
  );
  return { checked, subject };
}

test('the constrained mode checks the request and the user', async () => {
  const { checked, subject } = impersonation(['impersonate-on:user-info:list pods', 'impersonate:user-info users/bob']);
  await expect(subject.impersonate(request, bob)).resolves.toMatchObject({
    user: { ...bob, groups: ['system:authenticated'] },
  });
  expect(checked).toEqual(['impersonate-on:user-info:list pods', 'impersonate:user-info users/bob']);
});

test('the mode that last allowed the requester is tried first, and determines the refusal', async () => {
  const { checked, subject } = impersonation(['impersonate users/bob']);
  await expect(subject.impersonate(request, { ...bob, name: 'eve' })).rejects.toThrow('impersonate-on:user-info:list');
  await subject.impersonate(request, bob);
  checked.length = 0;
  await expect(subject.impersonate(request, { ...bob, name: 'eve' })).rejects.toThrow(
    'cannot impersonate resource "users"',
  );
  expect(checked[0]).toBe('impersonate users/eve');
});

test('a node gets the nodes group only in the constrained mode', async () => {
  const node = { ...bob, name: 'system:node:n1' };
  const constrained = impersonation(['impersonate-on:arbitrary-node:list pods', 'impersonate:arbitrary-node nodes/n1']);
  const old = impersonation(['impersonate users/system:node:n1'], oldModes);
  await expect(constrained.subject.impersonate(request, node)).resolves.toMatchObject({
    user: { groups: ['system:nodes', 'system:authenticated'] },
  });
  await expect(old.subject.impersonate(request, node)).resolves.toMatchObject({
    user: { groups: ['system:authenticated'] },
  });
});

test('a pod may be allowed to impersonate its own node, whichever it is', async () => {
  const extra = { 'authentication.kubernetes.io/node-name': ['n1'] };
  const pod = { ...request, user: { ...requester, name: 'system:serviceaccount:kube-system:agent', extra } };
  const { subject } = impersonation([
    'impersonate-on:associated-node:list pods',
    'impersonate:associated-node nodes/*',
  ]);
  await expect(subject.impersonate(pod, { ...bob, name: 'system:node:n1' })).resolves.toMatchObject({
    user: { name: 'system:node:n1' },
  });
  await expect(subject.impersonate(pod, { ...bob, name: 'system:node:n2' })).rejects.toThrow('arbitrary-node');
});

test('service accounts have their groups, and the legacy mode allows others', async () => {
  const account = { ...bob, name: 'system:serviceaccount:n:a' };
  const { subject } = impersonation(['impersonate serviceaccounts/a', 'impersonate groups/g'], oldModes);
  await expect(subject.impersonate(request, account)).resolves.toMatchObject({
    user: { groups: ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'] },
  });
  await expect(subject.impersonate(request, { ...account, groups: ['g'] })).resolves.toMatchObject({
    user: { groups: ['g', 'system:authenticated'] },
  });
});

test.each([
  [{ groups: ['system:masters'] }, 'impersonating the system:masters group is not allowed'],
  [{ groups: [''] }, 'impersonating the empty string group is not allowed'],
  [{ extra: { plain: ['x'] } }, 'must be a domain-prefixed path'],
  [{ extra: { 'acme.io/A': ['x'] } }, 'impersonating a non-lowercase key in extra is not allowed'],
  [{ extra: { 'acme.io/a': [''] } }, 'impersonating the empty string value in extra is not allowed'],
])('the constrained mode refuses %j', async (changes, message) => {
  const { subject } = impersonation(['impersonate-on:user-info:list pods', 'impersonate:user-info users/bob']);
  await expect(subject.impersonate(request, { ...bob, ...changes })).rejects.toThrow(message);
});

function wanted(headers: readonly (readonly [string, string])[]): UserInfo | undefined {
  return wantedUser({ headersLike: (prefix) => headers.filter(([name]) => name.startsWith(prefix)) });
}

test('headers name the user, its groups and extra values', () => {
  expect(
    wanted([
      ['impersonate-user', 'bob'],
      ['impersonate-user', 'eve'],
      ['impersonate-group', 'a,b'],
      ['impersonate-group', 'c'],
      ['impersonate-extra-acme.io%2Fx', '1'],
      ['impersonate-extra-acme.io%2fx', '2'],
      ['impersonate-extra-%zz', '3'],
      ['impersonate-other', 'x'],
    ]),
  ).toEqual({ name: 'bob', uid: '', groups: ['a,b', 'c'], extra: { 'acme.io/x': ['1', '2'], '%zz': ['3'] } });
});

test('an empty user impersonates nobody, groups without a user are refused', () => {
  expect(wanted([['impersonate-user', '']])).toBeUndefined();
  expect(() => wanted([['impersonate-group', 'g']])).toThrow(
    'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
  );
});

test('names are UTF-8', () => {
  const latin1 = Buffer.from('jürgen').toString('latin1');
  expect(wanted([['impersonate-user', latin1]])?.name).toBe('jürgen');
});
