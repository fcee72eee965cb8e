import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

let server: TestServer;
let client: ApiClient;
const groups = '/apis/scheduling.k8s.io/v1beta1/namespaces/default/podgroups';
const pods = '/api/v1/namespaces/default/pods';
const versions = '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

beforeAll(async () => {
  const featureGates = new Map([
    ['GenericWorkload', true],
    ['StorageVersionAPI', true],
  ]);
  const runtimeConfig = new Map([
    ['scheduling.k8s.io/v1beta1', true],
    ['internal.apiserver.k8s.io/v1alpha1', true],
  ]);
  server = await startTestServer(
    { featureGates, runtimeConfig },
    { inMemory: true },
    { config: { controllers: ['*'] } },
  );
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

async function codeOf(path: string): Promise<number> {
  return (await client.send('GET', path)).code;
}

async function make(path: string, body: object): Promise<JsonObject> {
  const answer = await client.send('POST', path, { body });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ code: 201 });
  return answer.body;
}

async function makeGroup(name: string): Promise<void> {
  const spec = { schedulingPolicy: { basic: {} } };
  const group = await make(groups, { metadata: { name }, spec });
  expect(group).toMatchObject({ metadata: { finalizers: ['scheduling.k8s.io/podgroup-protection'] } });
}

async function makeMember(name: string, podGroupName: string): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'i' }], schedulingGroup: { podGroupName } };
  await make(pods, { metadata: { name }, spec });
}

test('a group of pods goes when its last pod has ended or is gone', async () => {
  await makeGroup('free');
  await client.send('DELETE', `${groups}/free`);
  await expect.poll(() => codeOf(`${groups}/free`)).toBe(404);
  await makeGroup('used');
  for (const name of ['ends', 'goes']) await makeMember(name, 'used');
  await client.send('DELETE', `${groups}/used`);
  const status = { status: { phase: 'Succeeded' } };
  const contentType = 'application/merge-patch+json';
  expect(await client.send('PATCH', `${pods}/ends/status`, { body: status, contentType })).toMatchObject({ code: 200 });
  await sleep(300); // longer than the controller takes
  expect(await codeOf(`${groups}/used`)).toBe(200);
  await client.send('DELETE', `${pods}/goes?gracePeriodSeconds=0`);
  await expect.poll(() => codeOf(`${groups}/used`)).toBe(404);
});

test('what storage versions say of a server goes with its lease', async () => {
  const labels = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' };
  for (const name of ['apiserver-a', 'apiserver-b']) await make(leases, { metadata: { name, labels } });
  const said = (apiServerID: string, encodingVersion: string) => ({
    apiServerID,
    encodingVersion,
    decodableVersions: ['v1', 'v2'],
  });
  const made = await make(versions, { metadata: { name: 'example.com.gizmos' }, spec: {} });
  const storageVersions = [said('apiserver-a', 'v1'), said('apiserver-b', 'v2')];
  const reported = { ...made, status: { storageVersions } };
  const answer = await client.send('PUT', `${versions}/example.com.gizmos/status`, { body: reported });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ code: 200 });
  await sleep(300);
  expect((await client.send('GET', `${versions}/example.com.gizmos`)).body).toMatchObject({
    status: { storageVersions },
  });
  await client.send('DELETE', `${leases}/apiserver-a`);
  await expect
    .poll(async () => (await client.send('GET', `${versions}/example.com.gizmos`)).body)
    .toMatchObject({
      status: {
        commonEncodingVersion: 'v2',
        storageVersions: [{ apiServerID: 'apiserver-b' }],
        conditions: [{ type: 'AllEncodingVersionsEqual', status: 'True', reason: 'CommonEncodingVersionSet' }],
      },
    });
  await client.send('DELETE', `${leases}/apiserver-b`);
  await expect.poll(() => codeOf(`${versions}/example.com.gizmos`)).toBe(404);
});

test('a server that nobody knows is forgotten at once', async () => {
  const made = await make(versions, { metadata: { name: 'example.com.widgets' }, spec: {} });
  const storageVersions = [{ apiServerID: 'nobody', encodingVersion: 'v1', decodableVersions: ['v1'] }];
  const reported = { ...made, status: { storageVersions, commonEncodingVersion: 'v1' } };
  await client.send('PUT', `${versions}/example.com.widgets/status`, { body: reported });
  await expect.poll(() => codeOf(`${versions}/example.com.widgets`)).toBe(404);
});

test('gathered rules are applied, and a role that gathers nothing keeps what others have set', async () => {
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const rule = (resource: string): JsonObject => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
  const gathering = (label: string): JsonObject => ({ clusterRoleSelectors: [{ matchLabels: { [label]: 'yes' } }] });
  const own = { metadata: { name: 'selects-itself', labels: { itself: 'yes' } }, rules: [rule('nodes')] };
  await make(roles, { ...own, aggregationRule: gathering('itself') });
  await make(roles, { metadata: { name: 'gathers' }, aggregationRule: gathering('part') });
  await make(roles, { metadata: { name: 'part', labels: { part: 'yes' } }, rules: [rule('pods')] });
  const read = async (name: string): Promise<JsonObject> => (await client.send('GET', `${roles}/${name}`)).body;
  await expect.poll(() => read('gathers')).toMatchObject({ rules: [rule('pods')] });
  expect(await read('gathers')).toMatchObject({
    metadata: {
      managedFields: [
        { manager: 'clusterrole-aggregation-controller', operation: 'Apply', fieldsV1: { 'f:rules': {} } },
        { operation: 'Update' },
      ],
    },
  });
  await client.send('DELETE', `${roles}/part`);
  await expect.poll(() => read('gathers')).toMatchObject({ rules: null });
  expect(await read('selects-itself')).toMatchObject({ rules: [rule('nodes')] });
});
