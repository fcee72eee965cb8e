import { afterAll, beforeAll, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/default/configmaps';
let server: TestServer;
let clients: readonly ApiClient[];

beforeAll(async () => {
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, apiThreads: 3 };
  server = await startTestServer({}, { inMemory: true }, { config: { serving } });
  clients = await Promise.all(Array.from({ length: 12 }, () => ApiClient.connect(server)));
});

afterAll(async () => {
  for (const client of clients) client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** The lines of a metric, as a client of any thread gets them. */
async function scraped(client: ApiClient | undefined, beginning: string): Promise<readonly string[]> {
  const text = (await client?.text('/metrics')) ?? '';
  return text.split('\n').filter((line) => line.startsWith(beginning));
}

const valueOf = (line: string | undefined): number => Number(line?.split(' ').at(-1));

test('requests of all threads are counted together, and every thread tells the same', async () => {
  const total = async (client: ApiClient | undefined): Promise<number> => {
    const lines = await scraped(client, 'apiserver_request_total{');
    return valueOf(lines.find((line) => line.includes('resource="configmaps"') && line.includes('verb="LIST"')));
  };
  for (const client of clients) expect((await client.send('GET', path)).code).toBe(200);
  const first = await total(clients[0]);
  expect(first).toBeGreaterThanOrEqual(12);
  for (const client of clients.slice(1, 4)) expect(await total(client)).toBe(first);
  const counts = await scraped(clients[0], 'apiserver_request_duration_seconds_count{');
  const count = counts.find((line) => line.includes('resource="configmaps"') && line.includes('verb="LIST"'));
  expect(valueOf(count)).toBe(first);
});

test('watches of all threads are running at once', async () => {
  const ends = new AbortController();
  const watches = clients.map((client) =>
    client.watch(
      `${path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      ends.signal,
    ),
  );
  // Each has begun when it has told something.
  await Promise.all(watches.map((watch) => watch.next()));
  const lines = await scraped(clients[0], 'apiserver_longrunning_requests{');
  expect(valueOf(lines.find((line) => line.includes('resource="configmaps"')))).toBe(12);
  ends.abort();
  await Promise.allSettled(watches.map((watch) => watch.next()));
});

test('facts of the process are there once, heaps and event loops for each thread', async () => {
  expect(await scraped(clients[0], 'process_resident_memory_bytes')).toHaveLength(1);
  expect(await scraped(clients[0], 'kubernetes_build_info{')).toHaveLength(1);
  const size = await scraped(clients[0], 'apiserver_storage_size_bytes{');
  expect(size.map(valueOf).every((bytes) => bytes >= 0)).toBe(true);
  const heaps = await scraped(clients[0], 'nodejs_heap_size_used_bytes');
  expect(heaps.map((line) => /thread="([^"]+)"/.exec(line)?.[1]).toSorted()).toEqual(['api-1', 'api-2', 'main']);
});

test('counts of all threads begin anew for whoever deletes them', async () => {
  const counted = async (client: ApiClient | undefined): Promise<number> => {
    const lines = await scraped(client, 'apiserver_request_total{');
    return lines.filter((line) => line.includes('resource="configmaps"')).reduce((sum, line) => sum + valueOf(line), 0);
  };
  for (const client of clients) expect((await client.send('GET', path)).code).toBe(200);
  expect(await counted(clients[0])).toBeGreaterThanOrEqual(clients.length);
  const { code, text } = (await clients[1]?.exchange('DELETE', '/metrics', {})) ?? {};
  expect([code, text]).toEqual([200, 'metrics reset\n']);
  for (const client of clients) expect(await counted(client)).toBe(0);
  for (const client of clients) expect((await client.send('GET', path)).code).toBe(200);
  for (const client of clients) expect(await counted(client)).toBe(clients.length);
  expect(await scraped(clients[0], 'kubernetes_build_info{')).toHaveLength(1);
});
