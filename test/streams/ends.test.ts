import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';
import { type Kubelet, startKubelet } from './kubelet.ts';
import { createNode, createPod } from './node.ts';

describe('the end of streams', () => {
  let server: TestServer;
  let kubelet: Kubelet;

  beforeAll(async () => {
    server = await startTestServer();
    kubelet = await startKubelet(server.scratchDir, '127.0.0.1');
    using admin = await ApiClient.connect(server);
    await createNode(admin, { name: 'loop', port: kubelet.port });
    await createPod(admin, { namespace: 'default', name: 'one', nodeName: 'loop' });
  }, 30_000);

  afterAll(() => kubelet?.[Symbol.asyncDispose]());

  /** Streams that wait for input. */
  async function open(protocol: string): Promise<WebSocket> {
    const path = '/api/v1/namespaces/default/pods/one/exec?command=a&stdin=1&stdout=1';
    const socket = new WebSocket(`${server.url.replace('https', 'wss')}${path}`, [protocol], {
      ...(await adminTls(server.kubeconfigPath)),
    });
    socket.on('error', () => undefined);
    await new Promise((resolve) => void socket.once('open', resolve));
    return socket;
  }

  test.each(['v4.channel.k8s.io', 'v5.channel.k8s.io'])(
    'a client of %s that leaves takes the kubelet along',
    async (protocol) => {
      const sockets = [await open(protocol), await open(protocol)];
      await vi.waitFor(async () => expect(await kubelet.connections()).toBe(2));
      sockets[0]?.terminate();
      sockets[1]?.close();
      await vi.waitFor(async () => expect(await kubelet.connections()).toBe(0), { timeout: 5_000 });
    },
  );

  test('a server that stops ends its streams', async () => {
    const sockets = [await open('v4.channel.k8s.io'), await open('v5.channel.k8s.io')];
    const closed = sockets.map((socket) => new Promise((resolve) => void socket.once('close', resolve)));
    const before = Date.now();
    await server[Symbol.asyncDispose]();
    await Promise.all(closed);
    // Otherwise they would be cut off after the timeout of requests.
    expect(Date.now() - before).toBeLessThan(configDefaults.requests.timeoutMs);
  });
});
