import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { writeKubeconfig } from '../../src/authentication/pki/kubeconfig.ts';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { writeKubeadmPki } from '../kubeadm/kubeadm-pki.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';
import { lacking } from './lacking.ts';

const horizontal = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const scaler = {
  metadata: { name: 'web' },
  spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
};
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describeWithEtcd('servers of one store that serve different APIs', () => {
  let folder: string;
  let etcd: EtcdProcess;
  let servers: TestServer[];
  let clients: ApiClient[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-peers-'));
    const pki = join(folder, 'pki');
    await writeKubeadmPki(pki);
    etcd = await EtcdProcess.start();
    const start = (version: string, hostName: string): Promise<TestServer> =>
      startTestServer({}, onEtcd(etcd.url), { config: lacking(version, hostName, pki) });
    servers = [await start('autoscaling/v2', 'one'), await start('batch/v1', 'two')];
    const read = (name: string): Promise<string> => readFile(join(pki, name), 'utf8');
    const [authority, certificate, key] = await Promise.all([read('ca.crt'), read('admin.crt'), read('admin.key')]);
    const path = join(folder, 'kubeconfig');
    await writeKubeconfig({ path, serverUrl: 'https://localhost', authority, user: { certificate, key } });
    clients = await Promise.all(servers.map(({ url }) => ApiClient.connect({ url, kubeconfigPath: path })));
  });

  afterAll(async () => {
    for (const client of clients ?? []) client[Symbol.dispose]();
    for (const server of servers ?? []) await server[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  test('pass requests on to each other', async () => {
    const [one, two] = clients;
    if (one === undefined || two === undefined) throw new Error('there are two');
    await expect.poll(async () => (await one.send('GET', horizontal)).code, { timeout: 60_000 }).toBe(200);
    await expect.poll(async () => (await two.send('GET', jobs)).code, { timeout: 60_000 }).toBe(200);
    const made = await one.send('POST', horizontal, { body: scaler });
    expect([made.code, made.body['kind']]).toEqual([201, 'HorizontalPodAutoscaler']);
    expect((await two.send('GET', `${horizontal}/web`)).code).toBe(200);
    expect(await one.text('/metrics')).toContain(
      'apiserver_rerouted_request_total{code="201",group="autoscaling",resource="horizontalpodautoscalers",version="v2"} 1',
    );
  });

  test('watch through each other', async () => {
    const [one, two] = clients;
    for await (const { type, object } of one?.watch(`${horizontal}?watch=1`) ?? []) {
      expect([type, (object['metadata'] as JsonObject)['name']]).toEqual(['ADDED', 'web']);
      break;
    }
    expect((await two?.send('DELETE', `${horizontal}/web`))?.code).toBe(200);
  });

  test('do not pass on what has been passed on', async () => {
    const headers = { 'x-kubernetes-peer-proxied': 'true' };
    expect((await clients[0]?.send('GET', horizontal, { headers }))?.code).toBe(404);
    expect((await clients[0]?.send('GET', '/apis/autoscaling/v7/namespaces/default/pods'))?.code).toBe(404);
  });

  test('list in discovery what others serve, unless only their own is asked for', async () => {
    const versionsOf = async (accept: string): Promise<unknown> => {
      const answer = await clients[0]?.send('GET', '/apis', { headers: { accept } });
      const items = answer?.body['items'] as { metadata: { name: string }; versions: { version: string }[] }[];
      return items.find(({ metadata }) => metadata.name === 'autoscaling')?.versions.map(({ version }) => version);
    };
    expect(await versionsOf(aggregated)).toEqual(['v2', 'v1']);
    expect(await versionsOf(`${aggregated};profile=nopeer`)).toEqual(['v1']);
  });

  test('list it in the documents of groups as well, as kube-apiserver does', async () => {
    const [one, two] = clients;
    const around = async (client: ApiClient | undefined): Promise<readonly unknown[]> => {
      const answer = await client?.send('GET', '/apis');
      const groups = answer?.body['groups'] as { name: string; versions: { version: string }[] }[];
      const at = groups.findIndex(({ name }) => name === 'autoscaling');
      return groups.slice(at, at + 2).map(({ name, versions }) => [name, ...versions.map(({ version }) => version)]);
    };
    expect((await around(one))[0]).toEqual(['autoscaling', 'v2', 'v1']);
    expect(await around(two)).toEqual([
      ['autoscaling', 'v2', 'v1'],
      ['batch', 'v1'],
    ]);
    const autoscaling = await one?.send('GET', '/apis/autoscaling');
    expect(autoscaling?.body).toMatchObject({
      versions: [{ groupVersion: 'autoscaling/v2' }, { groupVersion: 'autoscaling/v1' }],
      preferredVersion: { version: 'v2' },
    });
    const batch = await two?.send('GET', '/apis/batch');
    expect([batch?.code, batch?.body['preferredVersion']]).toEqual([200, { groupVersion: 'batch/v1', version: 'v1' }]);
  });
});
