import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';

const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';
const stranger = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'somebody' };

/**
 * What a restart makes of the viewers' binding when it is gone and the discovery binding, from which it was split off,
 * was changed.
 */
test.each([
  { autoupdate: 'false', subjects: [stranger.name] },
  { autoupdate: 'true', subjects: [stranger.name, 'system:authenticated', 'system:unauthenticated'] },
])('a binding starts as the one it was split off from: autoupdate is $autoupdate', async ({ autoupdate, subjects }) => {
  await using server = await startTestServer();
  {
    using client = await ApiClient.connect(server);
    const { body } = await client.send('GET', `${bindings}/system:discovery`);
    const metadata = { ...(body['metadata'] as object), annotations: { [autoUpdate]: autoupdate } };
    await client.send('PUT', `${bindings}/system:discovery`, { body: { ...body, metadata, subjects: [stranger] } });
    await client.send('DELETE', `${bindings}/system:public-info-viewer`);
  }
  await server.restart();
  using client = await ApiClient.connect(server);
  const { body } = await client.send('GET', `${bindings}/system:public-info-viewer`);
  expect(body['subjects']).toEqual(subjects.map((name): unknown => expect.objectContaining({ name })));
  expect(body['metadata']).toMatchObject({ annotations: { [autoUpdate]: autoupdate } });
});
