import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

const withThreads = (apiThreads: number, securePort = 0): Promise<TestServer> =>
  startTestServer(
    {},
    { inMemory: true },
    { config: { serving: { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort, apiThreads } } },
  );

/** Sockets of this machine that listen on the port of a server. */
async function listeners({ url }: TestServer): Promise<number> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
  // Columns: number, local address, remote address, state (0A: listening).
  return lines
    .map((line) => line.trim().split(/ +/))
    .filter(([, own, , state]) => own?.endsWith(`:${port}`) && state === '0A').length;
}

test('several threads listen on the port, and know at once what one of them has written', async () => {
  await using server = await withThreads(3);
  expect(await listeners(server)).toBe(3);
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

test('the last thread has ended when the server has', async () => {
  const server = await withThreads(2);
  await server[Symbol.asyncDispose]();
  expect(await listeners(server)).toBe(0);
});

test('another process cannot take the port, nor can one thread take it from another server', async () => {
  await using server = await withThreads(2);
  const port = Number(new URL(server.url).port);
  await expect(withThreads(2, port)).rejects.toThrow('EADDRINUSE');
  await expect(withThreads(1, port)).rejects.toThrow('EADDRINUSE');
});
