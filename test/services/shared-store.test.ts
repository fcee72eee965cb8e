import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { skipWithoutReference, startReference } from '../reference-server.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';

const services = '/api/v1/namespaces/default/services';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
const ranges = '/apis/networking.k8s.io/v1/servicecidrs';
const endpoints = '/api/v1/namespaces/default/endpoints/kubernetes';
const slice = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';

interface Service {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly clusterIPs?: readonly string[];
    readonly ports?: readonly { readonly nodePort?: number }[];
  };
}

interface Address {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly parentRef: { readonly name: string } };
}

function service(name: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec } };
}

/** Sixty-four in flight at a time. */
async function atOnce<T>(
  names: readonly string[],
  send: (name: string, index: number) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  const rest = names.entries();
  const lane = async (): Promise<void> => {
    for (const [index, name] of rest) results.push(await send(name, index));
  };
  await Promise.all(Array.from({ length: 64 }, lane));
  return results;
}

describeWithEtcd('services of several servers on one etcd', () => {
  let etcd: EtcdProcess;
  let servers: readonly TestServer[] = [];
  let clients: readonly ApiClient[] = [];

  const startOn = (advertiseAddress: string, serviceRange = '10.7.0.0/20'): Promise<TestServer> => {
    const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, advertiseAddress };
    return startTestServer({ serviceClusterIpRanges: [serviceRange] }, onEtcd(etcd.url), { config: { serving } });
  };

  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    servers = [await startOn('192.0.2.11'), await startOn('192.0.2.12')];
    clients = await Promise.all(servers.map((server) => ApiClient.connect(server)));
  });

  afterAll(async () => {
    for (const client of clients) client[Symbol.dispose]();
    for (const server of servers) await server[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
  });

  async function listOf<T>(path: string): Promise<readonly T[]> {
    const { body } = await clientAt(0).send('GET', path);
    return body['items'] as unknown as readonly T[];
  }

  function clientAt(index: number): ApiClient {
    const client = clients[index % clients.length];
    if (client === undefined) throw new Error('no server has been started');
    return client;
  }

  /** Services and allocations match. */
  async function expectNothingTwice(): Promise<void> {
    const all = (await listOf<Service>('/api/v1/services')).map(({ metadata, spec }) => ({ ...metadata, ...spec }));
    const given = all.flatMap(({ name, clusterIPs = [] }) => clusterIPs.map((address) => `${address} ${name}`));
    expect(new Set(given.map((line) => line.split(' ')[0])).size).toBe(given.length);
    const written = (await listOf<Address>(addresses)).map(
      (object) => `${object.metadata.name} ${object.spec.parentRef.name}`,
    );
    expect(written.toSorted()).toEqual(given.toSorted());
    const ports = all.flatMap(({ ports: list = [] }) => list.flatMap(({ nodePort }) => nodePort ?? []));
    expect(new Set(ports).size).toBe(ports.length);
  }

  test('2,000 are created concurrently, and no address or port is allocated twice', { timeout: 120_000 }, async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `many-${index}`);
    const answers = await atOnce(names, async (name, index) => {
      const { code } = await clientAt(index).send('POST', services, { body: service(name) });
      return code;
    });
    expect(new Set(answers)).toEqual(new Set([201]));
    await expectNothingTwice();
    // Each is deleted on the server that did not create it.
    await atOnce(names, (name, index) => clientAt(index + 1).send('DELETE', `${services}/${name}`));
    await expectNothingTwice();
    expect((await listOf<Address>(addresses)).map(({ metadata: { name } }) => name)).toEqual(['10.7.0.1']);
  });

  test('of several requests for the same one, one succeeds, on any server', async () => {
    const wanted = { clusterIP: '10.7.0.77', ports: [{ port: 80, nodePort: 31_777 }] };
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          clientAt(index).send('POST', services, { body: service(`same-${index}`, wanted) }),
        ),
      );
      const codes = answers.map(({ code }) => code);
      expect(codes.toSorted()).toEqual([201, ...Array<number>(7).fill(422)]);
      const made = codes.indexOf(201);
      await expectNothingTwice();
      expect((await clientAt(round + made).send('DELETE', `${services}/same-${made}`)).code).toBe(200);
    }
  });

  test('allocations appear in the metrics of the allocating server', async () => {
    const seen = async (client: ApiClient): Promise<readonly string[]> => {
      const text = await client.text('/metrics');
      return text.split('\n').filter((line) => /^kube_apiserver_.*_(allocation_total|allocated_ips)/.test(line));
    };
    const [before, other] = await Promise.all([seen(clientAt(0)), seen(clientAt(1))]);
    expect((await clientAt(0).send('POST', services, { body: service('told') })).code).toBe(201);
    const after = (await seen(clientAt(0))).filter((line) => !before.includes(line));
    expect(after.map((line) => line.replace(/ \d+$/, ''))).toEqual([
      'kube_apiserver_clusterip_allocator_allocated_ips{cidr="10.7.0.0/20"}',
      'kube_apiserver_clusterip_allocator_allocation_total{cidr="10.7.0.0/20",scope="dynamic"}',
      'kube_apiserver_nodeport_allocator_allocation_total{scope="dynamic"}',
    ]);
    expect((await seen(clientAt(1))).filter((line) => !other.includes(line))).toEqual([
      expect.stringMatching(/^kube_apiserver_clusterip_allocator_allocated_ips/),
    ]);
    expect((await clientAt(0).send('DELETE', `${services}/told`)).code).toBe(200);
  });

  test('a range declared on one server is used by the other, and stays while it is needed', async () => {
    const [one, other] = [clientAt(0), clientAt(1)];
    const body = { metadata: { name: 'more' }, spec: { cidrs: ['10.8.0.0/28'] } };
    expect((await one.send('POST', ranges, { body })).code).toBe(201);
    await expect
      .poll(async () => {
        const spec = { clusterIP: '10.8.0.3' };
        return (await other.send('POST', services, { body: service('elsewhere', spec) })).code;
      })
      .toBe(201);
    expect((await other.send('DELETE', `${ranges}/more`)).code).toBe(200);
    const conditionOf = async (): Promise<unknown> => {
      const { status } = (await one.send('GET', `${ranges}/more`)).body as {
        status?: { conditions?: unknown[] };
      };
      return status?.conditions?.[0];
    };
    await expect.poll(conditionOf).toMatchObject({ type: 'Ready', status: 'False', reason: 'Terminating' });
    const refused = await other.send('POST', services, { body: service('late', { clusterIP: '10.8.0.4' }) });
    expect(refused.code).toBe(422);
    expect((await one.send('DELETE', `${services}/elsewhere`)).code).toBe(200);
    await expect.poll(async () => (await one.send('GET', `${ranges}/more`)).code, { timeout: 20_000 }).toBe(404);
  });

  test('every server is among the endpoints until it stops', async () => {
    const client = clientAt(0);
    const seen = async (): Promise<readonly string[]> => {
      const { subsets = [] } = (await client.send('GET', endpoints)).body as {
        subsets?: readonly { readonly addresses: readonly { readonly ip: string }[] }[];
      };
      const { endpoints: places = [] } = (await client.send('GET', slice)).body as {
        endpoints?: readonly { readonly addresses: readonly string[] }[];
      };
      const ips = subsets.flatMap((subset) => subset.addresses.map(({ ip }) => ip));
      expect(places.flatMap((place) => place.addresses)).toEqual(ips);
      return ips;
    };
    expect(await seen()).toEqual(['192.0.2.11', '192.0.2.12']);
    const third = await startOn('192.0.2.13');
    expect(await seen()).toEqual(['192.0.2.11', '192.0.2.12', '192.0.2.13']);
    await third[Symbol.asyncDispose]();
    expect(await seen()).toEqual(['192.0.2.11', '192.0.2.12']);
  });

  test('leftovers of a service lost in a crash are found', async () => {
    const client = clientAt(0);
    const labels = {
      'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      'ipaddress.kubernetes.io/ip-family': 'IPv4',
    };
    const parentRef = { group: 'example.com', resource: 'gateways', name: 'none' };
    const body = { metadata: { name: '10.7.0.99', labels }, spec: { parentRef } };
    expect((await client.send('POST', addresses, { body })).code).toBe(201);
    await expect
      .poll(async () => (await client.send('GET', `${addresses}/10.7.0.99`)).code, { timeout: 10_000 })
      .toBe(404);
    await expect
      .poll(async () => {
        const events = await listOf<{ reason: string; message: string }>('/api/v1/namespaces/default/events');
        return events.map(({ reason }) => reason);
      })
      .toContain('IPAddressNotAllocated');
  });

  test.skipIf(skipWithoutReference())(
    'kube-apiserver takes over allocations, and hands them back',
    async () => {
      const client = clientAt(0);
      const kept = { clusterIP: '10.7.1.1', ports: [{ port: 80, nodePort: 31_001 }] };
      expect((await client.send('POST', services, { body: service('ours', kept) })).code).toBe(201);
      const flags = ['--service-cluster-ip-range=10.7.0.0/20', '--advertise-address=192.0.2.14'];
      const reference = await startReference(etcd.url, flags);
      const there = await ApiClient.connect(reference);
      const theirs = { clusterIP: '10.7.1.2', ports: [{ port: 80, nodePort: 31_002 }] };
      expect((await there.send('POST', services, { body: service('theirs', theirs) })).code).toBe(201);
      const refusals = await Promise.all(
        [client, there].flatMap((each) =>
          [kept, theirs].flatMap(({ clusterIP, ports }) => [
            each.send('POST', services, { body: service('again', { clusterIP }) }),
            each.send('POST', services, { body: service('again', { ports }) }),
          ]),
        ),
      );
      const [ours, others] = [refusals.slice(0, 4), refusals.slice(4)].map((half) => half.map((answer) => answer.body));
      expect(ours).toEqual(others);
      expect(new Set(refusals.map((answer) => answer.code))).toEqual(new Set([422]));
      await expectNothingTwice();
      // Its endpoints are published shortly after it is ready.
      await expect
        .poll(async () => JSON.stringify((await client.send('GET', endpoints)).body), { timeout: 20_000 })
        .toContain('192.0.2.14');
      expect((await there.send('DELETE', `${services}/ours`)).code).toBe(200);
      expect((await client.send('DELETE', `${services}/theirs`)).code).toBe(200);
      await sleep(1_000);
      await expectNothingTwice();
      there[Symbol.dispose]();
      await reference[Symbol.asyncDispose]();
      // It does not remove itself: its lease expires.
      await expect
        .poll(async () => JSON.stringify((await client.send('GET', endpoints)).body), { timeout: 40_000 })
        .not.toContain('192.0.2.14');
    },
    90_000,
  );
});
