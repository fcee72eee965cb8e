import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import type { KubernetesObject } from '../../src/api/meta/object.ts';
import { ApiClient, type ApiResponse } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { onEtcd, startTestServer } from '../server-fixture.ts';

const root = '/api/v1/namespaces/crowded';
const hard = 40;
const opened = new AsyncDisposableStack();
let clients: readonly ApiClient[] = [];

describeWithEtcd('two servers on one etcd, and one quota', () => {
  beforeAll(async () => {
    const etcd = opened.use(await EtcdProcess.start());
    const servers = [
      opened.use(await startTestServer({}, onEtcd(etcd.url))),
      opened.use(await startTestServer({}, onEtcd(etcd.url))),
    ];
    clients = await Promise.all(servers.map((server) => ApiClient.connect(server)));
    opened.defer(() => clients.forEach((client) => client[Symbol.dispose]()));
    expect((await first().send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'crowded' } } })).code).toBe(
      201,
    );
    const spec = { hard: { secrets: String(hard), 'count/secrets': String(hard) } };
    await first().send('POST', `${root}/resourcequotas`, { body: { metadata: { name: 'q' }, spec } });
    await untilUsed((used) => used !== undefined);
  }, 60_000);

  afterAll(() => opened.disposeAsync());

  test('what is made at the same time never exceeds it', { timeout: 60_000 }, async () => {
    const answers = await Promise.all(Array.from({ length: 120 }, (_, index) => make(clientOf(index), `m-${index}`)));
    const codes = new Map<number, number>();
    for (const { code } of answers) codes.set(code, (codes.get(code) ?? 0) + 1);
    expect(Object.fromEntries(codes)).toEqual({ 201: hard, 403: 120 - hard });
    expect(await stored()).toHaveLength(hard);
    expect(await usedNow()).toBe(String(hard));
  });

  test('what goes makes room, for as many and no more', { timeout: 60_000 }, async () => {
    const names = (await stored()).slice(0, 15);
    await Promise.all(names.map((name, index) => clientOf(index).send('DELETE', `${root}/secrets/${name}`)));
    await untilUsed((used) => used === String(hard - 15));
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => make(clientOf(index), `n-${index}`)));
    expect(answers.filter(({ code }) => code === 201)).toHaveLength(15);
    expect(await stored()).toHaveLength(hard);
  });

  test('while some come and others go it holds', { timeout: 60_000 }, async () => {
    let most = 0;
    for (let round = 0; round < 6; round += 1) {
      const gone = (await stored()).slice(0, 8);
      await Promise.all([
        ...gone.map((name, index) => clientOf(index).send('DELETE', `${root}/secrets/${name}`)),
        ...Array.from({ length: 16 }, (_, index) => make(clientOf(index), `r-${round}-${index}`)),
      ]);
      most = Math.max(most, (await stored()).length);
    }
    expect(most).toBeLessThanOrEqual(hard);
    const left = (await stored()).length;
    await untilUsed((used) => used === String(left));
  });
});

function first(): ApiClient {
  return clientOf(0);
}

function clientOf(index: number): ApiClient {
  const client = clients[index % clients.length];
  if (client === undefined) throw new Error('there is no server');
  return client;
}

function make(client: ApiClient, name: string): Promise<ApiResponse> {
  return client.send('POST', `${root}/secrets`, { body: { metadata: { name } } });
}

async function stored(): Promise<readonly string[]> {
  const { body } = await first().send('GET', `${root}/secrets`);
  const { items } = body as unknown as { readonly items: readonly KubernetesObject[] }; // a list
  return items.map(({ metadata }) => metadata.name ?? '');
}

async function usedNow(): Promise<string | undefined> {
  const { body } = await first().send('GET', `${root}/resourcequotas/q`);
  const used = (body['status'] as JsonObject | undefined)?.['used'] as JsonObject | undefined;
  return used?.['secrets'] as string | undefined;
}

/** The controller tells it. */
async function untilUsed(isDone: (used: string | undefined) => boolean): Promise<void> {
  let used = await usedNow();
  for (const until = Date.now() + 25_000; !isDone(used) && Date.now() < until; used = await usedNow()) await sleep(50);
  expect(isDone(used), `used: ${used}`).toBe(true);
}
