import { once } from 'node:events';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';

let server: TestServer;
/** On connections of all threads: each is spread to one of three at random. */
let clients: readonly ApiClient[];

beforeAll(async () => {
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, apiThreads: 3 };
  server = await startTestServer({}, {}, { config: { serving } });
  clients = await Promise.all(Array.from({ length: 16 }, () => ApiClient.connect(server)));
});

afterAll(async () => {
  for (const client of clients) client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** What every client must get alike. */
async function expectAlike(path: string, code = 200): Promise<string> {
  const answers = await Promise.all(
    clients.map(async (client) => {
      const { code: got, text } = await client.exchange('GET', path, {});
      return `${got} ${text}`;
    }),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]?.slice(0, 3)).toBe(String(code));
  return answers[0] ?? '';
}

test.each(['/healthz', '/livez', '/readyz', '/readyz/api-threads', '/livez/ping', '/%68ealthz', '/', '/debug/pprof/'])(
  'every thread answers %s as the first one does',
  async (path) => {
    await expectAlike(path);
  },
);

test('readiness names the threads', async () => {
  expect(await expectAlike('/readyz?verbose')).toContain('[+]api-threads ok');
  expect(await expectAlike('/livez?verbose')).not.toContain('api-threads');
});

test('every thread tells of the components of the store', async () => {
  const answers = await Promise.all(clients.map((client) => client.send('GET', '/api/v1/componentstatuses')));
  for (const { code, body } of answers) {
    expect(code).toBe(200);
    expect(body).toEqual(answers[0]?.body);
  }
});

test('every thread sends snapshots, and compacts', async () => {
  for (const client of clients) {
    expect((await client.text('/binnacle/snapshot')).length).toBeGreaterThan(1000);
    const { code, text } = await client.exchange('POST', '/binnacle/compact?keep=1000', {});
    expect([code, text]).toEqual([200, expect.stringContaining('"result"')]);
  }
});

test('the first thread knows who a client is, and who is nobody', async () => {
  const connections = await Promise.all(Array.from({ length: 8 }, () => ApiClient.connectAsNobody(server)));
  const codes = await Promise.all(connections.map((client) => client.exchange('GET', '/metrics', {})));
  for (const client of connections) client[Symbol.dispose]();
  expect(codes.map(({ code }) => code)).toEqual(connections.map(() => 401));
});

test('over HTTP/1.1 too, also for clients that would rather speak another protocol', async () => {
  const tls = await adminTls(server.kubeconfigPath);
  for (let n = 0; n < 8; n++) {
    const headers = n % 2 === 0 ? {} : { connection: 'upgrade', upgrade: 'websocket' };
    const call = request(`${server.url}/readyz/api-threads`, { ...tls, headers, agent: false });
    call.end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    expect(Buffer.concat(await answer.toArray()).toString()).toBe('ok');
  }
});
