import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { apiServerFixture } from 'binnacle/node-test';
import { addTeam, checkTeam, teamLabel } from './webhook.js';

const fixture = apiServerFixture({
  objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'pears-prod', labels: { checked: 'yes' } } }],
  webhooks: [
    {
      name: 'teams.shop.example.com',
      rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['services'] }],
      settings: { namespaceSelector: { matchLabels: { checked: 'yes' } } },
      mutate: addTeam,
      validate: checkTeam,
    },
  ],
});

const service = (labels) => ({ metadata: { name: 'web', labels }, spec: { ports: [{ port: 80 }] } });

async function servicesOf(t) {
  const config = new KubeConfig();
  config.loadFromString((await fixture.clone(t)).kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  return (namespace, labels) => core.createNamespacedService({ namespace, body: service(labels) });
}

test('an object gets the label of its team', async (t) => {
  const create = await servicesOf(t);
  const { metadata } = await create('pears-prod', { tier: 'front' });
  assert.deepEqual(metadata?.labels, { tier: 'front', [teamLabel]: 'pears' });
});

test('an object of another team is denied', async (t) => {
  const create = await servicesOf(t);
  await assert.rejects(create('pears-prod', { [teamLabel]: 'apples' }), /apples has no place in pears-prod/);
});

test('other namespaces are left alone', async (t) => {
  const create = await servicesOf(t);
  const { metadata } = await create('default', {});
  assert.equal(metadata?.labels, undefined);
});
