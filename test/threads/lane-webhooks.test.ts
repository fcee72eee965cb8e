import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { type HookResponse, type HookServer, startHookServer } from '../webhooks/hook-server.ts';
import { type LaneServer, startLaneServer } from './lane-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configurations = '/apis/admissionregistration.k8s.io/v1';
const largeText = 'line of a file\n'.repeat(10_000);

let folder: string;
let hooks: HookServer;
let server: LaneServer;
let client: ApiClient;

/** The first webhook adds a label, the second a large value, unless the name asks for less. */
function answer(path: string, name: unknown): HookResponse {
  const patched = (key: string, value: string): HookResponse => ({
    response: {
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify([{ op: 'add', path: `/data/${key}`, value }])).toString('base64'),
    },
  });
  if (path === '/small') return patched('small', 'x');
  if (path === '/large') return patched('large', largeText);
  if (path === '/denies' && name === 'denied') return { response: { allowed: false, status: { message: 'no' } } };
  return { response: { allowed: true, auditAnnotations: { about: largeText } } };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-lane-webhooks-'));
  hooks = await startHookServer(folder, (path, { request }) => answer(path, request['name']));
  server = await startLaneServer({ args: ['--api-threads=1'] });
  client = await ApiClient.connect(server.process);
  const webhook = (operations: readonly string[], name: string): object => ({
    name: `${name}.example.com`,
    clientConfig: { url: `${hooks.url}/${name}`, caBundle: hooks.caBundle },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations }],
    objectSelector: { matchLabels: { hooks: 'called' } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  });
  await client.send('POST', `${configurations}/mutatingwebhookconfigurations`, {
    body: { metadata: { name: 'mutating' }, webhooks: [webhook(['CREATE'], 'small'), webhook(['CREATE'], 'large')] },
  });
  await client.send('POST', `${configurations}/validatingwebhookconfigurations`, {
    body: { metadata: { name: 'validating' }, webhooks: [webhook(['*'], 'tells'), webhook(['*'], 'denies')] },
  });
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
  await hooks[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const called = (): readonly string[] => hooks.received.splice(0).map(({ path }) => path);
const named = (name: string): object => ({ metadata: { name, labels: { hooks: 'called' } }, data: { own: 'y' } });

async function calls(hook: string): Promise<number> {
  const lines = (await client.text('/metrics')).split('\n');
  const series = new RegExp(`^apiserver_admission_webhook_request_total\\{.*name="${hook}\\.example\\.com"`);
  return lines.filter((line) => series.test(line)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('a write that a webhook makes large goes on in a lane, and no webhook is asked twice', async () => {
  const before = await Promise.all(['small', 'large', 'tells', 'denies'].map(calls));
  hooks.received.splice(0);
  const created = await client.send('POST', configMaps, { body: named('large') });
  expect(created.code).toBe(201);
  expect(created.body).toMatchObject({ data: { own: 'y', small: 'x', large: largeText } });
  expect([...called()].sort()).toEqual(['/denies', '/large', '/small', '/tells']);
  const after = await Promise.all(['small', 'large', 'tells', 'denies'].map(calls));
  expect(after.map((count, index) => count - before[index]!)).toEqual([1, 1, 1, 1]);
  expect(await client.text('/metrics')).toContain('thread="lane-1"');
});

test('what another webhook rejects is answered', async () => {
  const denied = await client.send('POST', configMaps, { body: named('denied') });
  expect(denied.code).toBe(400);
  expect(denied.body).toMatchObject({ message: 'admission webhook "denies.example.com" denied the request: no' });
});

test('of a collection every object is deleted, and the answer has all', async () => {
  for (const name of ['one', 'two', 'three']) await client.send('POST', configMaps, { body: named(name) });
  const deleted = await client.send('DELETE', `${configMaps}?labelSelector=hooks%3Dcalled`);
  expect(deleted).toMatchObject({ code: 200 });
  const names = (deleted.body as { items: { metadata: { name: string } }[] }).items.map(
    ({ metadata }) => metadata.name,
  );
  expect(names).toEqual(['large', 'one', 'three', 'two']);
  const left = (await client.send('GET', `${configMaps}?labelSelector=hooks%3Dcalled`)).body;
  expect(left).toMatchObject({ items: [] });
});
