import { readdir, readFile } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { configDefaults, type StorageConfig } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { adminTls, onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';
import { Http1Client } from './http1-client.ts';
import { InsistentClient } from './insistent-client.ts';
import { listeningSockets } from './listening-sockets.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const patience = { timeout: 60_000, interval: 50 };

interface Growth {
  readonly moveAfterMs?: number;
  readonly computingShare?: number;
  readonly busyWindows?: number;
  readonly storage?: Partial<StorageConfig>;
}

function growing(
  most: number,
  { moveAfterMs = 0, computingShare = 0, busyWindows = 2, storage = { inMemory: true } }: Growth = {},
): Promise<TestServer> {
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, apiThreads: 'auto' } as const;
  const threadGrowth = { most, busyMs: 100, busyWindows, computingShare, idleMs: 500, moveAfterMs };
  return startTestServer({}, storage, { config: { serving: { ...serving, threadGrowth } } });
}

/** Keeps clients busy until told otherwise. */
class Load implements AsyncDisposable {
  readonly clients: readonly InsistentClient[];
  readonly #ends = new AbortController();
  readonly #running: readonly Promise<void>[];
  sent = 0;

  constructor(server: TestServer, count: number, ask: (client: InsistentClient) => Promise<unknown>) {
    this.clients = Array.from({ length: count }, () => new InsistentClient(server));
    this.#running = this.clients.map(async (client) => {
      while (!this.#ends.signal.aborted) {
        await ask(client);
        this.sent += 1;
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ends.abort();
    try {
      await Promise.all(this.#running);
    } finally {
      for (const client of this.clients) client[Symbol.dispose]();
    }
  }
}

const list = async (client: InsistentClient): Promise<void> => {
  expect((await client.send('GET', configMaps)).code).toBe(200);
};

/** The names of the threads of this process. */
async function threadNames(): Promise<readonly string[]> {
  const threads = await readdir('/proc/self/task');
  const names = threads.map((thread) => readFile(`/proc/self/task/${thread}/comm`, 'utf8').catch(() => ''));
  return (await Promise.all(names)).map((name) => name.trim());
}

afterEach(() => void vi.restoreAllMocks());

/** What the server has written to its log. */
function logged(): () => string {
  const written = vi.spyOn(process.stderr, 'write');
  return () => written.mock.calls.map(([text]) => String(text)).join('');
}

/** Requests that have been counted, whichever thread has served them. */
async function listsCounted(server: TestServer): Promise<number> {
  using client = await ApiClient.connect(server);
  const lines = (await client.text('/metrics')).split('\n');
  const found = lines.filter(
    (line) => line.startsWith('apiserver_request_total{') && /resource="configmaps".*verb="LIST"/.test(line),
  );
  return found.map((line) => Number(line.split(' ').at(-1))).reduce((sum, count) => sum + count, 0);
}

test('a busy server has another thread, which ends when nobody needs it', { timeout: 180_000 }, async () => {
  const log = logged();
  await using server = await growing(2);
  expect(await listeningSockets(server)).toBe(1);
  let sent = 0;
  {
    await using load = new Load(server, 8, list);
    await expect.poll(() => listeningSockets(server), patience).toBe(2);
    // Clients have been told to come again, and some have come to the other thread.
    const opened = (): number => load.clients.reduce((sum, { connections }) => sum + connections, 0);
    await expect.poll(opened, patience).toBeGreaterThan(8);
    using client = await ApiClient.connect(server);
    expect((await client.exchange('GET', '/readyz', {})).code).toBe(200);
    await load[Symbol.asyncDispose]();
    sent = load.sent;
  }
  const before = await listsCounted(server);
  expect(before).toBe(sent);
  await expect.poll(() => listeningSockets(server), patience).toBe(1);
  expect(await listsCounted(server)).toBe(sent);
  // It can happen again.
  await using load = new Load(server, 8, list);
  await expect.poll(() => listeningSockets(server), patience).toBe(2);
  await load[Symbol.asyncDispose]();
  expect(await listsCounted(server)).toBe(sent + load.sent);
  expect(log()).toBe('');
});

test('clients that have just come are not told to come again', { timeout: 120_000 }, async () => {
  await using server = await growing(2, { moveAfterMs: 600_000 });
  await using load = new Load(server, 8, list);
  await expect.poll(() => listeningSockets(server), patience).toBe(2);
  const { sent } = load;
  await expect.poll(() => load.sent, patience).toBeGreaterThan(sent + 1_000);
  expect(load.clients.map(({ connections }) => connections)).toEqual(load.clients.map(() => 1));
});

test('there are no more threads than may be, and none for a single connection', { timeout: 120_000 }, async () => {
  await using server = await growing(2);
  {
    await using one = new Load(server, 1, list);
    await expect.poll(() => one.sent, patience).toBeGreaterThan(500);
    expect(await listeningSockets(server)).toBe(1);
  }
  await using load = new Load(server, 8, list);
  await expect.poll(() => listeningSockets(server), patience).toBe(2);
  const { sent } = load;
  await expect.poll(() => load.sent, patience).toBeGreaterThan(sent + 500);
  expect(await listeningSockets(server)).toBe(2);
});

test('a busy server that finds no processor does not grow', { timeout: 120_000 }, async () => {
  // No thread can be on a processor for longer than it is busy.
  await using server = await growing(2, { computingShare: 1.5 });
  await using load = new Load(server, 8, list);
  await expect.poll(() => load.sent, patience).toBeGreaterThan(2_000);
  expect(await listeningSockets(server)).toBe(1);
});

test('a server that has not been busy for long enough does not grow', { timeout: 120_000 }, async () => {
  await using server = await growing(2, { busyWindows: 10_000 });
  await using load = new Load(server, 8, list);
  await expect.poll(() => load.sent, patience).toBeGreaterThan(2_000);
  expect(await listeningSockets(server)).toBe(1);
});

test('the server stops while a thread begins', { timeout: 120_000 }, async () => {
  const log = logged();
  const server = await growing(2);
  const clients = Array.from({ length: 8 }, () => new InsistentClient(server));
  // It has a name from its first moment, and listens much later.
  const loads = clients.map(async (client) => {
    while (!(await threadNames()).includes('api-1')) await list(client);
  });
  await Promise.all(loads);
  expect(await listeningSockets(server)).toBe(1);
  for (const client of clients) client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
  expect(await threadNames()).not.toContain('api-1');
  expect(await listeningSockets(server)).toBe(0);
  expect(log()).toBe('');
});

test('quotas are kept to the last object while a thread begins to charge them too', { timeout: 180_000 }, async () => {
  const hard = 1_500;
  await using server = await growing(2);
  using maker = new InsistentClient(server);
  const quota = { metadata: { name: 'few' }, spec: { hard: { 'count/configmaps': String(hard) } } };
  await maker.send('POST', '/api/v1/namespaces/default/resourcequotas', { body: quota });
  const status = async (): Promise<unknown> =>
    (await maker.send('GET', '/api/v1/namespaces/default/resourcequotas/few')).body['status'];
  await expect.poll(status, patience).toMatchObject({ hard: { 'count/configmaps': String(hard) } });
  const codes = new Map<number, number>();
  let made = 0;
  let tried = 0;
  {
    await using load = new Load(server, 8, async (client) => {
      // A generated name that exists already is charged as well before another one is tried.
      const body = { metadata: { name: `made-${(tried += 1)}` } };
      const { code } = await client.send('POST', configMaps, { body });
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (code === 201) made += 1;
    });
    await expect.poll(() => codes.get(403) ?? 0, { timeout: 120_000, interval: 50 }).toBeGreaterThan(50);
    expect(await listeningSockets(server)).toBe(2);
    await load[Symbol.asyncDispose]();
  }
  expect([...codes.keys()].filter((code) => ![201, 403].includes(code))).toEqual([]);
  using reader = await ApiClient.connect(server);
  const { body } = await reader.send('GET', configMaps);
  expect(body['items']).toHaveLength(made);
  expect(made).toBe(hard);
  await expect.poll(status, patience).toMatchObject({ used: { 'count/configmaps': String(hard) } });
});

test('clients over HTTP/1.1 come again after a response that ends their connection', { timeout: 120_000 }, async () => {
  await using server = await growing(2);
  const tls = await adminTls(server.kubeconfigPath);
  const ends = new AbortController();
  const clients = Array.from({ length: 8 }, () => new Http1Client(server.url, tls));
  const loads = clients.map(async (client) => {
    while (!ends.signal.aborted) expect(await client.get(configMaps)).toBe(200);
  });
  await expect.poll(() => listeningSockets(server), patience).toBe(2);
  const closedCount = (): number => clients.reduce((sum, { closed }) => sum + closed, 0);
  await expect.poll(closedCount, patience).toBeGreaterThan(0);
  const { length } = clients.filter(({ closed }) => closed > 0);
  const again = (): number => clients.filter(({ connections }) => connections > 1).length;
  await expect.poll(again, patience).toBeGreaterThanOrEqual(length);
  ends.abort();
  await Promise.all(loads);
  // A connection ends only with a response that says so.
  for (const { connections, closed } of clients) expect(connections).toBeLessThanOrEqual(closed + 1);
  for (const client of clients) client[Symbol.dispose]();
});

describeWithEtcd('on etcd', () => {
  test(
    'what one thread writes, the other one knows, while it begins, serves and ends',
    { timeout: 180_000 },
    async () => {
      await using etcd = await EtcdProcess.start();
      await using server = await growing(2, { storage: onEtcd(etcd.url) });
      let made = 0;
      const writeAndRead = async (client: InsistentClient): Promise<void> => {
        const name = `made-${(made += 1)}`;
        expect((await client.send('POST', configMaps, { body: { metadata: { name } } })).code).toBe(201);
        // The next request may be served by the other thread.
        client.leave();
        expect((await client.send('GET', `${configMaps}/${name}`)).code).toBe(200);
      };
      {
        await using load = new Load(server, 8, writeAndRead);
        await expect.poll(() => listeningSockets(server), patience).toBe(2);
        const { sent } = load;
        await expect.poll(() => load.sent, patience).toBeGreaterThan(sent + 200);
      }
      await expect.poll(() => listeningSockets(server), patience).toBe(1);
      using client = await ApiClient.connect(server);
      const { items } = (await client.send('GET', configMaps)).body as unknown as {
        readonly items: readonly unknown[];
      };
      expect(items).toHaveLength(made);
    },
  );
});
