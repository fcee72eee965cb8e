import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { WebSocket } from 'ws';
import { configDefaults, type RunningServer } from '../../src/server/config.ts';
import { startServer } from '../../src/server/start-server.ts';
import { adminTls } from '../server-fixture.ts';
import { play, type Target } from './raw-client.ts';

let folder: string;
let server: RunningServer;
let admin: Target;
let nobody: Target;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-credentials-'));
  const tokenAuthFile = join(folder, 'tokens.csv');
  await writeFile(tokenAuthFile, 'good,somebody,1,system:masters\n');
  server = await startServer({
    ...configDefaults,
    dataDir: join(folder, 'data'),
    serving: { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0 },
    authentication: { ...configDefaults.authentication, tokenAuthFile },
    // Who is nobody is told 403, not 401.
    authorization: { ...configDefaults.authorization, modes: ['RBAC'] },
    storage: { ...configDefaults.storage, inMemory: true },
    logging: { level: 'error' },
  });
  await server.settled;
  const tls = await adminTls(server.kubeconfigPath);
  admin = { url: server.url, tls };
  nobody = { url: server.url, tls: { ca: tls.ca } };
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function get(target: Target, path: string, headers: readonly string[]): Promise<{ code: number; text: string }> {
  const lines = headers.map((header) => `${header}\r\n`).join('');
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`;
  const { statuses, text } = await play(target, request, 2_000);
  expect(statuses).toHaveLength(1);
  return { code: statuses[0] ?? 0, text };
}

describe('an Authorization header, on a public path and on a protected one', () => {
  it.concurrent.each([
    ['Authorization: Bearer good', 200, 200],
    ['Authorization: bearer good', 200, 200],
    ['Authorization: Bearer good x', 200, 200],
    ['Authorization: Bearer wrong', 401, 401],
    ['Authorization: Bearer wrong x', 401, 401],
    ['Authorization: Bearer good,Bearer good', 401, 401],
    ['Authorization: Bearer wrong\r\nAuthorization: Bearer good', 401, 401],
    ['Authorization: Bearer good\r\nAuthorization: Bearer wrong', 200, 200],
    ['Authorization: Bearer', 200, 403],
    ['Authorization: Bearer  good', 200, 403],
    ['Authorization: Bearer\tgood', 200, 403],
    ['Authorization: Basic Zm9vOmJhcg==', 200, 403],
    ['Authorization: Basic !!', 200, 403],
    ['Authorization: Negotiate', 200, 403],
    ['Authorization: good', 200, 403],
    ['Authorization:', 200, 403],
    ['X-Remote-User: admin', 200, 403],
  ])('%s: %d and %d', async (header, open, closed) => {
    const codes = await Promise.all([
      get(nobody, '/healthz', [header]),
      get(nobody, '/version', [header]),
      get(nobody, '/api/v1/namespaces/default', [header]),
      get(nobody, '/nowhere', [header]),
    ]);
    expect(codes.map(({ code }) => code)).toEqual([open, open, closed, closed === 200 ? 404 : closed]);
  });

  it('an invalid one is ignored beside a certificate', async () => {
    expect((await get(admin, '/api/v1/namespaces/default', ['Authorization: Bearer wrong'])).code).toBe(200);
  });

  it('a token after two blanks gets a warning', async () => {
    const { text } = await get(nobody, '/version', ['Authorization: Bearer  good']);
    expect(text).toContain('contains extra space before the bearer token, and is ignored');
  });
});

test('without configured tokens every token is invalid', async () => {
  const dataDir = join(folder, 'without');
  const other = await startServer({
    ...configDefaults,
    dataDir,
    serving: { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0 },
    storage: { ...configDefaults.storage, inMemory: true },
    logging: { level: 'error' },
  });
  const { ca } = await adminTls(other.kubeconfigPath);
  expect((await get({ url: other.url, tls: { ca } }, '/healthz', ['Authorization: Bearer good'])).code).toBe(401);
  await other.close();
});

describe('impersonation', () => {
  const paths = ['/api/v1/namespaces/default', '/apis', '/metrics', '/nowhere'];

  it.each(['Impersonate-Group: x', 'Impersonate-Uid: 1', 'Impersonate-Extra-Scopes: x'])(
    '%s without a user is refused everywhere',
    async (header) => {
      const answers = await Promise.all(paths.map((path) => get(admin, path, [header])));
      expect(answers.map(({ code }) => code)).toEqual([400, 400, 400, 400]);
    },
  );

  it('anonymous users cannot impersonate', async () => {
    const answers = await Promise.all(paths.map((path) => get(nobody, path, ['Impersonate-User: jane'])));
    expect(answers.map(({ code }) => code)).toEqual([403, 403, 403, 403]);
  });

  it.each(['Impersonate-User:', 'Impersonate-Uid:', 'Impersonate-Shape: round'])(
    '%s asks for nothing',
    async (header) => {
      expect((await get(admin, '/api/v1/namespaces/default', [header])).code).toBe(200);
    },
  );

  it('does not write as a user without rights, over HTTP/2', async () => {
    const session = connect(admin.url, admin.tls);
    const send = async (headers: { readonly [name: string]: string }, body?: string): Promise<number> => {
      const stream = session.request(headers);
      stream.end(body);
      stream.resume();
      const [answer] = (await once(stream, 'response')) as [{ ':status'?: number }];
      return answer[':status'] ?? 0;
    };
    const collection = '/api/v1/namespaces/default/configmaps';
    const body = '{"metadata":{"name":"written"}}';
    const writing = { ':method': 'POST', ':path': collection, 'content-type': 'application/json' };
    expect(await send({ ...writing, 'impersonate-user': 'system:anonymous' }, body)).toBe(403);
    expect(await send({ ...writing, 'impersonate-extra-a': 'b' }, body)).toBe(400);
    expect(await send({ ':path': `${collection}/written` })).toBe(404);
    session.destroy();
  });

  it('is refused over a WebSocket too', async () => {
    const url = `${admin.url.replace('https', 'wss')}/api/v1/namespaces?watch=1`;
    const socket = new WebSocket(url, {
      ...admin.tls,
      origin: 'http://x',
      headers: { 'impersonate-user': 'system:anonymous' },
    });
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
    expect(response.statusCode).toBe(403);
    socket.on('error', () => undefined);
    socket.terminate();
  });
});
