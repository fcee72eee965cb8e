import { describe, expect, test } from 'vitest';
import type { AuthorizationAttributes } from '../../api/contracts/authorization.ts';
import { abacAuthorizer } from './abac-authorizer.ts';
import { parsePolicyFile } from './policy-file.ts';

const header = { apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy' };
const lines = [
  '# comments and blank lines are nothing',
  '',
  JSON.stringify({ ...header, spec: { user: 'ann', namespace: '*', resource: 'pods', apiGroup: '*' } }),
  JSON.stringify({ ...header, spec: { user: 'bob', group: 'ops', namespace: 'n', resource: '*', apiGroup: '' } }),
  JSON.stringify({ ...header, spec: { group: 'qa', readonly: true, nonResourcePath: '/logs/*' } }),
  JSON.stringify({ ...header, spec: { user: '*', readonly: true, nonResourcePath: '/version' } }),
  JSON.stringify({ user: 'old', readonly: true }),
  JSON.stringify({ user: 'older', resource: 'pods', namespace: 'n' }),
];
const authorizer = abacAuthorizer(parsePolicyFile(lines.join('\n'), 'policy.jsonl'));

function ask(user: string, groups: readonly string[], asked: Partial<AuthorizationAttributes>) {
  return authorizer.authorize({
    user: { name: user, uid: '', groups, extra: {} },
    verb: 'get',
    isResourceRequest: asked.path === undefined,
    path: '',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: 'n',
    name: '',
    ...asked,
  });
}

describe('allowed requests', () => {
  test.each<[string, readonly string[], Partial<AuthorizationAttributes>, boolean]>([
    ['ann', [], { verb: 'delete', namespace: 'x' }, true],
    ['ann', [], { resource: 'secrets' }, false],
    ['ann', [], { path: '/logs/x' }, false],
    ['bob', ['ops'], { resource: 'secrets' }, true],
    ['bob', [], {}, false],
    ['bob', ['ops'], { group: 'apps' }, false],
    ['x', ['qa'], { path: '/logs/x' }, true],
    ['x', ['qa'], { path: '/logs' }, false],
    ['x', ['qa'], { path: '/logs/x', verb: 'post' }, false],
    ['x', ['system:authenticated'], { path: '/version' }, true],
    ['x', [], { path: '/version' }, false],
    ['old', [], { resource: 'secrets', group: 'any' }, true],
    ['old', [], { verb: 'create' }, false],
    ['old', [], { path: '/anything' }, true],
    ['older', [], { verb: 'create' }, true],
    ['older', [], { path: '/anything' }, false],
  ])('%s of %j asks for %j', (user, groups, asked, isAllowed) => {
    expect(ask(user, groups, asked)).toEqual(
      isAllowed ? { decision: 'allow', reason: '' } : { decision: 'no-opinion', reason: 'No policy matched.' },
    );
  });
});

test('the rules of a user are those of the matching policies', () => {
  const user = { name: 'ann', uid: '', groups: ['qa'], extra: {} };
  expect(authorizer.rulesOf?.(user, 'n')).toMatchObject({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['pods'] }],
    nonResourceRules: [],
  });
});

test.each([
  ['{', 'error reading policy file f, line 2: {:'],
  ['{"kind":"Policy","apiVersion":"v1"}', 'no kind "Policy" is registered for version "v1"'],
  ['{"user":1}', 'user must be a string'],
])('the line %s is refused with its number', (line, message) => {
  expect(() => parsePolicyFile(`# first\n${line}`, 'f')).toThrow(message);
});
