import { setTimeout as delay } from 'node:timers/promises';
import type { Access } from '../target.ts';
import { ClusterClient } from './cluster-client.ts';
import { users } from './components.ts';

export interface ClusterSize {
  readonly nodes: number;
  readonly pods: number;
}

/** A piece of a cluster's life. */
export interface Phase {
  readonly name: string;
  readonly run: (client: ClusterClient) => Promise<void>;
}

const idleSeconds = 20;
const web = 'bench-web';
const batch = 'bench-batch';
const deployment = `/apis/apps/v1/namespaces/${web}/deployments`;
const job = `/apis/batch/v1/namespaces/${batch}/jobs`;
const podsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;

export function phasesOf({ nodes, pods }: ClusterSize): readonly Phase[] {
  const ofJob = Math.ceil(pods / 4);
  return [
    { name: `${nodes} nodes ready`, run: (client) => makeNodes(client, { nodes, pods }) },
    { name: `a deployment of ${pods} pods available`, run: (client) => deploy(client, pods) },
    { name: 'rolled to another image', run: (client) => roll(client, pods) },
    { name: `a job of ${ofJob} pods`, run: (client) => runJob(client, ofJob) },
    { name: 'all deleted and collected', run: deleteAll },
    { name: `idle for ${idleSeconds} s`, run: () => delay(idleSeconds * 1000) },
  ];
}

/** What has to be there before the components are started; the bootstrap policy does not know kwok. */
export async function prepare(access: Access): Promise<void> {
  using client = new ClusterClient(access, () => undefined);
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const metadata = { name: users.kwok };
  const group = 'rbac.authorization.k8s.io';
  await client.write('POST', `${rbac}/clusterroles`, {
    metadata,
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  });
  await client.write('POST', `${rbac}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: users.kwok },
    subjects: [{ apiGroup: group, kind: 'User', name: users.kwok }],
  });
  for (const name of [web, batch]) await client.write('POST', '/api/v1/namespaces', { metadata: { name } });
}

/** Resolves when pods can be created: the controller manager makes the account that they run as. */
export async function accountsExist(client: ClusterClient): Promise<void> {
  for (const namespace of [web, batch]) {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
    await client.until(path, async () => (await client.find(path)) !== undefined);
  }
}

interface Node {
  readonly spec: { readonly taints?: readonly unknown[] };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Until none has a taint that keeps pods away. */
async function makeNodes(client: ClusterClient, { nodes, pods }: ClusterSize): Promise<void> {
  // An update has a quarter more beside them, and the job is another one.
  const room = String(Math.max(110, Math.ceil((pods * 2) / nodes)));
  const capacity = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: room };
  const names = Array.from({ length: nodes }, (_, index) => `bench-node-${index}`);
  await Promise.all(
    names.map((name) =>
      client.write('POST', '/api/v1/nodes', {
        metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
        status: { capacity, allocatable: capacity },
      }),
    ),
  );
  for (const name of names) {
    await client.until(`${name} is ready`, async () => {
      const node = await client.find<Node>(`/api/v1/nodes/${name}`);
      const isReady = node?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
      return isReady === true && (node?.spec.taints ?? []).length === 0;
    });
  }
}

function containers(image: string): readonly object[] {
  const resources = { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '128Mi' } };
  const env = [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'GREETING', value: 'hello' },
  ];
  const readinessProbe = { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 5 };
  return [{ name: 'main', image, ports: [{ name: 'http', containerPort: 8080 }], env, resources, readinessProbe }];
}

async function deploy(client: ClusterClient, replicas: number): Promise<void> {
  const labels = { app: 'web', tier: 'frontend' };
  await client.write('POST', deployment, {
    metadata: { name: 'web', labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: containers('registry.example.com/web:1.0.0') } },
    },
  });
  await available(client, replicas);
}

async function roll(client: ClusterClient, replicas: number): Promise<void> {
  const image = 'registry.example.com/web:1.1.0';
  const spec = { template: { spec: { containers: [{ name: 'main', image }] } } };
  await client.write('PATCH', `${deployment}/web`, { spec });
  await available(client, replicas);
}

/** Until there are these pods, all of the current template, and no others. */
async function available(client: ClusterClient, replicas: number): Promise<void> {
  interface Deployment {
    readonly metadata: { readonly generation: number };
    readonly status: { readonly [field: string]: unknown };
  }
  await client.until('the deployment is available', async () => {
    const found = await client.find<Deployment>(`${deployment}/web`);
    if (found?.status['observedGeneration'] !== found?.metadata.generation) return false;
    const counts = ['replicas', 'updatedReplicas', 'availableReplicas'].map((field) => found?.status[field]);
    return counts.every((count) => count === replicas) && (await client.count(podsOf(web))) === replicas;
  });
}

async function runJob(client: ClusterClient, completions: number): Promise<void> {
  const labels = { app: 'batch' };
  const spec = { containers: containers('registry.example.com/batch:1.0.0'), restartPolicy: 'Never' };
  await client.write('POST', job, {
    metadata: { name: 'batch', labels },
    spec: { completions, parallelism: completions, template: { metadata: { labels }, spec } },
  });
  await client.until('the job is complete', async () => {
    const found = await client.find<{ readonly status?: { readonly completionTime?: string } }>(`${job}/batch`);
    return found?.status?.completionTime !== undefined;
  });
}

async function deleteAll(client: ClusterClient): Promise<void> {
  const inBackground = { propagationPolicy: 'Background' };
  await client.write('DELETE', `${deployment}/web`, inBackground);
  await client.write('DELETE', `${job}/batch`, inBackground);
  const collections = [podsOf(web), podsOf(batch), `/apis/apps/v1/namespaces/${web}/replicasets`, job, deployment];
  for (const path of collections) {
    await client.until(`nothing is left of ${path}`, async () => (await client.count(path)) === 0);
  }
}
