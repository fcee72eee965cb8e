import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient, linesOf } from '../api-client.ts';
import { adminTls } from '../server-fixture.ts';
import { type AggregatedServer, startAggregatedServer } from './aggregated-server.ts';
import { group } from './extension-server.ts';

const base = `/apis/${group}/v1`;

describe('requests for another server', () => {
  let aggregated: AggregatedServer;

  beforeAll(async () => {
    aggregated = await startAggregatedServer({ requests: { ...configDefaults.requests, timeoutMs: 2_000 } });
  }, 30_000);

  afterAll(() => aggregated?.[Symbol.asyncDispose]());

  test('leave HTTP with it', async () => {
    const { server } = aggregated;
    const { hostname, port } = new URL(server.url);
    const tls = await adminTls(server.kubeconfigPath);
    const socket = connect({ host: hostname, port: Number(port), ...tls, ALPNProtocols: ['http/1.1'] });
    await once(socket, 'secureConnect');
    socket.write(`GET ${base}/tunnel HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
    const lines = linesOf(socket);
    const heard: string[] = [];
    for (let index = 0; index < 5; index += 1) heard.push(String((await lines.next()).value).trimEnd());
    expect(heard).toEqual([
      'HTTP/1.1 101 Switching Protocols',
      'Connection: Upgrade',
      'Upgrade: echo',
      '',
      'kubernetes-admin',
    ]);
    socket.write('over and out\n');
    expect((await lines.next()).value).toBe('over and out');
    socket.end();
    expect(await lines.next()).toMatchObject({ done: true });
  });

  test('end at their deadline', async () => {
    const { code, body } = await aggregated.client.send('GET', `${base}/silent`);
    expect({ code, reason: body['reason'] }).toEqual({ code: 504, reason: 'Timeout' });
  });

  test('are watches for as long as the client likes', async () => {
    const types: string[] = [];
    for await (const { type } of aggregated.client.watch(`${base}/pieces?watch=1`)) types.push(type);
    expect(types).toEqual(['ADDED', 'DELETED']);
  });

  test('may have bodies of any size', async () => {
    const body = Buffer.alloc(4 * 1024 * 1024, 'a');
    const { code, bytes } = await aggregated.client.sendBytes('POST', `${base}/tides`, {}, body);
    expect(code).toBe(200);
    // The extension server reports what it received.
    expect(bytes.length).toBeGreaterThan(body.length);
  });

  test.each([
    ['apiregistration.k8s.io', '/apis/apiregistration.k8s.io/v1/apiservices', 200],
    ['', '/api/v1/namespaces', 503],
  ])('of %j for nobody leave APIServices in reach', async (taken, path, code) => {
    const { client } = aggregated;
    const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
    const name = `v1.${taken}`;
    await client.send('DELETE', `${apiServices}/${name}`);
    const service = { namespace: 'harbor', name: 'nobody' };
    const version = { version: 'v1', groupPriorityMinimum: 20_000, versionPriority: 10 };
    const spec = { ...(taken === '' ? {} : { group: taken }), ...version, service };
    const body = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name }, spec };
    expect((await client.send('POST', apiServices, { body })).code).toBe(201);
    const { items } = (await client.send('GET', apiServices)).body;
    expect(items).toContainEqual(
      expect.objectContaining({ spec: expect.objectContaining({ service: { ...service, port: 443 } }) as unknown }),
    );
    await expect.poll(async () => (await client.exchange('GET', path, {})).code).toBe(code);
    expect((await client.send('DELETE', `${apiServices}/${name}`)).code).toBe(200);
    await expect.poll(async () => (await client.exchange('GET', '/api/v1/namespaces', {})).code).toBe(200);
  });

  test('are refused once its service is gone', async () => {
    const { client } = aggregated;
    await client.send('DELETE', '/api/v1/namespaces/harbor/services/tides');
    await expect.poll(async () => (await client.exchange('GET', `${base}/tides`, {})).code).toBe(503);
    // Counted once the condition is written.
    const becameSo = `aggregator_unavailable_apiservice_total{name="v1.${group}",reason="ServiceNotFound"} 1`;
    await expect.poll(() => client.text('/metrics')).toContain(becameSo);
    const metrics = await client.text('/metrics');
    expect(metrics).toContain(`aggregator_unavailable_apiservice{name="v1.${group}"} 1`);
    expect(metrics).toContain('aggregator_unavailable_apiservice{name="v1.apps"} 0');
    expect(metrics).toContain(`aggregator_unavailable_apiservice_total{name="v1.${group}",reason="ServiceNotFound"} 1`);
  });

  test('find their server again after a restart', async () => {
    const { server, extension } = aggregated;
    const spec = { type: 'ExternalName', externalName: 'localhost' };
    const body = { metadata: { name: 'tides' }, spec };
    await aggregated.client.send('POST', '/api/v1/namespaces/harbor/services', { body });
    await expect.poll(async () => (await aggregated.client.exchange('GET', `${base}/tides`, {})).code).toBe(200);
    await server.restart();
    const before = extension.received.length;
    using client = await ApiClient.connect(server);
    expect((await client.exchange('GET', `${base}/tides`, {})).code).toBe(200);
    expect(extension.received.slice(before)).toContain(`GET ${base}/tides`);
  });
});
