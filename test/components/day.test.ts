import { Agent, request } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { adminTls } from '../server-fixture.ts';
import { type Cluster, startCluster, users } from './cluster.ts';
import { skipWithoutPrograms } from './programs.ts';

const opened = new AsyncDisposableStack();
let cluster: Cluster;

const waiting = { timeout: 60_000, interval: 200 };
const core = '/api/v1/namespaces/day';
const apps = '/apis/apps/v1/namespaces/day';
const slices = '/apis/discovery.k8s.io/v1/namespaces/day/endpointslices';

interface Pod {
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly phase: string };
}

interface Slice {
  readonly endpoints?: readonly { readonly conditions: { readonly ready: boolean } }[];
}

async function make(path: string, body: object): Promise<void> {
  const { code, body: answer } = await cluster.admin.send('POST', path, { body });
  expect(code, JSON.stringify(answer)).toBe(201);
}

async function merge(path: string, body: object): Promise<void> {
  const contentType = 'application/merge-patch+json';
  expect((await cluster.admin.send('PATCH', path, { body, contentType })).code).toBe(200);
}

async function items<T>(path: string): Promise<readonly T[]> {
  const { body } = await cluster.admin.send('GET', path);
  return (body['items'] ?? []) as unknown as readonly T[]; // of the kind that the path names
}

/** Pods that run on nodes, and endpoints that are ready. */
async function running(): Promise<{ readonly pods: number; readonly endpoints: number }> {
  const pods = await items<Pod>(`${core}/pods`);
  const endpoints = (await items<Slice>(slices)).flatMap((slice) => slice.endpoints ?? []);
  return {
    pods: pods.filter(({ spec, status }) => spec.nodeName !== undefined && status.phase === 'Running').length,
    endpoints: endpoints.filter(({ conditions }) => conditions.ready).length,
  };
}

function template(image: string): JsonObject {
  const ports = [{ containerPort: 80 }];
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image, ports }] } };
}

/** What the program says to somebody who shows these credentials. */
async function ask(url: string, path: string, headers: { readonly [name: string]: string } = {}): Promise<number> {
  const tls = await adminTls(cluster.kubeconfigPath);
  const agent = new Agent({ ...tls, rejectUnauthorized: false });
  const shown = headers['authorization'] === undefined ? { agent } : { rejectUnauthorized: false };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const call = request(`${url}${path}`, { ...shown, headers }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  call.on('error', reject);
  call.end();
  try {
    return await promise;
  } finally {
    agent.destroy();
  }
}

async function refusals(): Promise<readonly string[]> {
  const metrics = await cluster.admin.text('/metrics');
  const attempts = /^(?:authentication_attempts|authorization_attempts_total)\{result="(?!success|allowed)/;
  return metrics.split('\n').filter((line) => attempts.test(line));
}

describe.skipIf(skipWithoutPrograms())(
  'a day of a cluster whose parts have no right beyond the bootstrap policy',
  () => {
    beforeAll(async () => {
      cluster = opened.use(await startCluster());
    }, 120_000);

    afterAll(() => opened.disposeAsync());

    test('a namespace gets an account and the authority of the server', { timeout: 120_000 }, async () => {
      await make('/api/v1/namespaces', { metadata: { name: 'day' } });
      const has = async (path: string): Promise<number> => (await cluster.admin.send('GET', `${core}/${path}`)).code;
      await expect.poll(() => has('serviceaccounts/default'), waiting).toBe(200);
      await expect.poll(() => has('configmaps/kube-root-ca.crt'), waiting).toBe(200);
    });

    test('a deployment becomes pods that run, and endpoints', { timeout: 120_000 }, async () => {
      const capacity = { cpu: '8', memory: '64Gi', pods: '110' };
      for (const name of ['n1', 'n2']) {
        await make('/api/v1/nodes', { metadata: { name }, status: { allocatable: capacity, capacity } });
      }
      await make(`${core}/services`, {
        metadata: { name: 'web' },
        spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
      });
      const selector = { matchLabels: { app: 'web' } };
      await make(`${apps}/deployments`, {
        metadata: { name: 'web' },
        spec: { replicas: 3, selector, template: template('web:1') },
      });
      await expect.poll(running, waiting).toEqual({ pods: 3, endpoints: 3 });
    });

    test('it is scaled, and rolled over to another image', { timeout: 180_000 }, async () => {
      await merge(`${apps}/deployments/web/scale`, { spec: { replicas: 5 } });
      await expect.poll(running, waiting).toEqual({ pods: 5, endpoints: 5 });
      await merge(`${apps}/deployments/web`, { spec: { template: template('web:2') } });
      const available = async (): Promise<unknown> => {
        const { body } = await cluster.admin.send('GET', `${apps}/deployments/web`);
        const { updatedReplicas, availableReplicas, replicas } = body['status'] as JsonObject;
        return { updatedReplicas, availableReplicas, replicas };
      };
      await expect.poll(available, waiting).toEqual({ updatedReplicas: 5, availableReplicas: 5, replicas: 5 });
      await expect.poll(running, waiting).toEqual({ pods: 5, endpoints: 5 });
    });

    test('the programs know users as the server does', { timeout: 60_000 }, async () => {
      for (const url of Object.values(cluster.urls)) {
        expect(await ask(url, '/healthz')).toBe(200);
        await expect.poll(() => ask(url, '/metrics'), waiting).toBe(200);
        expect(await ask(url, '/metrics', { authorization: 'Bearer nobody' })).toBe(401);
        const path = `${core}/serviceaccounts/default/token`;
        const { body } = await cluster.admin.send('POST', path, { body: { spec: {} } });
        const { token } = body['status'] as { readonly token: string };
        expect(await ask(url, '/metrics', { authorization: `Bearer ${token}` })).toBe(403);
      }
    });

    test('what is deleted goes with all that it had', { timeout: 120_000 }, async () => {
      await cluster.admin.send('DELETE', `${apps}/deployments/web`, { body: { propagationPolicy: 'Foreground' } });
      await expect.poll(running, waiting).toEqual({ pods: 0, endpoints: 0 });
      // A namespace that is going refuses new objects.
      expect(await refusals()).toEqual([]);
      await cluster.admin.send('DELETE', '/api/v1/namespaces/day');
      await expect.poll(async () => (await cluster.admin.send('GET', core)).code, waiting).toBe(404);
    });

    test.each(Object.keys(users))('%s was refused nothing', (name) => {
      const program = cluster.programs.find((each) => each.name === name);
      expect(program?.isRunning).toBe(true);
      expect(program?.lines(/User \S+ cannot /)).toEqual([]);
    });
  },
);
