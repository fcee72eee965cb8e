import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { asAlone, startTestServer } from '../server-fixture.ts';

// The time of a request is over while a webhook is asked who the client is, or what it may do: as in kube-apiserver,
// which may reset the stream of a TokenReview instead.

const opened = new AsyncDisposableStack();
let client: ApiClient;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-late-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const configFile = join(folder, 'webhook.kubeconfig');
  writeFileSync(configFile, kubeconfigOf(await silentServer()));
  const { authentication, authorization } = configDefaults;
  const server = opened.use(
    await startTestServer(
      {},
      { inMemory: true },
      {
        config: {
          ...asAlone,
          authentication: { ...authentication, tokenWebhook: { ...authentication.tokenWebhook, configFile } },
          authorization: {
            ...authorization,
            modes: ['RBAC', 'Webhook'],
            webhook: { ...authorization.webhook, configFile },
          },
        },
      },
    ),
  );
  client = opened.use(await ApiClient.connect(server));
});

afterAll(() => opened.disposeAsync());

/** Accepts requests and never answers. */
async function silentServer(): Promise<string> {
  const server = createServer(() => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on a port');
  return `http://127.0.0.1:${address.port}`;
}

function kubeconfigOf(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    users: [{ name: 'u', user: {} }],
    clusters: [{ name: 'c', cluster: { server } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  });
}

const answer = {
  metadata: {},
  status: 'Failure',
  message: 'Timeout: request did not complete within the allotted timeout',
  reason: 'Timeout',
  details: {},
  code: 504,
};
const poor = { 'impersonate-user': 'poor' };
const configMaps = '/api/v1/namespaces/default/configmaps';
const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'default' };
const review = { spec: { user: 'poor', resourceAttributes } };
const reviews = '/apis/authorization.k8s.io/v1';

test.each([
  ['a TokenReview', 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body: { spec: { token: 'abc' } } }],
  ['a SubjectAccessReview', 'POST', `${reviews}/subjectaccessreviews`, { body: review }],
  [
    'a LocalSubjectAccessReview',
    'POST',
    `${reviews}/namespaces/default/localsubjectaccessreviews`,
    { body: { metadata: { namespace: 'default' }, ...review } },
  ],
  ['a get', 'GET', `${configMaps}/one`, { headers: poor }],
  ['a list', 'GET', configMaps, { headers: poor }],
  ['a list in protobuf', 'GET', configMaps, { headers: { ...poor, accept: 'application/vnd.kubernetes.protobuf' } }],
  ['a create', 'POST', configMaps, { headers: poor, body: { metadata: { name: 'one' } } }],
  ['a deletion of a collection', 'DELETE', configMaps, { headers: poor }],
  ['no resource', 'GET', '/nothing', { headers: poor }],
])('%s', async (_what, method, path, options) => {
  const late = await client.exchange(method, `${path}?timeout=100ms`, options);
  expect([late.code, late.text]).toEqual([504, `${JSON.stringify(answer)}\n`]);
  expect(late.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
});
