import { expect, test } from 'vitest';
import { startApiServer } from '../../src/embed/index.ts';
import { ApiClient } from '../api-client.ts';
import { listeningSockets } from '../threads/listening-sockets.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

test.each([
  [undefined, 1],
  [1, 1],
  ['auto', 1],
  [3, 3],
] as const)('with %s as threads, a server has %i, and none when it is closed', async (threads, count) => {
  const objects = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'given' } }];
  const server = await startApiServer({ objects, ...(threads === undefined ? {} : { threads }) });
  expect(await listeningSockets(server)).toBe(count);
  const clients = await Promise.all(Array.from({ length: 9 }, () => ApiClient.connect(server)));
  const answers = await Promise.all(clients.map((client) => client.send('GET', `${configMaps}/given`)));
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 200));
  for (const client of clients) client[Symbol.dispose]();
  await server.close();
  expect(await listeningSockets(server)).toBe(0);
});

test.each([0, -1, 1.5, 65, Number.NaN])('%d threads are refused', async (threads) => {
  await expect(startApiServer({ threads })).rejects.toThrow('threads: must be 1 to 64, or auto');
});
