import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { WireReader } from '../../src/api/bytes/wire-reader.ts';
import { WireWriter } from '../../src/api/bytes/wire-writer.ts';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

// A signer in another process speaks v1.ExternalJWTSigner on a unix socket; here it is a gRPC server of the test.

const opened = new AsyncDisposableStack();
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const published = { id: 'first', key: pair.publicKey, isUnpublished: false };
let keys = [published];
let signing: { key: KeyObject; header: JsonObject };
let fetches = 0;
let server: TestServer;
let client: ApiClient;
let path: string;
let signer: Server;

const asSent = (bytes: Buffer): Buffer => bytes;

function keySet(): Buffer {
  const answer = new WireWriter();
  for (const { id, key, isUnpublished } of keys) {
    const der = key.export({ type: 'spki', format: 'der' });
    const message = new WireWriter().bytes(1, Buffer.from(id)).bytes(2, der);
    answer.message(1, isUnpublished ? message.integer(3, 1) : message);
  }
  return answer.message(2, new WireWriter().integer(1, 1_700_000_000)).integer(3, 3600).finish();
}

function signed(request: Buffer): Buffer {
  const reader = new WireReader(request);
  reader.tag();
  const payload = Buffer.from(reader.bytes()).toString();
  const header = Buffer.from(JSON.stringify(signing.header)).toString('base64url');
  const signature = sign('sha256', Buffer.from(`${header}.${payload}`), signing.key).toString('base64url');
  return new WireWriter().bytes(1, Buffer.from(header)).bytes(2, Buffer.from(signature)).finish();
}

function startSigner(): Promise<Server> {
  const made = new Server();
  const method = (name: string, answer: (request: Buffer) => Buffer) => ({
    definition: {
      path: `/v1.ExternalJWTSigner/${name}`,
      requestStream: false,
      responseStream: false,
      requestSerialize: asSent,
      requestDeserialize: asSent,
      responseSerialize: asSent,
      responseDeserialize: asSent,
    } as const,
    handler: ({ request }: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => done(null, answer(request)),
  });
  const methods = {
    Sign: method('Sign', signed),
    FetchKeys: method('FetchKeys', () => {
      fetches += 1;
      return keySet();
    }),
    Metadata: method('Metadata', () => new WireWriter().integer(1, 7200).finish()),
  };
  const entries = Object.entries(methods);
  made.addService(
    Object.fromEntries(entries.map(([name, { definition }]) => [name, definition])),
    Object.fromEntries(entries.map(([name, { handler }]) => [name, handler])),
  );
  const { promise, resolve, reject } = Promise.withResolvers<Server>();
  made.bindAsync(`unix:${path}`, ServerCredentials.createInsecure(), (error) => {
    if (error === null) resolve(made);
    else reject(error);
  });
  return promise;
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-signer-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  path = join(folder, 'signer.sock');
  signer = await startSigner();
  opened.defer(() => signer.forceShutdown());
  server = opened.use(await startTestServer({}, { inMemory: true }, { config: withSigner() }));
  client = opened.use(await ApiClient.connect(server));
  await client.send('POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata: { name: 'captain' } } });
});

function withSigner(more: object = {}) {
  const { authentication } = configDefaults;
  const serviceAccounts = { ...authentication.serviceAccounts, signingEndpoint: path, ...more };
  return { authentication: { ...authentication, serviceAccounts } };
}

afterAll(() => opened.disposeAsync());

async function ask(expirationSeconds = 3600): Promise<{ readonly code: number; readonly body: JsonObject }> {
  const url = '/api/v1/namespaces/default/serviceaccounts/captain/token';
  return client.send('POST', url, {
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds } },
  });
}

async function review(token: string): Promise<JsonObject> {
  const { body } = await client.send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
    body: { spec: { token } },
  });
  return body['status'] as JsonObject;
}

async function publishedIds(): Promise<readonly unknown[]> {
  const headers = { accept: 'application/jwk-set+json' };
  const { text } = await client.exchange('GET', '/openid/v1/jwks', { headers });
  const { keys: told } = JSON.parse(text) as { readonly keys: readonly JsonObject[] };
  return told.map(({ kid }) => kid);
}

function tokenIn({ body }: { readonly body: JsonObject }): string {
  return (body['status'] as JsonObject)['token'] as string;
}

test('tokens are signed elsewhere, and verified by its keys', async () => {
  signing = { key: pair.privateKey, header: { alg: 'RS256', kid: 'first', typ: 'JWT' } };
  const answer = await ask();
  expect(answer.code, JSON.stringify(answer.body)).toBe(201);
  expect(await review(tokenIn(answer))).toMatchObject({
    authenticated: true,
    user: { username: 'system:serviceaccount:default:captain' },
  });
  signing = { ...signing, key: other.privateKey };
  expect(await review(tokenIn(await ask()))).not.toMatchObject({ authenticated: true });
});

test('an unknown key is asked for once, and what is not for discovery is kept from it', async () => {
  signing = { key: other.privateKey, header: { alg: 'RS256', kid: 'second', typ: 'JWT' } };
  const before = fetches;
  keys = [published, { id: 'second', key: other.publicKey, isUnpublished: false }];
  expect(await review(tokenIn(await ask()))).toMatchObject({ authenticated: true });
  expect(fetches).toBe(before + 1);
  expect(await publishedIds()).toEqual(['first', 'second']);
  keys = [published, { id: 'third', key: other.publicKey, isUnpublished: true }];
  signing = { ...signing, header: { ...signing.header, kid: 'third' } };
  expect((await ask()).body).toMatchObject({
    code: 500,
    message:
      'failed to generate token: while validating header: key used for signing JWT (kid: third) is excluded from OIDC discovery docs',
  });
  expect(await publishedIds()).toEqual(['first']);
});

test.each([
  [{ alg: 'HS256', kid: 'first', typ: 'JWT' }, 'bad signing algorithm "HS256"'],
  [{ alg: 'RS256', kid: 'first', typ: 'x' }, 'bad type'],
  [{ alg: 'RS256', typ: 'JWT' }, 'key id missing'],
  [{ alg: 'RS256', kid: 'first', typ: 'JWT', jku: 'x' }, 'while parsing header JSON: json: unknown field "jku"'],
])('a token with the header %j is refused', async (header, why) => {
  signing = { key: pair.privateKey, header };
  expect((await ask()).body['message']).toBe(`failed to generate token: while validating header: ${why}`);
});

test('no token lives longer than the signer allows', async () => {
  signing = { key: pair.privateKey, header: { alg: 'RS256', kid: 'first', typ: 'JWT' } };
  expect((await ask(86_400)).body).toMatchObject({ spec: { expirationSeconds: 7200 } });
});

test('keys of files beside a signer are refused', async () => {
  const config = withSigner({ keyFiles: ['x'] });
  await expect(startTestServer({}, { inMemory: true }, { config })).rejects.toThrow('mutually exclusive');
});

test('a server waits for a signer that is not there yet, when it starts and later', { timeout: 60_000 }, async () => {
  signer.forceShutdown();
  let hasStarted = false;
  const starting = startTestServer({}, { inMemory: true }, { config: withSigner() }).then((second) => {
    hasStarted = true;
    return second;
  });
  const pending = ask();
  await sleep(1000);
  expect(hasStarted).toBe(false);
  signer = await startSigner();
  expect((await pending).code).toBe(201);
  await using _second = await starting;
});
