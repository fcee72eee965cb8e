import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { listeningSockets } from './listening-sockets.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

const withThreads = (apiThreads: number | 'auto', securePort = 0): Promise<TestServer> =>
  startTestServer(
    {},
    { inMemory: true },
    { config: { serving: { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort, apiThreads } } },
  );

test('several threads listen on the port, and know at once what one of them has written', async () => {
  await using server = await withThreads(3);
  expect(await listeningSockets(server)).toBe(3);
  const connecting = Array.from({ length: 12 }, () => ApiClient.connect(server));
  const clients = await Promise.all(connecting);
  for (const [index, client] of clients.entries()) {
    const metadata = { name: `written-${index}` };
    expect((await client.send('POST', configMaps, { body: { metadata } })).code).toBe(201);
    const answers = await Promise.all(clients.map((other) => other.send('GET', `${configMaps}/written-${index}`)));
    expect(answers.map(({ code }) => code)).toEqual(clients.map(() => 200));
  }
  for (const client of clients) client[Symbol.dispose]();
});

test('a watch of one thread continues at another, which has not watched before', async () => {
  await using server = await withThreads(3);
  using writer = await ApiClient.connect(server);
  const write = (name: string) => writer.send('POST', configMaps, { body: { metadata: { name } } });
  const { body } = await write('before');
  for (let index = 0; index < 300; index += 1) await write(`written-${index}`);
  const { resourceVersion } = body['metadata'] as { readonly resourceVersion: string }; // as answered
  const clients = await Promise.all(Array.from({ length: 12 }, () => ApiClient.connect(server)));
  const path = `${configMaps}?watch=true&timeoutSeconds=1&resourceVersion=${resourceVersion}`;
  const watched = await Promise.all(clients.map((client) => client.text(path)));
  for (const text of watched) expect(text.split('\n')[0]).toContain('"ADDED"');
  for (const client of clients) client[Symbol.dispose]();
});

test('the last thread has ended when the server has', async () => {
  const server = await withThreads(2);
  await server[Symbol.asyncDispose]();
  expect(await listeningSockets(server)).toBe(0);
});

test('another process cannot take the port, nor can one thread take it from another server', async () => {
  await using server = await withThreads(2);
  const port = Number(new URL(server.url).port);
  await expect(withThreads(2, port)).rejects.toThrow('EADDRINUSE');
  await expect(withThreads(1, port)).rejects.toThrow('EADDRINUSE');
});

test('nor can one that may have more threads later', async () => {
  await using server = await withThreads('auto');
  expect(await listeningSockets(server)).toBe(1);
  const port = Number(new URL(server.url).port);
  for (const threads of ['auto', 2, 1] as const) await expect(withThreads(threads, port)).rejects.toThrow('EADDRINUSE');
});
