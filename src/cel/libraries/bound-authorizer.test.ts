import { expect, test } from 'vitest';
import type { AuthorizationAttributes, Authorizer } from '../../api/contracts/authorization.ts';
import { prepareExpressions, storedExpressionEnvironment } from '../environments/kubernetes.ts';
import { Pause } from '../program/pause.ts';
import { maxCallCost } from '../rules/limits.ts';
import { authorizerTypes } from './authorizer.ts';
import { boundAuthorizer } from './bound-authorizer.ts';

const ann = { name: 'ann', uid: 'u', groups: ['g'], extra: {} };

async function evaluate(expression: string, authorizer: Authorizer): Promise<unknown> {
  await prepareExpressions();
  const environment = storedExpressionEnvironment().with([['authorizer', authorizerTypes.authorizer]]);
  const bindings = { authorizer: boundAuthorizer(ann, authorizer) };
  let evaluation = environment.check(expression).program().begin(bindings, { costLimit: maxCallCost });
  while (evaluation instanceof Pause) {
    await evaluation.awaited;
    evaluation = evaluation.goOn();
  }
  return evaluation.value;
}

test('expressions call the authorizer with all their attributes', async () => {
  const checked: AuthorizationAttributes[] = [];
  const authorizer: Authorizer = {
    async authorize(attributes) {
      checked.push(attributes);
      return { decision: attributes.verb === 'get' ? 'allow' : 'no-opinion', reason: 'so', error: 'late' };
    },
  };
  const resource = "authorizer.group('apps').resource('deployments').subresource('scale').namespace('n').name('x')";
  const selected = `${resource}.fieldSelector('a=b').labelSelector('c in')`;
  expect(await evaluate(`${selected}.check('get').allowed()`, authorizer)).toBe(true);
  expect(await evaluate(`${resource}.check('put').allowed()`, authorizer)).toBe(false);
  expect(await evaluate("authorizer.path('/x').check('get').reason()", authorizer)).toBe('so');
  expect(await evaluate("authorizer.path('/x').check('get').error()", authorizer)).toBe('late');
  expect(await evaluate("authorizer.serviceAccount('n', 'a').path('/y').check('get').allowed()", authorizer)).toBe(
    true,
  );
  const about = {
    group: 'apps',
    version: '*',
    resource: 'deployments',
    subresource: 'scale',
    namespace: 'n',
    name: 'x',
  };
  const selectors = { fields: [{ field: 'a', operator: '=', value: 'b' }], labels: [] };
  expect(checked).toMatchObject([
    { user: ann, verb: 'get', isResourceRequest: true, path: '', ...about, selectors },
    { user: ann, verb: 'put', ...about, selectors: undefined },
    { user: ann, verb: 'get', isResourceRequest: false, path: '/x', resource: '' },
    { path: '/x' },
    { user: { name: 'system:serviceaccount:n:a' }, path: '/y' },
  ]);
});
