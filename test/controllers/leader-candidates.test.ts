import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { formatMicroTime, timeOf } from '../../src/api/time/time.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

const group = '/apis/coordination.k8s.io';
const candidates = `${group}/v1beta1/namespaces/default/leasecandidates`;
const leases = `${group}/v1/namespaces/default/leases`;
const merge = 'application/merge-patch+json';

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer(
    {
      featureGates: new Map([['CoordinatedLeaderElection', true]]),
      runtimeConfig: new Map([['coordination.k8s.io/v1beta1', true]]),
    },
    { inMemory: true },
    // It is a part of the API server.
    { config: { controllers: [] } },
  );
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

const microTime = (agoMs = 0): string => formatMicroTime(timeOf(Date.now() - agoMs));

async function stand(name: string, leaseName: string, spec: JsonObject = {}): Promise<void> {
  const versions = { binaryVersion: '1.37.0', emulationVersion: '1.37.0' };
  const defaults = { leaseName, ...versions, strategy: 'OldestEmulationVersion', renewTime: microTime() };
  const { code, body } = await client.send('POST', candidates, {
    body: { metadata: { name }, spec: { ...defaults, ...spec } },
  });
  expect(code, JSON.stringify(body)).toBe(201);
}

async function specOf(path: string): Promise<unknown> {
  return (await client.send('GET', path)).body['spec'];
}

async function change(path: string, spec: JsonObject): Promise<void> {
  expect((await client.send('PATCH', path, { contentType: merge, body: { spec } })).code).toBe(200);
}

test('one server elects', async () => {
  const path = `${group}/v1/namespaces/kube-system/leases/leader-election-controller`;
  await expect
    .poll(() => specOf(path))
    .toMatchObject({
      holderIdentity: expect.stringContaining('_') as string,
      leaseDurationSeconds: 15,
    });
});

test('the only candidate is elected, and makes room for a better one', async () => {
  await stand('first', 'work');
  const strategy = 'OldestEmulationVersion';
  const elected = { strategy, holderIdentity: 'first', leaseDurationSeconds: 5 };
  await expect.poll(() => specOf(`${leases}/work`)).toEqual({ ...elected, renewTime: expect.any(String) as string });
  await stand('older', 'work', { emulationVersion: '1.36.0' });
  await expect
    .poll(() => specOf(`${leases}/work`))
    .toMatchObject({ holderIdentity: 'first', preferredHolder: 'older' });
  await change(`${leases}/work`, { holderIdentity: null });
  await expect.poll(() => specOf(`${leases}/work`)).toMatchObject({ holderIdentity: 'older' });
  expect(await specOf(`${leases}/work`)).not.toHaveProperty('preferredHolder');
});

test('a candidate that was not heard of lately is asked, and elected when it answers', async () => {
  await stand('silent', 'duty', { renewTime: microTime(60_000) });
  await expect.poll(() => specOf(`${candidates}/silent`)).toHaveProperty('pingTime');
  expect((await client.send('GET', `${leases}/duty`)).code).toBe(404);
  await change(`${candidates}/silent`, { renewTime: microTime() });
  await expect.poll(() => specOf(`${leases}/duty`)).toMatchObject({ holderIdentity: 'silent' });
});

test('other strategies name no holder', async () => {
  await stand('odd', 'chance', { strategy: 'example.com/dice' });
  await expect.poll(() => specOf(`${leases}/chance`)).toMatchObject({ strategy: 'example.com/dice' });
  expect(await specOf(`${leases}/chance`)).not.toHaveProperty('holderIdentity');
});

test('candidates that are gone for half an hour are deleted', async () => {
  await stand('gone', 'rest', { renewTime: microTime(31 * 60_000) });
  await expect.poll(async () => (await client.send('GET', `${candidates}/gone`)).code).toBe(404);
});
