import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';
import { startLaneServer } from './lane-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

const large = (name: string): object => ({ metadata: { name }, data: { a: 'line of a file\n'.repeat(10_000) } });
const declared = (body: object): { readonly body: object; readonly headers: { readonly [name: string]: string } } => ({
  body,
  headers: { 'content-length': String(Buffer.byteLength(JSON.stringify(body))) },
});

/** The threads of a server. */
async function threadsOf(client: ApiClient): Promise<readonly string[]> {
  const text = await client.text('/metrics');
  return [...new Set(Array.from(text.matchAll(/thread="([^"]+)"/g), ([, name]) => name ?? ''))].sort();
}

async function countOf(client: ApiClient, series: RegExp): Promise<number> {
  const lines = (await client.text('/metrics')).split('\n').filter((line) => series.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test.each([
  ['whose length is told', (name: string) => declared(large(name))],
  ['whose length is not told', (name: string) => ({ body: large(name) })],
])('a large body %s is served by a lane, once for all who look', async (_, requestOf) => {
  await using server = await startLaneServer({ args: ['--api-threads=1'] });
  using client = await ApiClient.connect(server.process);
  expect(await threadsOf(client)).toEqual([]);
  const created = await client.send('POST', configMaps, requestOf('a'));
  expect(created.code).toBe(201);
  expect((await client.send('GET', `${configMaps}/a`)).body).toEqual(created.body);
  expect(await threadsOf(client)).toEqual(['lane-1', 'main']);
  expect(await countOf(client, /^apiserver_request_total\{.*resource="configmaps".*verb="POST"/)).toBe(1);
});

test('a server whose lane has served does not wait for it when it is told to end', async () => {
  const endedMs = async (args: readonly string[], body: object): Promise<number> => {
    await using server = await startLaneServer({ args: [...args] });
    using client = await ApiClient.connect(server.process);
    expect((await client.send('POST', configMaps, { body })).code).toBe(201);
    const sinceMs = performance.now();
    await server.process.end('SIGTERM');
    return performance.now() - sinceMs;
  };
  // A lane that does not end is given up after ten seconds, a thread that listens after seventy.
  const lostMs = 9_000;
  for (const args of [['--api-threads=1'], ['--api-threads=2']]) {
    const withoutMs = await endedMs(args, { metadata: { name: 'a' } });
    expect(await endedMs(args, large('a'))).toBeLessThan(withoutMs + lostMs);
  }
});

test('threads that listen have the same lane', async () => {
  await using server = await startLaneServer({ args: ['--api-threads=2'] });
  const clients = await Promise.all(Array.from({ length: 8 }, () => ApiClient.connect(server.process)));
  const answers = await Promise.all(
    clients.map((client, index) => client.send('POST', configMaps, { body: large(`large-${index}`) })),
  );
  expect(answers.map(({ code }) => code)).toEqual(clients.map(() => 201));
  expect(await threadsOf(clients[0]!)).toEqual(['api-1', 'lane-1', 'main']);
  for (const client of clients) client[Symbol.dispose]();
});

test('a lane that has had nothing to do ends, and what it has counted stays', async () => {
  const { serving } = configDefaults;
  const own = {
    bindAddress: '127.0.0.1',
    securePort: 0,
    lanes: 1,
    threadGrowth: { ...serving.threadGrowth, idleMs: 400 },
  };
  await using server = await startTestServer({}, { inMemory: true }, { config: { serving: { ...serving, ...own } } });
  using client = await ApiClient.connect(server);
  for (const name of ['a', 'b']) {
    expect((await client.send('POST', configMaps, { body: large(name) })).code).toBe(201);
    while ((await threadsOf(client)).length > 1) await sleep(100);
  }
  expect(await countOf(client, /^apiserver_request_total\{.*resource="configmaps".*verb="POST"/)).toBe(2);
});
