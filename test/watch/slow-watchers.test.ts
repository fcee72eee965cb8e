import { once } from 'node:events';
import { connect } from 'node:http2';
import { get as httpsGet } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/default/configmaps';
const watchPath = `${path}?watch=true&timeoutSeconds=300`;
const writes = 90;
const objectBytes = 900_000;
const mebibyte = 1024 * 1024;
let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** Sequential large writes, while another client watches; returns what that client received. */
async function writeAndWatch(): Promise<number> {
  using other = await ApiClient.connect(server);
  await client.send('PUT', `${path}/large`, { body: { metadata: { name: 'large' } } });
  let seen = 0;
  const watching = (async () => {
    for await (const { type } of other.watch(
      `${path}?watch=true&timeoutSeconds=300&fieldSelector=metadata.name=large`,
    )) {
      if (type === 'MODIFIED') seen += 1;
      if (seen === writes) return;
    }
  })();
  for (let index = 0; index < writes; index += 1) {
    const body = { data: { v: String(index % 10).repeat(objectBytes) } };
    await client.send('PATCH', `${path}/large`, { body, contentType: 'application/merge-patch+json' });
  }
  await watching;
  return seen;
}

test('a client that does not read is cut off, and no other is affected', async () => {
  await client.send('POST', path, { body: { metadata: { name: 'large' } } });
  const session = connect(server.url, await adminTls(server.kubeconfigPath));
  session.on('error', () => undefined);
  const slow = session.request({ ':path': watchPath });
  slow.on('error', () => undefined);
  await once(slow, 'response');
  const closed = Promise.withResolvers<void>();
  slow.once('close', () => closed.resolve());
  const before = process.memoryUsage().rss;
  expect(await writeAndWatch()).toBe(writes);
  await closed.promise;
  expect(slow.rstCode).not.toBe(0);
  // The server runs in this process: its backlog for the slow watcher is bounded, however much was written.
  expect(process.memoryUsage().rss - before).toBeLessThan(600 * mebibyte);
  session.destroy();
});

test('over HTTP/1.1 too', async () => {
  const tls = await adminTls(server.kubeconfigPath);
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  httpsGet(`${server.url}${watchPath}`, { ...tls }, resolve);
  const slow = await promise;
  slow.pause();
  const cut = Promise.withResolvers<boolean>();
  slow.once('aborted', () => cut.resolve(true));
  slow.once('error', () => cut.resolve(true));
  expect(await writeAndWatch()).toBe(writes);
  // Data that has arrived is read first, then the cut.
  slow.resume();
  expect(await cut.promise).toBe(true);
});
