import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { asAlone, startTestServer, type TestServer } from '../server-fixture.ts';
import { type HookServer, startHookServer } from './hook-server.ts';

// The time of a request is over while a webhook is called. kube-apiserver answers the same, or resets the stream.

let server: TestServer;
let hooks: HookServer;

beforeAll(async () => {
  server = await startTestServer({}, { inMemory: true }, { config: asAlone });
  hooks = await startHookServer(server.scratchDir, (path) => {
    if (path === '/slow') return { response: { allowed: true }, delayMs: 300 };
    return path === '/no' ? { response: { allowed: false } } : { nothing: 'silence' };
  });
});

afterAll(async () => {
  await hooks?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const answer = {
  metadata: {},
  status: 'Failure',
  message: 'Timeout: request did not complete within the allotted timeout',
  reason: 'Timeout',
  details: {},
  code: 504,
};

interface Hooked {
  readonly type: string;
  readonly name: string;
  readonly failurePolicy: string;
  readonly paths: readonly string[];
}

/** Configures webhooks for an object, which is returned. */
async function hooked(client: ApiClient, { type, name, failurePolicy, paths }: Hooked): Promise<object> {
  const kind = `${type}WebhookConfiguration`;
  const configuration = {
    kind,
    apiVersion: 'admissionregistration.k8s.io/v1',
    metadata: { name },
    webhooks: paths.map((path, index) => ({
      name: `hook-${index}.example.com`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy,
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      objectSelector: { matchLabels: { of: name } },
      clientConfig: { url: `${hooks.url}/${path}`, caBundle: hooks.caBundle },
    })),
  };
  const configurations = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s`;
  expect(await client.send('POST', configurations, { body: configuration })).toMatchObject({ code: 201 });
  return { metadata: { name, labels: { of: name } } };
}

test.each([
  ['Mutating', 'Fail', ['silence']],
  ['Mutating', 'Ignore', ['silence', 'silence']],
  ['Validating', 'Fail', ['silence']],
  ['Validating', 'Ignore', ['silence']],
  ['Validating', 'Ignore', ['no', 'silence']],
])('%s webhooks, %s: %j', async (type, failurePolicy, paths) => {
  using client = await ApiClient.connect(server);
  const name = `${type}-${failurePolicy}-${paths.join('-')}`.toLowerCase();
  const body = await hooked(client, { type, name, failurePolicy, paths });
  const late = await client.exchange('POST', '/api/v1/namespaces/default/configmaps?timeout=300ms', { body });
  expect([late.code, late.text]).toEqual([504, `${JSON.stringify(answer)}\n`]);
  expect(late.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
  const stored = await client.send('GET', `/api/v1/namespaces/default/configmaps/${name}`);
  expect(stored).toMatchObject({ code: 404 });
});

test.each([
  ['Mutating', 0.6],
  ['Validating', 0.3],
])('%s webhooks do not count in the time that the server takes', async (type, waitedSeconds) => {
  using client = await ApiClient.connect(server);
  const name = `slow-${type.toLowerCase()}`;
  const body = await hooked(client, { type, name, failurePolicy: 'Fail', paths: ['slow', 'slow'] });
  const before = await secondsOfCreates(client);
  const path = '/api/v1/namespaces/default/configmaps';
  const sent = performance.now();
  expect(await client.send('POST', path, { body })).toMatchObject({ code: 201 });
  const elapsedSeconds = (performance.now() - sent) / 1000;
  const { duration, sli } = await secondsOfCreates(client);
  const waited = duration - before.duration - (sli - before.sli);
  expect(duration - before.duration).toBeGreaterThanOrEqual(waited);
  expect(waited).toBeGreaterThanOrEqual(waitedSeconds - 0.01);
  expect(waited).toBeLessThan(elapsedSeconds);
});

async function secondsOfCreates(client: ApiClient) {
  const metrics = await client.text('/metrics');
  const sumOf = (name: string): number => {
    const lines = metrics.split('\n').filter((line) => line.startsWith(`apiserver_request_${name}_seconds_sum{`));
    const sums = lines.filter((line) => /resource="configmaps"/.test(line) && /verb="POST"/.test(line));
    return sums.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  return { duration: sumOf('duration'), sli: sumOf('sli_duration') };
}
