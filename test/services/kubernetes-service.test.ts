import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';

const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0 };

test('the service kubernetes is reached at a port of the nodes', async () => {
  const config = { serving: { ...serving, serviceNodePort: 30_443 } };
  await using server = await startTestServer({}, {}, { config });
  using client = await ApiClient.connect(server);
  const { body } = await client.send('GET', '/api/v1/namespaces/default/services/kubernetes');
  expect(body).toMatchObject({ spec: { type: 'NodePort', ports: [{ name: 'https', port: 443, nodePort: 30_443 }] } });
});

test('people are told once that the default ServiceCIDR is not what the server is started with', async () => {
  const api = { ...configDefaults.api };
  const config = { api };
  await using server = await startTestServer({}, {}, { config });
  api.serviceClusterIpRanges = ['10.1.0.0/24'];
  await server.restart();
  using client = await ApiClient.connect(server);
  const events = async (): Promise<readonly JsonObject[]> =>
    (await client.send('GET', '/apis/events.k8s.io/v1/namespaces/default/events')).body['items'] as JsonObject[]; // a list
  await expect.poll(events).toMatchObject([
    {
      reason: 'KubernetesDefaultServiceCIDRInconsistent',
      reportingController: 'kubernetes-service-cidr-controller',
      note: 'The default ServiceCIDR [10.0.0.0/24] does not match the controller flag configurations [10.1.0.0/24]',
      regarding: { kind: 'ServiceCIDR', name: 'kubernetes' },
    },
  ]);
});
