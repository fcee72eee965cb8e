import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get as httpsGet } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { configDefaults } from '../../src/server/config.ts';
import { startServer } from '../../src/server/start-server.ts';
import { ApiClient } from '../api-client.ts';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/default/configmaps';
let server: TestServer;
let client: ApiClient;
let tls: Awaited<ReturnType<typeof adminTls>>;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  tls = await adminTls(server.kubeconfigPath);
  await client.send('POST', path, { body: { metadata: { name: 'first' } } });
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** The events over one WebSocket (`TYPE name`), and how it ended. */
interface Session {
  readonly messages: string[];
  readonly opened: Promise<void>;
  /** The close code, or the status of a response that is not a WebSocket. */
  readonly ended: Promise<{ readonly code: number; readonly body: string }>;
  close(): void;
}

interface OpenOptions extends ClientOptions {
  readonly protocols?: string[];
  /** The URL of another server; absent: the one under test. */
  readonly url?: string;
}

function open(target: string, { protocols = [], url = server.url, ...options }: OpenOptions = {}): Session {
  const socket = new WebSocket(url.replace('https', 'wss') + target, protocols, {
    ...tls,
    origin: 'https://example.com',
    ...options,
  });
  const messages: string[] = [];
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<{ code: number; body: string }>();
  socket.on('open', () => opened.resolve());
  socket.on('message', (data: Buffer, isBinary) => {
    const { type, object } = JSON.parse(data.toString()) as { type: string; object: { metadata: { name?: string } } };
    messages.push(`${isBinary ? 'binary ' : ''}${type} ${object.metadata.name ?? ''}`);
  });
  socket.on('close', (code) => ended.resolve({ code, body: '' }));
  socket.on('unexpected-response', (_request, response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => ended.resolve({ code: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
  });
  return { messages, opened: opened.promise, ended: ended.promise, close: () => socket.close() };
}

test('a watch sends each event as a text message, and closes', async () => {
  const session = open(
    `${path}?watch=true&timeoutSeconds=2&allowWatchBookmarks=true&fieldSelector=metadata.name=first`,
  );
  await session.opened;
  await expect.poll(() => session.messages).toEqual(['ADDED first', 'BOOKMARK ']);
  await client.send('PATCH', `${path}/first`, {
    body: { data: { k: 'v' } },
    contentType: 'application/merge-patch+json',
  });
  await client.send('POST', path, { body: { metadata: { name: 'other' } } });
  expect(await session.ended).toEqual({ code: 1000, body: '' });
  expect(session.messages).toEqual(['ADDED first', 'BOOKMARK ', 'MODIFIED first']);
});

test('many events arrive as separate messages', async () => {
  const { body } = await client.send('GET', path);
  const { resourceVersion } = body['metadata'] as { readonly resourceVersion: string };
  const session = open(`${path}?watch=true&timeoutSeconds=30&resourceVersion=${resourceVersion}`);
  const names = Array.from({ length: 50 }, (_, index) => `many-${index}`);
  await session.opened;
  await Promise.all(names.map((name) => client.send('POST', path, { body: { metadata: { name } } })));
  await expect.poll(() => session.messages.filter((text) => text.startsWith('ADDED many-')).length).toBe(50);
  session.close();
  await session.ended;
});

test('a refused watch is an HTTP response', async () => {
  const { code, body } = await open(`${path}?watch=true&resourceVersionMatch=Exact`).ended;
  expect(code).toBe(422);
  expect(JSON.parse(body)).toMatchObject({ kind: 'Status', reason: 'Invalid' });
});

test('other requests get an HTTP response', async () => {
  const { code, body } = await open(`${path}/first`).ended;
  expect(code).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ kind: 'ConfigMap' });
});

test('requests without an origin, or with more than one protocol, are refused', async () => {
  const target = `${path}?watch=true&timeoutSeconds=1`;
  expect(await open(target, { origin: 'null' }).ended).toEqual({ code: 403, body: '' });
  expect(await open(target, { protocols: ['a', 'b'] }).ended).toEqual({ code: 400, body: '' });
  expect((await open(target, { protocols: ['a'] }).ended).code).toBe(1000);
});

test('an upgrade to another protocol is ignored', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
  httpsGet(`${server.url}${path}/first`, { ...tls, headers }, (response) => {
    response.resume();
    resolve(response.statusCode);
  }).once('error', reject);
  expect(await promise).toBe(200);
});

test('a browser sends its token as a subprotocol', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-websocket-'));
  const tokenAuthFile = join(dataDir, 'tokens.csv');
  await writeFile(tokenAuthFile, 'secret,reader,1\n');
  const other = await startServer({
    ...configDefaults,
    dataDir,
    serving: { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0 },
    authentication: { ...configDefaults.authentication, anonymous: false, tokenAuthFile },
    logging: { level: 'silent' },
  });
  const { ca } = await adminTls(other.kubeconfigPath);
  const protocols = (token: string): string[] => [
    `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`,
    'base64.binary.k8s.io',
  ];
  const target = `${path}?watch=true&timeoutSeconds=1`;
  const withToken = (token: string): OpenOptions => ({
    url: other.url,
    protocols: protocols(token),
    ca,
    cert: undefined,
    key: undefined,
  });
  expect((await open(target, withToken('secret')).ended).code).toBe(1000);
  expect((await open(target, withToken('wrong')).ended).code).toBe(401);
  await other.close();
  await rm(dataDir, { recursive: true });
});
