const assert = require('node:assert/strict');
const { join } = require('node:path');
const { test } = require('node:test');
const { AuthorizationV1Api, KubeConfig } = require('@kubernetes/client-node');
const { apiServerFixture } = require('binnacle/node-test');

const fixture = apiServerFixture({
  objects: [join(__dirname, 'deploy')],
  users: { olga: { groups: ['shop-operators'] }, arne: { groups: ['auditors'] }, stranger: {} },
  flags: { 'authorization-mode': 'RBAC' },
});

const may = [
  ['olga', 'patch', 'apps/deployments', 'shop', true],
  ['olga', 'update', 'apps/deployments/scale', 'shop', true],
  ['olga', 'delete', 'apps/deployments', 'shop', false],
  ['olga', 'list', 'apps/deployments', 'default', false],
  ['olga', 'get', '/secrets', 'shop', false],
  ['arne', 'list', 'apps/deployments', 'default', true],
  ['arne', 'get', '/secrets', 'shop', false],
  ['arne', 'patch', 'apps/deployments', 'shop', false],
  ['stranger', 'list', '/pods', 'shop', false],
];

for (const [user, verb, what, namespace, allowed] of may) {
  test(`${user} may ${allowed ? '' : 'not '}${verb} ${what} in ${namespace}`, async () => {
    const server = await fixture.server();
    const config = new KubeConfig();
    config.loadFromString(server.users[user].kubeconfig);
    const [group, resource, subresource] = what.split('/');
    const body = { spec: { resourceAttributes: { verb, group, resource, subresource, namespace } } };
    const { status } = await config.makeApiClient(AuthorizationV1Api).createSelfSubjectAccessReview({ body });
    assert.equal(status?.allowed, allowed);
  });
}
