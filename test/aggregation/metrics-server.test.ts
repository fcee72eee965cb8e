import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { freePort } from '../free-port.ts';
import { type HttpsServer, startHttpsServer } from '../https-server.ts';
import { Kubectl, kubectlPath } from '../kubectl/kubectl.ts';
import { Program } from '../program.ts';
import { startFront } from './front-server.ts';

// metrics-server, as .ci/install-components builds it.
const path = join(
  process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference'),
  'metrics-server',
);
const isMissing = !existsSync(path) || kubectlPath === undefined;
if (isMissing && process.env['CI'] === 'true') throw new Error(`there is no ${path} or kubectl`);

/** It computes the use of processors from two rounds. */
const patience = { timeout: 60_000, interval: 500 };

describe.skipIf(isMissing)('metrics-server behind this server', () => {
  const opened = new AsyncDisposableStack();
  const kubectl = new Kubectl('default');
  let client: ApiClient;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-metrics-server-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const server = opened.use(await startFront());
    kubectl.server = server;
    client = opened.use(await ApiClient.connect(server));
    const kubelet = opened.use(await startKubelet(folder));
    const port = await freePort();
    await makeNode(client, Number(new URL(kubelet.url).port));
    const kubeconfigs = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'];
    opened.use(
      new Program({
        name: 'metrics-server',
        path,
        folder,
        args: [
          ...kubeconfigs.map((name) => `--${name}=${server.kubeconfigPath}`),
          '--bind-address=127.0.0.1',
          `--secure-port=${port}`,
          `--cert-dir=${join(folder, 'pki')}`,
          '--kubelet-use-node-status-port',
          '--kubelet-insecure-tls',
          '--metric-resolution=10s',
          '--kubelet-preferred-address-types=InternalIP',
          '--kubelet-request-timeout=5s',
        ],
      }),
    );
    await register(client, port);
  }, 60_000);

  afterAll(() => opened.disposeAsync());

  test('kubectl top shows what the kubelet says', { timeout: 90_000 }, async () => {
    const top = async (what: string): Promise<string> => (await kubectl.words(['top', what, '--no-headers'])).trim();
    const shown = async (what: string): Promise<string> => await top(what).catch(() => '');
    // Half a core of the two, and 512 MiB of the 4 GiB.
    await expect.poll(() => shown('node'), patience).toMatch(/^one +(49\d|50\d)m +(24|25)% +512Mi +12% *$/);
    await expect.poll(() => shown('pod'), patience).toMatch(/^web +(24\d|25\d)m +64Mi *$/);
    expect(await kubectl.run`get apiservices v1beta1.metrics.k8s.io --no-headers`).toMatch(
      /kube-system\/metrics +True/,
    );
  });
});

const startedMs = Date.now();

/** A kubelet with one pod, which has used a quarter of a core since its start. */
async function startKubelet(folder: string): Promise<HttpsServer> {
  return await startHttpsServer({ folder: join(folder, 'kubelet') }, (request, response) => {
    if (request.url !== '/metrics/resource') {
      response.writeHead(404).end();
      return;
    }
    const now = Date.now();
    const seconds = (now - startedMs) / 1000 + 60;
    const start = startedMs / 1000 - 60;
    const of = '{container="web",namespace="default",pod="web"}';
    const lines = [
      `node_cpu_usage_seconds_total ${seconds / 2} ${now}`,
      `node_memory_working_set_bytes ${512 * 1024 * 1024} ${now}`,
      `container_cpu_usage_seconds_total${of} ${seconds / 4} ${now}`,
      `container_memory_working_set_bytes${of} ${64 * 1024 * 1024} ${now}`,
      `container_start_time_seconds${of} ${start}`,
    ];
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(`${lines.join('\n')}\n`);
  });
}

async function makeNode(client: ApiClient, port: number): Promise<void> {
  const resources = { cpu: '2', memory: '4Gi', pods: '10' };
  const status = {
    capacity: resources,
    allocatable: resources,
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    conditions: [{ type: 'Ready', status: 'True' }],
  };
  const node = await client.send('POST', '/api/v1/nodes', { body: { metadata: { name: 'one' }, status } });
  expect(node.code).toBe(201);
  const spec = { nodeName: 'one', containers: [{ name: 'web', image: 'web' }] };
  const pod = { metadata: { name: 'web' }, spec };
  const pods = '/api/v1/namespaces/default/pods';
  expect((await client.send('POST', pods, { body: pod })).code).toBe(201);
  // Others have no metrics.
  const running = { body: { status: { phase: 'Running' } }, contentType: 'application/merge-patch+json' };
  expect((await client.send('PATCH', `${pods}/web/status`, running)).code).toBe(200);
}

async function register(client: ApiClient, port: number): Promise<void> {
  const service = { metadata: { name: 'metrics' }, spec: { type: 'ExternalName', externalName: 'localhost' } };
  const services = '/api/v1/namespaces/kube-system/services';
  expect((await client.send('POST', services, { body: service })).code).toBe(201);
  const [group, version] = ['metrics.k8s.io', 'v1beta1'];
  const apiService = {
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { namespace: 'kube-system', name: 'metrics', port },
    },
  };
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  expect((await client.send('POST', path, { body: apiService })).code).toBe(201);
}
