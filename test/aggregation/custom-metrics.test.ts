import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { programs } from '../components/programs.ts';
import { freePort } from '../free-port.ts';
import { Kubectl, kubectlPath } from '../kubectl/kubectl.ts';
import { Program } from '../program.ts';
import type { TestServer } from '../server-fixture.ts';
import { startFront } from './front-server.ts';

// The adapter of sigs.k8s.io/custom-metrics-apiserver, as .ci/install-components builds it.
const adapter = join(
  process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference'),
  'test-adapter',
);
const manager = programs['kube-controller-manager'];
const isMissing = ![adapter, manager].every(existsSync) || kubectlPath === undefined;
if (isMissing && process.env['CI'] === 'true') throw new Error(`there is no ${adapter}, ${manager} or kubectl`);

/** Where the adapter is told metrics; it cannot be chosen. */
const metricsUrl = 'http://127.0.0.1:8080/write-metrics';
const groups = {
  'custom.metrics.k8s.io': ['v1beta1', 'v1beta2'],
  'external.metrics.k8s.io': ['v1beta1'],
} as const;
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const autoscalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const patience = { timeout: 30_000, interval: 100 };

describe.skipIf(isMissing)('an adapter of custom metrics behind this server', () => {
  const opened = new AsyncDisposableStack();
  const kubectl = new Kubectl('default');
  let server: TestServer;
  let client: ApiClient;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-metrics-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    server = opened.use(await startFront());
    kubectl.server = server;
    client = opened.use(await ApiClient.connect(server));
    const port = await freePort();
    const { kubeconfigPath } = server;
    const kubeconfigs = ['lister-kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'];
    const program = opened.use(
      new Program({
        name: 'test-adapter',
        path: adapter,
        folder,
        args: [
          ...kubeconfigs.map((name) => `--${name}=${kubeconfigPath}`),
          '--bind-address=127.0.0.1',
          `--secure-port=${port}`,
          `--cert-dir=${join(folder, 'pki')}`,
        ],
      }),
    );
    opened.use(
      new Program({
        name: 'kube-controller-manager',
        path: manager,
        folder,
        args: [
          `--kubeconfig=${kubeconfigPath}`,
          '--leader-elect=false',
          '--secure-port=0',
          '--controllers=horizontal-pod-autoscaler-controller',
          '--horizontal-pod-autoscaler-sync-period=1s',
        ],
      }),
    );
    await register(client, port);
    for (const endMs = performance.now() + 60_000; !(await served(client)); await sleep(100)) {
      if (!program.isRunning || performance.now() > endMs) throw new Error(program.lines(/./).slice(-10).join('\n'));
    }
  }, 90_000);

  afterAll(() => opened.disposeAsync());

  test('its metrics are read through this server', async () => {
    const written = await fetch(`${metricsUrl}/namespaces/default/services/kubernetes/packets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '"300"',
    });
    expect(written.status, await written.text()).toBe(200);
    const path = '/apis/custom.metrics.k8s.io/v1beta2/namespaces/default/services/kubernetes/packets';
    expect(JSON.parse(await kubectl.run`get --raw ${path}`)).toMatchObject({
      kind: 'MetricValueList',
      items: [{ describedObject: { kind: 'Service', name: 'kubernetes' }, metric: { name: 'packets' }, value: '300' }],
    });
    const external = '/apis/external.metrics.k8s.io/v1beta1/namespaces/default/my-external-metric';
    expect(JSON.parse(await kubectl.run`get --raw ${external}`)).toMatchObject({
      items: [{ value: '42' }, { value: '43' }],
    });
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const discovered = async (): Promise<string> =>
      (await client.exchange('GET', '/apis', { headers: { accept } })).text;
    // As with kube-apiserver: the aggregated discovery of the adapter leaves its groups out.
    const listed =
      '{"metadata":{"name":"custom.metrics.k8s.io"},"versions":[{"version":"v1beta2","freshness":"Current"}';
    await expect.poll(discovered, patience).toContain(listed);
  });

  test.each([
    {
      name: 'custom',
      metric: {
        type: 'Object',
        object: {
          describedObject: { apiVersion: 'v1', kind: 'Service', name: 'kubernetes' },
          metric: { name: 'packets' },
          target: { type: 'AverageValue', averageValue: '100' },
        },
      },
      replicas: 3,
    },
    {
      name: 'external',
      metric: {
        type: 'External',
        external: {
          metric: { name: 'my-external-metric', selector: { matchLabels: { foo: 'bar' } } },
          target: { type: 'AverageValue', averageValue: '21' },
        },
      },
      replicas: 2,
    },
  ])('an autoscaler follows $name metrics', { timeout: 60_000 }, async ({ name, metric, replicas }) => {
    await make(client, deployments, deployment(name));
    await make(client, autoscalers, {
      metadata: { name },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        minReplicas: 1,
        maxReplicas: 10,
        metrics: [metric],
      },
    });
    const bodyOf = async (path: string): Promise<JsonObject> => (await client.send('GET', `${path}/${name}`)).body;
    await expect.poll(() => bodyOf(deployments), patience).toMatchObject({ spec: { replicas } });
    const active = { type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound' };
    const conditions = expect.arrayContaining([expect.objectContaining(active)]) as object;
    await expect
      .poll(() => bodyOf(autoscalers), patience)
      .toMatchObject({ status: { desiredReplicas: replicas, conditions } });
  });
});

function deployment(app: string): JsonObject {
  const labels = { app };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  return { metadata: { name: app }, spec: { replicas: 1, selector: { matchLabels: labels }, template } };
}

async function served(client: ApiClient): Promise<boolean> {
  const paths = Object.entries(groups).flatMap(([group, versions]) => versions.map((each) => `/apis/${group}/${each}`));
  const answers = await Promise.all(paths.map((path) => client.exchange('GET', path, {})));
  return answers.every(({ code }) => code === 200);
}

async function register(client: ApiClient, port: number): Promise<void> {
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  await make(client, '/api/v1/namespaces/default/services', { metadata: { name: 'adapter' }, spec });
  for (const [group, versions] of Object.entries(groups)) {
    for (const version of versions) {
      const service = { namespace: 'default', name: 'adapter', port };
      const priorities = { groupPriorityMinimum: 100, versionPriority: 100 };
      await make(client, '/apis/apiregistration.k8s.io/v1/apiservices', {
        metadata: { name: `${version}.${group}` },
        spec: { group, version, ...priorities, service, insecureSkipTLSVerify: true },
      });
    }
  }
}

async function make(client: ApiClient, path: string, body: JsonObject): Promise<void> {
  const answer = await client.send('POST', path, { body });
  expect(answer.code, JSON.stringify(answer.body)).toBe(201);
}
