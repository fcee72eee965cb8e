import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiClient, type ApiResponse } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import type { JsonObject } from '../../src/api/json/json.ts';

const root = '/api/v1/namespaces/default';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await client.send('DELETE', `${root}/pods?gracePeriodSeconds=0`);
  await client.send('DELETE', budgets);
});

async function makePod(
  name: string,
  ready: 'True' | 'False' | undefined,
  labels: JsonObject = { app: name },
): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'registry.example/c:1' }] };
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec };
  expect((await client.send('POST', `${root}/pods`, { body })).code).toBe(201);
  if (ready === undefined) return;
  await patchStatus(`${root}/pods/${name}`, { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] });
}

async function makeBudget(name: string, status: JsonObject, spec: JsonObject = {}): Promise<void> {
  const body = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } }, ...spec },
  };
  expect((await client.send('POST', budgets, { body })).code).toBe(201);
  await patchStatus(`${budgets}/${name}`, status);
}

async function patchStatus(path: string, status: JsonObject): Promise<void> {
  const contentType = 'application/merge-patch+json';
  const { code, body } = await client.send('PATCH', `${path}/status`, { body: { status }, contentType });
  expect(code, JSON.stringify(body)).toBe(200);
}

function evict(name: string, extra: JsonObject = {}, query = ''): Promise<ApiResponse> {
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'default' }, ...extra };
  return client.send('POST', `${root}/pods/${name}/eviction${query}`, { body });
}

const evicted = { code: 201, body: { kind: 'Status', status: 'Success', code: 201 } };
const readPod = (name: string): Promise<ApiResponse> => client.send('GET', `${root}/pods/${name}`);

test('a pod without a budget is evicted; a missing one is not found', async () => {
  await makePod('free', 'True');
  expect(await evict('free')).toMatchObject(evicted);
  expect((await readPod('free')).code).toBe(404);
  expect((await evict('nobody')).body).toMatchObject({ reason: 'NotFound', message: 'pods "nobody" not found' });
});

test('the name in the body must match the path', async () => {
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'other' } };
  const answer = await client.send('POST', `${root}/pods/free/eviction`, { body });
  expect(answer).toMatchObject({
    code: 400,
    body: { message: 'name in URL does not match name in Eviction object' },
  });
});

test('a budget that is not up to date, or used up, protects its pods', async () => {
  await makePod('guarded', 'True');
  await makeBudget('guard', {});
  expect(await evict('guarded')).toMatchObject({
    code: 429,
    headers: { 'retry-after': '10' },
    body: {
      reason: 'TooManyRequests',
      message: refusal,
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget guard is still being processed by the server.',
          },
        ],
        retryAfterSeconds: 10,
      },
    },
  });
  await patchStatus(`${budgets}/guard`, {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 1,
    desiredHealthy: 1,
  });
  expect(await evict('guarded')).toMatchObject({
    code: 429,
    body: {
      message: refusal,
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget guard needs 1 healthy pods and has 1 currently',
          },
        ],
      },
    },
  });
  expect((await readPod('guarded')).code).toBe(200);
});

test('an eviction spends one disruption; a dry run none', async () => {
  await makePod('guarded', 'True');
  await makeBudget('guard', { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 });
  const allowed = async (): Promise<unknown> => (await client.send('GET', `${budgets}/guard`)).body['status'];
  expect(await evict('guarded', {}, '?dryRun=All')).toMatchObject(evicted);
  expect(await allowed()).toMatchObject({ disruptionsAllowed: 1 });
  expect(await evict('guarded')).toMatchObject(evicted);
  expect(await allowed()).toMatchObject({
    disruptionsAllowed: 0,
    disruptedPods: { guarded: expect.any(String) },
    conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
  });
  expect((await readPod('guarded')).code).toBe(404);
});

test('pending pods are not protected; unready ones are evicted while enough others are ready', async () => {
  await makeBudget('guard', { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 });
  await makePod('pending', undefined, { app: 'guarded' });
  await makePod('unready', 'False', { app: 'guarded' });
  expect(await evict('pending')).toMatchObject(evicted);
  expect(await evict('unready')).toMatchObject(evicted);
});

test('two budgets are an error', async () => {
  await makePod('guarded', 'True');
  const status = { observedGeneration: 1, disruptionsAllowed: 5, currentHealthy: 5, desiredHealthy: 1 };
  await makeBudget('first', status);
  await makeBudget('second', status);
  expect(await evict('guarded')).toMatchObject({
    code: 500,
    body: {
      status: 'Failure',
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    },
  });
});

test('preconditions in the body, and the condition of a pod that stays', async () => {
  await makePod('free', 'True');
  expect(await evict('free', { deleteOptions: { preconditions: { uid: 'x' } } })).toMatchObject({
    code: 409,
    body: {
      message: expect.stringContaining('Operation cannot be fulfilled on Pod "free": the UID in the precondition (x)'),
    },
  });
  const contentType = 'application/merge-patch+json';
  await client.send('PATCH', `${root}/pods/free`, { body: { metadata: { finalizers: ['a.example/b'] } }, contentType });
  expect(await evict('free')).toMatchObject(evicted);
  const { body } = await readPod('free');
  expect(body).toMatchObject({ metadata: { deletionTimestamp: expect.any(String) } });
  expect(JSON.stringify(body['status'])).toContain('"reason":"EvictionByEvictionAPI"');
  await client.send('PATCH', `${root}/pods/free`, { body: { metadata: { finalizers: null } }, contentType });
});
