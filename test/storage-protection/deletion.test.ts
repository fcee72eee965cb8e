import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

let server: TestServer;
let client: ApiClient;
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const pods = '/api/v1/namespaces/default/pods';
const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

async function codeOf(path: string): Promise<number> {
  return (await client.send('GET', path)).code;
}

test('a claim is marked, then deleted', async () => {
  const created = await client.send('POST', claims, { body: claim });
  expect(created.body).toMatchObject({ metadata: { finalizers: ['kubernetes.io/pvc-protection'] } });
  const deleted = await client.send('DELETE', `${claims}/data`);
  expect(deleted.body).toMatchObject({ metadata: { finalizers: ['kubernetes.io/pvc-protection'] } });
  await expect.poll(() => codeOf(`${claims}/data`)).toBe(404);
});

test('a claim used by a pod on a node stays until the pod is gone', async () => {
  await client.send('POST', claims, { body: claim });
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], volumes };
  expect(await client.send('POST', pods, { body: { metadata: { name: 'user' }, spec } })).toMatchObject({ code: 201 });
  await client.send('DELETE', `${claims}/data`);
  // Longer than the controller takes for an unused claim.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await codeOf(`${claims}/data`)).toBe(200);
  await client.send('DELETE', `${pods}/user?gracePeriodSeconds=0`);
  await expect.poll(() => codeOf(`${claims}/data`), { timeout: 10_000 }).toBe(404);
});

test('a bound volume stays', async () => {
  const path = '/api/v1/persistentvolumes';
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } };
  for (const name of ['bound', 'free']) await client.send('POST', path, { body: { metadata: { name }, spec } });
  const body = [{ op: 'replace', path: '/status/phase', value: 'Bound' }];
  const patched = { body, contentType: 'application/json-patch+json' };
  expect(await client.send('PATCH', `${path}/bound/status`, patched)).toMatchObject({ code: 200 });
  for (const name of ['bound', 'free']) await client.send('DELETE', `${path}/${name}`);
  await expect.poll(() => codeOf(`${path}/free`)).toBe(404);
  expect(await codeOf(`${path}/bound`)).toBe(200);
  const released = { ...patched, body: [{ op: 'replace', path: '/status/phase', value: 'Released' }] };
  expect(await client.send('PATCH', `${path}/bound/status`, released)).toMatchObject({ code: 200 });
  await expect.poll(() => codeOf(`${path}/bound`)).toBe(404);
});

test('a class of volume attributes stays until no claim in any namespace refers to it', async () => {
  const path = '/apis/storage.k8s.io/v1/volumeattributesclasses';
  for (const name of ['used', 'unused'])
    await client.send('POST', path, {
      body: { metadata: { name }, driverName: 'd.example.com', parameters: { a: 'b' } },
    });
  const users = ['one', 'two'];
  for (const name of users) {
    const body = { metadata: { name }, spec: { ...claim.spec, volumeAttributesClassName: 'used' } };
    expect(await client.send('POST', claims, { body })).toMatchObject({ code: 201 });
  }
  for (const name of ['used', 'unused']) await client.send('DELETE', `${path}/${name}`);
  await expect.poll(() => codeOf(`${path}/unused`)).toBe(404);
  for (const name of users) {
    expect(await codeOf(`${path}/used`)).toBe(200);
    await client.send('DELETE', `${claims}/${name}`);
    await expect.poll(() => codeOf(`${claims}/${name}`)).toBe(404);
  }
  await expect.poll(() => codeOf(`${path}/used`)).toBe(404);
});

test('a volume without the finalizer gets it', async () => {
  const path = '/api/v1/persistentvolumes';
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } };
  await client.send('POST', path, { body: { metadata: { name: 'bare' }, spec } });
  const body = { metadata: { finalizers: [] } };
  await client.send('PATCH', `${path}/bare`, { body, contentType: 'application/merge-patch+json' });
  const finalizers = async () => (await client.send('GET', `${path}/bare`)).body['metadata'];
  await expect.poll(finalizers).toMatchObject({ finalizers: ['kubernetes.io/pv-protection'] });
});
