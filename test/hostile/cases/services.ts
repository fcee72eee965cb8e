import { setTimeout as sleep } from 'node:timers/promises';
import type { HostileCase } from '../hostile-case.ts';
import type { HostileClient, HostileRequest, Reply } from '../hostile-client.ts';
import { create } from './many-objects.ts';

const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const namespaceOf = (name: string): HostileRequest => ({
  path: '/api/v1/namespaces',
  body: JSON.stringify({ metadata: { name } }),
});
const inNamespace = (namespace: string, plural: string, api = 'api/v1'): string =>
  `/${api}/namespaces/${namespace}/${plural}`;
const slices = (namespace: string): string => inNamespace(namespace, 'endpointslices', 'apis/discovery.k8s.io/v1');

/** Pods that run, as far as their status tells. */
async function runningPods(client: HostileClient, namespace: string, count: number): Promise<void> {
  const path = inNamespace(namespace, 'pods');
  const labels = { app: 'a' };
  await create(client, count, (index) => ({
    path,
    body: JSON.stringify({
      metadata: { name: `p${index}`, labels },
      spec: { nodeName: 'n', containers: [{ name: 'a', image: 'a', ports: [{ name: 'http', containerPort: 80 }] }] },
    }),
  }));
  const status = (index: number): object => ({
    phase: 'Running',
    podIPs: [{ ip: `10.1.${index >> 8}.${index & 255}` }],
    podIP: `10.1.${index >> 8}.${index & 255}`,
    conditions: [{ type: 'Ready', status: 'True' }],
  });
  await Promise.all(
    many(count, (index) =>
      client.send({
        method: 'PATCH',
        path: `${path}/p${index}/status`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ status: status(index) }),
      }),
    ),
  );
}

/** Waits until the controllers have written as many objects, or a while. */
async function settle(client: HostileClient, path: string, count: number, forMs = 15_000): Promise<Reply> {
  for (const end = Date.now() + forMs; ; await sleep(200)) {
    const reply = await client.send({ method: 'GET', path: `${path}?limit=${count}`, headers: partial });
    const found = reply.text.split('"uid":').length - 1;
    if (found >= Math.min(count, 3) || Date.now() > end) return reply;
  }
}

const partial = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };

const portsOf = (count: number, target: (index: number) => number | string): readonly object[] =>
  many(count, (index) => ({ name: `p${index}`, port: index + 1, protocol: 'TCP', targetPort: target(index) }));

function portsCase(name: string, pods: number, ports: () => readonly object[]): HostileCase {
  const namespace = `ports-${name.replaceAll(/[^a-z0-9]+/g, '-')}`;
  return {
    name: `services: ${name}`,
    bodyBytes: 3_000_000,
    // The controllers write their objects of megabytes at once.
    boundMs: 250,
    codes: [200, 201, 409],
    async prepare(client) {
      await client.send(namespaceOf(namespace));
      await client.send({ path: '/api/v1/nodes', body: JSON.stringify({ metadata: { name: 'n' } }) });
      await runningPods(client, namespace, pods);
    },
    async send(client) {
      const spec = { selector: { app: 'a' }, ports: ports(), clusterIP: 'None' };
      const path = inNamespace(namespace, 'services');
      const made = await client.send({ path, body: JSON.stringify({ metadata: { name: 's' }, spec }) });
      const reply = await settle(client, slices(namespace), 1);
      await settle(client, inNamespace(namespace, 'endpoints'), 1);
      await sleep(3_000);
      return [made, reply, await client.send({ method: 'DELETE', path: `${path}/s` })];
    },
  };
}

/** Services with as many ports, pods, or others of their kind as may be. */
export const serviceCases: readonly HostileCase[] = [
  portsCase('8,000 ports of 10 pods', 10, () => portsOf(8_000, (index) => index + 1)),
  portsCase('8,000 ports of 200 pods', 200, () => portsOf(8_000, (index) => index + 1)),
  portsCase('8,000 names of a port of 200 pods', 200, () => portsOf(8_000, () => 'http')),
  portsCase('one port of 2,000 pods', 2_000, () => portsOf(1, () => 80)),
  {
    name: 'services: 2,000 services of the same 300 pods',
    // Of the slices, and of what the controllers know of them.
    bodyBytes: 30_000_000,
    codes: [200, 201, 409],
    async prepare(client) {
      await client.send(namespaceOf('crowded'));
      await client.send({ path: '/api/v1/nodes', body: JSON.stringify({ metadata: { name: 'n' } }) });
      await runningPods(client, 'crowded', 300);
    },
    async send(client) {
      const spec = { selector: { app: 'a' }, ports: [{ port: 1 }], clusterIP: 'None' };
      const path = inNamespace('crowded', 'services');
      await create(client, 2_000, (index) => ({
        path,
        body: JSON.stringify({ metadata: { name: `s${index}` }, spec }),
      }));
      const reply = await settle(client, slices('crowded'), 2_000);
      const relabel = JSON.stringify({ metadata: { labels: { app: 'b' } } });
      const headers = { 'content-type': 'application/merge-patch+json' };
      const moved = await client.send({
        method: 'PATCH',
        path: `${inNamespace('crowded', 'pods')}/p1`,
        headers,
        body: relabel,
      });
      await sleep(5_000);
      return [reply, moved];
    },
  },
  {
    name: 'services: 300 slices of 1,000 endpoints in one namespace',
    bodyBytes: 60_000_000,
    codes: [200, 201, 409],
    async prepare(client) {
      await client.send(namespaceOf('sliced'));
      const spec = { ports: [{ port: 1 }], clusterIP: 'None' };
      await client.send({
        path: inNamespace('sliced', 'services'),
        body: JSON.stringify({ metadata: { name: 's' }, spec }),
      });
    },
    async send(client) {
      const labels = {
        'kubernetes.io/service-name': 's',
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      };
      const endpoints = many(1_000, (index) => ({ addresses: [`10.1.${index >> 8}.${index & 255}`] }));
      await create(client, 300, (index) => ({
        path: slices('sliced'),
        body: JSON.stringify({
          metadata: { name: `e${index}`, labels },
          addressType: 'IPv4',
          endpoints,
          ports: [{ port: index + 1 }],
        }),
      }));
      await sleep(3_000);
      return [await client.send({ method: 'DELETE', path: slices('sliced') })];
    },
  },
  {
    name: 'services: Endpoints of 10,000 addresses on 20 ports are mirrored',
    bodyBytes: 3_000_000,
    // The controllers write their objects of megabytes at once.
    boundMs: 250,
    codes: [200, 201, 409],
    async prepare(client) {
      await client.send(namespaceOf('mirrored'));
      const spec = { ports: [{ port: 1 }], clusterIP: 'None' };
      await client.send({
        path: inNamespace('mirrored', 'services'),
        body: JSON.stringify({ metadata: { name: 's' }, spec }),
      });
    },
    async send(client) {
      const addresses = many(10_000, (index) => ({ ip: `10.1.${index >> 8}.${index & 255}` }));
      const ports = many(20, (index) => ({ name: `p${index}`, port: index + 1 }));
      const path = inNamespace('mirrored', 'endpoints');
      const made = await client.send({
        path,
        body: JSON.stringify({ metadata: { name: 's' }, subsets: [{ addresses, ports }] }),
      });
      const reply = await settle(client, slices('mirrored'), 1);
      return [made, reply, await client.send({ method: 'DELETE', path: `${path}/s` })];
    },
  },
];
