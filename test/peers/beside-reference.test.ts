import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeKubeconfig } from '../../src/authentication/pki/kubeconfig.ts';
import { ApiClient } from '../api-client.ts';
import { EtcdProcess } from '../etcd-process.ts';
import { writeKubeadmPki } from '../kubeadm/kubeadm-pki.ts';
import { skipWithoutReference } from '../reference-server.ts';
import { onEtcd, startTestServer } from '../server-fixture.ts';
import { lacking } from './lacking.ts';
import { type LackingServer, startReferenceLacking } from './reference-lacking.ts';

const scalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const scaler = {
  metadata: { name: 'web' },
  spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
};
const job = {
  metadata: { name: 'once' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
};

describe.skipIf(skipWithoutReference())('Binnacle and kube-apiserver on one store that serve different APIs', () => {
  let folder: string;
  let etcd: EtcdProcess;
  let servers: LackingServer[] = [];
  let own: ApiClient;
  let reference: ApiClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-peers-'));
    const pki = join(folder, 'pki');
    await writeKubeadmPki(pki);
    etcd = await EtcdProcess.start();
    servers = [
      await startReferenceLacking('batch/v1', etcd.url, pki),
      await startTestServer({}, onEtcd(etcd.url), { config: lacking('autoscaling/v2', 'one', pki) }),
    ];
    const read = (name: string): Promise<string> => readFile(join(pki, name), 'utf8');
    const [authority, certificate, key] = await Promise.all([read('ca.crt'), read('admin.crt'), read('admin.key')]);
    const kubeconfigPath = join(folder, 'kubeconfig');
    const user = { certificate, key };
    await writeKubeconfig({ path: kubeconfigPath, serverUrl: 'https://localhost', authority, user });
    reference = await connected(servers[0]?.url ?? '', kubeconfigPath);
    own = await connected(servers[1]?.url ?? '', kubeconfigPath);
  }, 180_000);

  async function connected(url: string, kubeconfigPath: string): Promise<ApiClient> {
    for (;;) {
      try {
        return await ApiClient.connect({ url, kubeconfigPath });
      } catch {
        await sleep(500);
      }
    }
  }

  afterAll(async () => {
    for (const client of [own, reference]) client?.[Symbol.dispose]();
    for (const server of servers) await server[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  test('each passes on to the other what it does not serve', { timeout: 180_000 }, async () => {
    const code = async (client: ApiClient, path: string): Promise<number> => (await client.send('GET', path)).code;
    await expect.poll(() => code(own, scalers), { timeout: 60_000, interval: 500 }).toBe(200);
    await expect.poll(() => code(reference, jobs), { timeout: 60_000, interval: 500 }).toBe(200);
    for (const [passing, serving, path, body] of [
      [own, reference, scalers, scaler],
      [reference, own, jobs, job],
    ] as const) {
      const made = await passing.send('POST', path, { body });
      expect(made.code).toBe(201);
      const read = await passing.send('GET', `${path}/${body.metadata.name}`);
      expect(read.code).toBe(200);
      expect(read.body).toEqual((await serving.send('GET', `${path}/${body.metadata.name}`)).body);
      // Of the server that answers, with the user who asked.
      const refused = await passing.send('POST', path, { body: { metadata: { name: 'Not valid' } } });
      expect(refused).toMatchObject({ code: 422, body: { reason: 'Invalid' } });
      const headers = { 'impersonate-user': 'nobody' };
      expect(await passing.send('GET', path, { headers })).toMatchObject({ code: 403, body: { reason: 'Forbidden' } });
      expect((await passing.send('DELETE', `${path}/${body.metadata.name}`)).code).toBe(200);
      // What has been passed on is not passed on again.
      const passed = { headers: { 'x-kubernetes-peer-proxied': 'true' } };
      expect((await passing.exchange('GET', path, passed)).code).toBe(404);
    }
  });

  test('both list in discovery what either serves', async () => {
    const headers = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
    for (const client of [own, reference]) {
      const { body } = await client.send('GET', '/apis', { headers });
      const items = body['items'] as { metadata: { name: string }; versions: { version: string }[] }[];
      const versionsOf = (group: string): readonly string[] | undefined =>
        items.find(({ metadata }) => metadata.name === group)?.versions.map(({ version }) => version);
      expect(versionsOf('autoscaling')).toEqual(['v2', 'v1']);
      expect(versionsOf('batch')).toContain('v1');
    }
  });
});
