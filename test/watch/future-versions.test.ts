import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient, type ApiResponse } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/default/configmaps';
let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  await create('first');
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

async function create(name: string): Promise<number> {
  const { body } = await client.send('POST', path, { body: { metadata: { name } } });
  return Number((body['metadata'] as { resourceVersion: string }).resourceVersion);
}

const reads: readonly (readonly [what: string, target: (version: number) => string])[] = [
  ['a get', (version) => `${path}/first?resourceVersion=${version}`],
  ['a list', (version) => `${path}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`],
  ['an exact list', (version) => `${path}?resourceVersion=${version}&resourceVersionMatch=Exact`],
];

/** The server writes too. */
const writesAhead = 20;

test.each(reads)('%s at a version reached soon waits for it', async (what, target) => {
  const name = what.replaceAll(' ', '-');
  const next = (await create(`before-${name}`)) + writesAhead;
  const answer = client.send('GET', target(next));
  expect(await Promise.race([answer, sleep(300)])).toBeUndefined();
  for (let index = 0; (await create(`at-${name}-${index}`)) < next; index += 1);
  expect((await answer).code).toBe(200);
});

test.each(reads)('%s at a version never reached gets 504 after three seconds', async (_, target) => {
  const startedMs = performance.now();
  const { code, headers, body }: ApiResponse = await client.send('GET', target(1_000_000));
  expect(performance.now() - startedMs).toBeGreaterThan(2900);
  expect({ code, retryAfter: headers['retry-after'] }).toEqual({ code: 504, retryAfter: '1' });
  expect(body['message']).toMatch(/^Timeout: Too large resource version: 1000000, current: \d+$/);
  expect(body['details']).toEqual({
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
});

const events = '/api/v1/namespaces/default/events';

// Kubernetes keeps no cache of events.
test.each([
  `${events}/none`,
  events,
  `${events}?resourceVersionMatch=NotOlderThan`,
  `${events}?resourceVersionMatch=Exact`,
  `${events}?limit=1`,
  '/apis/events.k8s.io/v1/events',
])('%s at a version never reached gets 504 without a time to come again', async (target) => {
  const query = `${target.includes('?') ? '&' : '?'}resourceVersion=1000000`;
  const { code, headers, body }: ApiResponse = await client.send('GET', `${target}${query}`);
  expect({ code, retryAfter: headers['retry-after'] }).toEqual({ code: 504, retryAfter: undefined });
  expect(body['message']).toMatch(/^Timeout: Too large resource version: 1000000, current: \d+$/);
  expect(body['details']).toEqual({
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
  });
});
