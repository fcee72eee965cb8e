import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';

const root = '/api/v1/namespaces/default';
const quotaPath = `${root}/resourcequotas/q`;
/** A request that is to be charged waits for ten seconds. */
const loadMs = 13_000;
const patience = { timeout: 60_000, interval: 50 };

const withThreads = (storage: object): Promise<TestServer> => {
  const threadModule = join(import.meta.dirname, 'slow-thread.ts');
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, apiThreads: 3, threadModule };
  return startTestServer({}, storage, { config: { serving } });
};

test('a slow thread charges a quota as well as fast ones, and all of them exactly', { timeout: 180_000 }, async () => {
  await using server = await withThreads({ inMemory: true });
  await chargeFromAll(server);
});

describeWithEtcd('on etcd', () => {
  test('it does so there, too', { timeout: 180_000 }, async () => {
    await using etcd = await EtcdProcess.start();
    await using server = await withThreads(onEtcd(etcd.url));
    await chargeFromAll(server);
  });
});

async function chargeFromAll(server: TestServer): Promise<void> {
  // So many that each thread has some.
  const clients = await Promise.all(Array.from({ length: 24 }, () => ApiClient.connect(server)));
  using first = await ApiClient.connect(server);
  const status = async (): Promise<unknown> => (await first.send('GET', quotaPath)).body['status'];
  const spec = { hard: { 'count/configmaps': '1M' } };
  await first.send('POST', `${root}/resourcequotas`, { body: { metadata: { name: 'q' }, spec } });
  await expect.poll(status, patience).toMatchObject(spec);

  const codes = new Map<number, number>();
  let tried = 0;
  const create = async (client: ApiClient): Promise<number> => {
    const body = { metadata: { name: `made-${(tried += 1)}` } };
    const { code } = await client.send('POST', `${root}/configmaps`, { body });
    codes.set(code, (codes.get(code) ?? 0) + 1);
    return code;
  };
  const whileAllIsWell = async (client: ApiClient): Promise<void> => {
    while (!ends.aborted && [...codes.keys()].every((code) => code === 201)) await create(client);
  };
  const ends = AbortSignal.timeout(loadMs);
  await Promise.all(clients.map(whileAllIsWell));
  expect([...codes.keys()]).toEqual([201]);

  const hard = { 'count/configmaps': String((codes.get(201) ?? 0) + 100) };
  const contentType = 'application/merge-patch+json';
  await first.send('PATCH', quotaPath, { body: { spec: { hard } }, contentType });
  await expect.poll(status, patience).toMatchObject({ hard });
  // Each thread has heard of it.
  await sleep(100);
  await Promise.all(
    clients.map(async (client) => {
      while ((await create(client)) === 201);
    }),
  );
  expect(Object.fromEntries(codes)).toEqual({ 201: Number(hard['count/configmaps']), 403: clients.length });
  await expect.poll(status, patience).toMatchObject({ used: hard });
  for (const client of clients) client[Symbol.dispose]();
}
