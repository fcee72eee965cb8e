import { expect, test } from 'vitest';
import { anonymousUser } from '../api/contracts/user.ts';
import { allowingPaths } from './allowed-paths.ts';

const rules = { resourceRules: [], nonResourceRules: [], incomplete: false, errors: [] };
const denied = { decision: 'deny', reason: '' } as const;
const authorizer = allowingPaths(['/healthz', 'livez/*'], { authorize: () => denied, rulesOf: () => rules });

test.each([
  ['/healthz', false, 'allow'],
  ['/healthz/', false, 'deny'],
  ['/livez/ping', false, 'allow'],
  ['/livez', false, 'deny'],
  ['/healthz', true, 'deny'],
])('%s, of a resource: %s', async (path, isResourceRequest, decision) => {
  const attributes = {
    user: anonymousUser,
    verb: 'get',
    isResourceRequest,
    path,
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
  };
  expect((await authorizer.authorize(attributes)).decision).toBe(decision);
});
