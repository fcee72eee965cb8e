import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import type { KubernetesObject } from '../../src/api/meta/object.ts';
import { ApiClient } from '../api-client.ts';
import { ServerProcess } from '../durability/server-process.ts';
import { freePort } from '../free-port.ts';
import { startTestServer } from '../server-fixture.ts';

// A server that has its store alone writes charges of quotas together, a little later than the objects.

const root = '/api/v1/namespaces/busy';

async function namespaceWith(client: ApiClient, hard: number): Promise<void> {
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'busy' } } });
  const spec = { hard: { 'count/configmaps': String(hard) } };
  await client.send('POST', `${root}/resourcequotas`, { body: { metadata: { name: 'q' }, spec } });
  await expect.poll(() => usedNow(client), { timeout: 10_000, interval: 20 }).toBeDefined();
}

async function usedNow(client: ApiClient): Promise<string | undefined> {
  const { body } = await client.send('GET', `${root}/resourcequotas/q`);
  const used = (body['status'] as JsonObject | undefined)?.['used'] as JsonObject | undefined;
  return used?.['count/configmaps'] as string | undefined;
}

async function make(client: ApiClient, name: string): Promise<number> {
  return (await client.send('POST', `${root}/configmaps`, { body: { metadata: { name } } })).code;
}

async function stored(client: ApiClient): Promise<number> {
  const { body } = await client.send('GET', `${root}/configmaps`);
  const { items } = body as unknown as { readonly items: readonly KubernetesObject[] }; // a list
  return items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt').length;
}

test('whoever reads a quota sees all that has been charged', async () => {
  await using server = await startTestServer({}, { inMemory: true });
  using client = await ApiClient.connect(server);
  await namespaceWith(client, 1000);
  for (let index = 0; index < 30; index += 1) {
    const before = Number(await usedNow(client));
    expect(await make(client, `one-${index}`)).toBe(201);
    expect(await make(client, `other-${index}`)).toBe(201);
    expect(Number(await usedNow(client))).toBe(before + 2);
  }
  const { body } = await client.send('GET', '/api/v1/resourcequotas');
  expect(JSON.stringify(body)).toContain('"used":{"count/configmaps":"60"}');
});

test('a quota stays exact when its namespace is not used for longer than a thousand others', async () => {
  await using server = await startTestServer({}, { inMemory: true });
  using client = await ApiClient.connect(server);
  await namespaceWith(client, 1000);
  expect(await make(client, 'before')).toBe(201);
  const spec = { hard: { 'count/configmaps': '9' } };
  await Promise.all(
    Array.from({ length: 1100 }, async (_, index) => {
      const name = `other-${index}`;
      const inside = `/api/v1/namespaces/${name}`;
      await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
      await client.send('POST', `${inside}/resourcequotas`, { body: { metadata: { name: 'q' }, spec } });
      const { code } = await client.send('POST', `${inside}/configmaps`, { body: { metadata: { name: 'a' } } });
      expect([201, 403]).toContain(code); // its quota may not have been counted yet
    }),
  );
  expect(await make(client, 'after')).toBe(201);
  expect(await usedNow(client)).toBe(String(await stored(client)));
});

test('what was charged a moment ago makes room at once when it goes', async () => {
  await using server = await startTestServer({}, { inMemory: true });
  using client = await ApiClient.connect(server);
  await namespaceWith(client, 1);
  await make(client, 'kube-root-ca.crt'); // the only one, unless it is there
  await client.send('DELETE', `${root}/configmaps/kube-root-ca.crt`);
  for (let index = 0; index < 20; index += 1) {
    await expect.poll(() => make(client, 'only'), { timeout: 5000, interval: 5 }).toBe(201);
    expect(await make(client, 'second')).toBe(403);
    await client.send('DELETE', `${root}/configmaps/only`);
  }
});

test('a change of a quota at the same time loses no charge', async () => {
  await using server = await startTestServer({}, { inMemory: true });
  using client = await ApiClient.connect(server);
  await namespaceWith(client, 1000);
  const contentType = 'application/merge-patch+json';
  for (let index = 0; index < 30; index += 1) {
    expect(await make(client, `m-${index}`)).toBe(201);
    const body = { metadata: { annotations: { round: String(index) } } };
    await client.send('PATCH', `${root}/resourcequotas/q`, { body, contentType });
  }
  expect(await usedNow(client)).toBe(String(await stored(client)));
});

test('pods are released with what they were charged, also of a name that is used again', async () => {
  await using server = await startTestServer({}, { inMemory: true });
  using client = await ApiClient.connect(server);
  await namespaceWith(client, 1000);
  const hard = { pods: '100', 'requests.cpu': '10', 'count/configmaps': '1000' };
  const merge = { contentType: 'application/merge-patch+json' };
  await client.send('PATCH', `${root}/resourcequotas/q`, { body: { spec: { hard } }, ...merge });
  const used = async (): Promise<JsonObject> => {
    const { body } = await client.send('GET', `${root}/resourcequotas/q`);
    const all = (body['status'] as JsonObject)['used'] as JsonObject;
    return { pods: all['pods'] ?? '', cpu: all['requests.cpu'] ?? '' };
  };
  await expect.poll(used, { timeout: 10_000, interval: 20 }).toEqual({ pods: '0', cpu: '0' });
  const pod = (name: string, cpu: string): JsonObject => ({
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] },
  });
  const atOnce = '?gracePeriodSeconds=0';
  for (let index = 0; index < 10; index += 1) {
    const cpu = `${100 * (index + 1)}m`;
    expect((await client.send('POST', `${root}/pods`, { body: pod('again', cpu) })).code).toBe(201);
    expect((await client.send('POST', `${root}/pods`, { body: pod(`kept-${index}`, '100m') })).code).toBe(201);
    await client.send('DELETE', `${root}/pods/again${atOnce}`);
  }
  await expect.poll(used, { timeout: 10_000, interval: 50 }).toEqual({ pods: '10', cpu: '1' });
  // A status by which a pod has ended releases what was charged when it was made.
  const ended = { status: { phase: 'Succeeded' } };
  await client.send('PATCH', `${root}/pods/kept-0/status`, { body: ended, ...merge });
  await expect.poll(used, { timeout: 10_000, interval: 50 }).toEqual({ pods: '9', cpu: '900m' });
});

test('a server that is stopped or killed takes no charge with it', { timeout: 60_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-quota-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const hard = 40;
  const access = { url: `https://127.0.0.1:${port}`, kubeconfigPath: join(dataDir, 'admin.kubeconfig') };
  let server = await ServerProcess.start(dataDir, port, ['--controllers=resourcequota']);
  let client = await ApiClient.connect(access);
  await namespaceWith(client, hard);
  for (let round = 0; round < 2; round += 1) {
    const made = Array.from({ length: 12 }, (_, index) => make(client, `r-${round}-${index}`));
    expect(await Promise.all(made)).toEqual(made.map(() => 201));
    for (let index = 0; index < 3; index += 1) await make(client, `s-${round}-${index}`);
    await server.kill();
    client[Symbol.dispose]();
    // Only the charges count.
    server = await ServerProcess.start(dataDir, port, ['--controllers=']);
    client = await ApiClient.connect(access);
  }
  const codes: number[] = [];
  for (let index = 0; index < hard; index += 1) codes.push(await make(client, `t-${index}`));
  expect(codes.filter((code) => code === 201)).toHaveLength(hard - 30);
  expect(await stored(client)).toBe(hard);
  client[Symbol.dispose]();
  await server.kill();
});
