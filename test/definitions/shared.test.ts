import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';
import { define, definitionsPath, group, ship, ships, shipsPath, specSchema, undefine } from './definitions.ts';

describeWithEtcd('servers on one etcd', () => {
  let etcd: EtcdProcess;
  let servers: readonly TestServer[];
  let clients: readonly ApiClient[];

  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    servers = await Promise.all([1, 2].map(() => startTestServer({}, onEtcd(etcd.url))));
    clients = await Promise.all(servers.map((server) => ApiClient.connect(server)));
  });

  afterAll(async () => {
    for (const client of clients ?? []) client[Symbol.dispose]();
    for (const server of servers ?? []) await server[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
  });

  test('all serve a definition, agree on its conditions, and release it', async () => {
    const [first, second] = clients;
    if (first === undefined || second === undefined) throw new Error('there are two');
    for (let round = 0; round < 3; round += 1) {
      await define(first, ships({ versions: [{ name: 'v1', schema: specSchema({ name: { type: 'string' } }) }] }));
      const made = () => second.sendBytes('GET', shipsPath(), {});
      await vi.waitFor(async () => expect((await made()).code).toBe(200), { timeout: 10_000 });
      const { code, body } = await second.send('POST', shipsPath(), { body: ship('seen', { name: 'x', other: 1 }) });
      expect(code).toBe(201);
      expect(body['spec']).toEqual({ name: 'x' });
      expect((await first.send('GET', `${shipsPath()}/seen`)).body['spec']).toEqual({ name: 'x' });
      const status = (await second.send('GET', `${definitionsPath}/ships.${group}`)).body['status'];
      expect(status).toMatchObject({
        conditions: [
          { type: 'NamesAccepted', status: 'True' },
          { type: 'Established', status: 'True' },
        ],
        storedVersions: ['v1'],
      });
      await undefine(second);
      const gone = () => first.sendBytes('GET', shipsPath(), {});
      await vi.waitFor(async () => expect((await gone()).code).toBe(404), { timeout: 10_000 });
    }
  });
});
