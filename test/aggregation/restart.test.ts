import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startFront } from './front-server.ts';

test('APIServices that users have made count from the start', async () => {
  await using server = await startFront();
  const group = 'ebb.example';
  {
    using client = await ApiClient.connect(server);
    const spec = { group, version: 'v1', groupPriorityMinimum: 19_000, versionPriority: 15 };
    const body = { metadata: { name: `v1.${group}` }, spec };
    await client.send('POST', '/apis/apiregistration.k8s.io/v1/apiservices', { body });
    await expect.poll(() => client.text('/apis')).toContain(group);
  }
  await server.restart();
  using client = await ApiClient.connect(server);
  expect(await client.text('/apis')).toContain(group);
});
