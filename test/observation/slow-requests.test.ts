import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { type HttpsServer, jsonOf, startHttpsServer } from '../https-server.ts';
import { type KlogLine, klogLines } from './klog-line.ts';
import { LoggedServer } from './logged-server.ts';

// What is told of webhooks that are slow, refuse, or fail, in the form in which kube-apiserver 1.37.1 tells it.

const slowMs = 600;
let folder: string;
let hooks: HttpsServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-hooks-'));
  hooks = await startHttpsServer({ folder }, async (request, response) => {
    const { request: asked } = await jsonOf<{ readonly request: { readonly uid: string } }>(request);
    if (request.url?.startsWith('/slow') === true) await sleep(slowMs);
    const allowed = request.url?.startsWith('/deny') !== true;
    const answer = { uid: asked.uid, allowed, ...(allowed ? {} : { status: { message: 'no\nway' } }) };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
  });
});

afterAll(async () => {
  await hooks[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function hook(name: string, url: string, failurePolicy = 'Fail'): object {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] };
  return {
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy,
        clientConfig: { url, caBundle: Buffer.from(hooks.authority).toString('base64') },
        rules: [rule],
        objectSelector: { matchLabels: { hook: name } },
      },
    ],
  };
}

const group = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

async function played(...flags: readonly string[]): Promise<KlogLine[]> {
  await using server = await LoggedServer.start(...flags);
  using client = await ApiClient.connect(server);
  const refused = 'https://127.0.0.1:1/none';
  const validating = `${group}/validatingwebhookconfigurations`;
  const made = [
    await client.send('POST', validating, { body: hook('slow', `${hooks.url}/slow`) }),
    await client.send('POST', `${group}/mutatingwebhookconfigurations`, {
      body: hook('mutating', `${hooks.url}/slow`),
    }),
    await client.send('POST', validating, { body: hook('deny', `${hooks.url}/deny`) }),
    await client.send('POST', validating, { body: hook('closed', refused) }),
    await client.send('POST', validating, { body: hook('open', refused, 'Ignore') }),
  ];
  expect(made.map(({ code }) => code)).toEqual([201, 201, 201, 201, 201]);
  const codes: number[] = [];
  for (const name of ['slow', 'mutating', 'deny', 'closed', 'open', 'none']) {
    const headers = { 'user-agent': 'tester', 'audit-id': `id-${name}` };
    // oxlint-disable-next-line no-await-in-loop -- lines are compared in their order
    const { code } = await client.send('POST', configMaps, {
      body: { metadata: { name, labels: { hook: name } } },
      headers,
    });
    codes.push(code);
  }
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied', labels: { hook: 'slow' } } };
  const { code } = await client.send('PATCH', `${configMaps}/applied?fieldManager=tester`, {
    body: applied,
    contentType: 'application/apply-patch+yaml',
    headers: { 'audit-id': 'id-apply' },
  });
  expect([...codes, code]).toEqual([201, 201, 400, 500, 201, 201, 201]);
  return klogLines((await server.output()).stderr);
}

describe('at verbosity 0', () => {
  let lines: readonly KlogLine[];

  beforeAll(async () => {
    lines = await played();
  });

  test.each([
    ['slow', 'validating'],
    ['mutating', 'mutating'],
  ])('a request that waited for the webhook %s has a trace with that step', (name, type) => {
    const traces = lines.filter(({ message }) => message.includes(`audit-id:id-${name},`));
    expect(traces).toHaveLength(1);
    const [first = '', ...steps] = traces[0]?.message.replaceAll(/Trace\[\d+\]: /g, '').split('\n') ?? [];
    expect(first).toMatch(
      /^"Create" accept:application\/json,audit-id:id-\w+,client:127\.0\.0\.1,api-group:,api-version:v1,name:,subresource:,namespace:default,protocol:HTTP\/2\.0,resource:configmaps,scope:resource,url:\/api\/v1\/namespaces\/default\/configmaps,user-agent:tester,verb:POST \(\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d\.\d{3}\) \(total time: \d+ms\):$/,
    );
    const about = `configuration:${name},webhook:${name}.example.com,resource:/v1, Resource=configmaps,subresource:,operation:CREATE,UID:`;
    // On a busy machine, others are slow as well.
    const calls = steps.filter((step) => step.includes('"Call '));
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatch(/^\["Call \w+ webhook" .*,UID:[0-9a-f-]{36} \d+ms \(\d\d:\d\d:\d\d\.\d{3}\)\]$/);
    expect(calls[0]).toContain(`["Call ${type} webhook" ${about}`);
    expect(steps.at(-1)).toMatch(/^\[[\d.]+(?:ms|s)\] \[[\d.]+(?:ms|s)\] END$/);
  });

  test('failures and refusals have a warning', () => {
    const warnings = lines.filter(({ severity }) => severity === 'W').map(({ message }) => message);
    const failed = (name: string): string =>
      `${name}.example.com: failed calling webhook "${name}.example.com": failed to call webhook: Post "https://127.0.0.1:1/none?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused`;
    expect(warnings).toEqual([
      'rejected by webhook "deny.example.com": admission webhook "deny.example.com" denied the request: no way',
      `Failed calling webhook, failing closed ${failed('closed')}`,
      `Failed calling webhook, failing open ${failed('open')}`,
    ]);
  });

  test('an apply is one, and a patch in the name of its trace', () => {
    const [trace] = lines.filter(({ message }) => message.includes('audit-id:id-apply,'));
    expect(trace?.message).toMatch(/^Trace\[\d+\]: "Patch" .*,verb:APPLY \(/);
  });

  test('others have none', () => {
    expect(lines.filter(({ message }) => message.includes('id-none'))).toEqual([]);
  });
});

test('verbosity 6 has every call of a webhook', async () => {
  const calls = (await played('-v=6')).filter(({ message }) => message === 'Response');
  const shown = calls.map(({ values }) =>
    values.map(([key, value]) => `${key}=${value.replace(/:\d+/, '')}`).join(' '),
  );
  const call = (path: string): RegExp =>
    new RegExp(`^verb="POST" url="https://127\\.0\\.0\\.1/${path}\\?timeout=10s" status=200 milliseconds=\\d+$`);
  expect(shown).toEqual(['slow', 'slow', 'deny', 'slow'].map((path) => expect.stringMatching(call(path))));
});
