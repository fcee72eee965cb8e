import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';

const service = '/api/v1/namespaces/default/services/kubernetes';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';

function addressOf(name: string, owner: string): object {
  return { metadata: { name }, spec: { parentRef: { resource: 'services', namespace: 'default', name: owner } } };
}

test('a start that was interrupted after allocating the address does not keep the next from creating its service', async () => {
  await using server = await startTestServer({ serviceClusterIpRanges: ['10.9.0.0/24'] });
  using before = await ApiClient.connect(server);
  await before.send('DELETE', service);
  const abandoned = await before.send('POST', addresses, { body: addressOf('10.9.0.1', 'kubernetes') });
  expect(abandoned.code).toBe(201);
  await server.restart();
  using after = await ApiClient.connect(server);
  expect(await after.send('GET', service)).toMatchObject({ code: 200, body: { spec: { clusterIP: '10.9.0.1' } } });
  expect(await after.send('GET', `${addresses}/10.9.0.1`)).toMatchObject({
    code: 200,
    body: { spec: { parentRef: { name: 'kubernetes' } } },
  });
});

test('the address of another service is not taken away', async () => {
  await using server = await startTestServer({ serviceClusterIpRanges: ['10.9.0.0/24'] });
  using before = await ApiClient.connect(server);
  await before.send('DELETE', service);
  const taken = await before.send('POST', addresses, { body: addressOf('10.9.0.1', 'other') });
  expect(taken.code).toBe(201);
  const { uid } = taken.body['metadata'] as { readonly uid: string };
  await server.restart();
  using after = await ApiClient.connect(server);
  expect((await after.send('GET', service)).code).toBe(404);
  expect(await after.send('GET', `${addresses}/10.9.0.1`)).toMatchObject({ code: 200, body: { metadata: { uid } } });
});
