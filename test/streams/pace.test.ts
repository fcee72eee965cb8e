import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { adminTls, asAlone, startTestServer, type TestServer } from '../server-fixture.ts';
import { type Kubelet, startKubelet } from './kubelet.ts';
import { createNode, createPod } from './node.ts';

// --max-connection-bytes-per-sec

const bytesPerSec = 50_000;
let server: TestServer;
let kubelet: Kubelet;

beforeAll(async () => {
  const requests = { ...configDefaults.requests, maxConnectionBytesPerSec: bytesPerSec };
  server = await startTestServer({}, {}, { config: { ...asAlone, requests } });
  kubelet = await startKubelet(server.scratchDir, '127.0.0.1');
  using admin = await ApiClient.connect(server);
  await createNode(admin, { name: 'loop', port: kubelet.port });
  await createPod(admin, { namespace: 'default', name: 'one', nodeName: 'loop' });
}, 30_000);

afterAll(async () => {
  await kubelet[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const pod = '/api/v1/namespaces/default/pods/one';

/** How long the kubelet takes to send back so many bytes over a WebSocket. */
async function echoedMs(protocol: string, sentBytes: number): Promise<number> {
  const url = `${server.url.replace('https', 'wss')}${pod}/exec?command=a&stdin=1&stdout=1`;
  const socket = new WebSocket(url, [protocol], await adminTls(server.kubeconfigPath));
  await once(socket, 'open');
  let heardBytes = 0;
  const heard = new Promise<void>((resolve) => {
    socket.on('message', (message: Buffer) => {
      heardBytes += message.length;
      if (heardBytes >= sentBytes) resolve();
    });
  });
  const startMs = performance.now();
  socket.send(Buffer.concat([Buffer.from([0]), Buffer.alloc(sentBytes, 'x')]));
  await heard;
  socket.terminate();
  return performance.now() - startMs;
}

test.each(['v4.channel.k8s.io', 'v5.channel.k8s.io'])('exec over %s is slowed down', async (protocol) => {
  // Both directions are slow at the same time.
  expect(await echoedMs(protocol, bytesPerSec)).toBeGreaterThan(800);
});

test('a forwarded port is slowed down, piece by piece', async () => {
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
  const tls = await adminTls(server.kubeconfigPath);
  const sent = request(`${server.url}${pod}/portforward?ports=1`, { ...tls, method: 'POST', headers, agent: false });
  sent.end();
  const [, socket] = (await once(sent, 'upgrade')) as [IncomingMessage, Duplex];
  const startMs = performance.now();
  const sizes: number[] = [];
  socket.on('data', (chunk: Buffer) => sizes.push(chunk.length));
  socket.write(Buffer.alloc(bytesPerSec, 'x'));
  await vi.waitFor(() => expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(bytesPerSec), { timeout: 10_000 });
  expect(performance.now() - startMs).toBeGreaterThan(800);
  expect(sizes.length).toBeGreaterThan(5);
  socket.destroy();
});
