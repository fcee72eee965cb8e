import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHttpsServer } from '../https-server.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { ways } from './ask-who.ts';
import { serverConfigFor } from './flags.ts';
import { json } from './token-issuer.ts';

const opened = new AsyncDisposableStack();
let folder: string;
let url: string;
let caFile: string;
/** The current handler at the provider's address. */
let answer: RequestListener;
let requestCount = 0;

const keyOf = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

function providerWith(...keys: readonly KeyObject[]): Provider {
  const jwks = keys.map((key) => ({
    ...key.export({ format: 'jwk' }),
    use: 'sig',
    kid: idOf(key),
  }));
  return new Provider(url, {
    jwks: { keys: jwks },
    clients: [{ client_id: 'crew', client_secret: 's', redirect_uris: ['https://x.example/cb'] }],
    claims: { openid: ['sub', 'roles'] },
    features: { devInteractions: { enabled: false } },
  });
}

function idOf(key: KeyObject): string {
  return String(key.export({ format: 'jwk' }).n).slice(0, 8);
}

async function tokenOf(provider: Provider, sub: string): Promise<string> {
  const client = await provider.Client.find('crew');
  const token = new provider.IdToken({ sub, roles: ['hand'] }, { ctx: {}, client });
  token.scope = 'openid';
  return token.issue({ use: 'idtoken' });
}

async function startServer(): Promise<TestServer> {
  const flags = [
    `--oidc-issuer-url=${url}`,
    '--oidc-client-id=crew',
    `--oidc-ca-file=${caFile}`,
    '--oidc-groups-claim=roles',
    '--oidc-groups-prefix=o:',
    '--authorization-mode=RBAC',
  ];
  const config = { ...serverConfigFor(flags), logging: { level: 'silent' } as const };
  return startTestServer({}, { inMemory: true }, { config });
}

const who = (server: TestServer, token: string) =>
  ways['HTTP/2']?.(server.url, { headers: [['authorization', `Bearer ${token}`]] });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-provider-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const server = await startHttpsServer({ folder }, (request, response) => {
    requestCount += 1;
    answer(request, response);
  });
  opened.use(server);
  url = server.url;
  caFile = join(folder, 'provider.crt');
  await writeFile(caFile, server.authority);
});

afterAll(() => opened.disposeAsync());

test('tokens of a provider authenticate users, even after its keys change', async () => {
  const first = keyOf();
  const provider = providerWith(first);
  answer = provider.callback();
  await using server = await startServer();
  const said = (sub: string): string => `${url}#${sub} groups=o:hand`;
  const early = await tokenOf(provider, 'ann');
  await expect.poll(() => who(server, early)).toBe(said('ann'));
  const second = providerWith(keyOf(), first);
  answer = second.callback();
  expect(await who(server, await tokenOf(second, 'bob'))).toBe(said('bob'));
  expect(await who(server, await tokenOf(provider, 'cat'))).toBe(said('cat'));
  // Revoked keys are forgotten once new ones have been fetched.
  const third = providerWith(keyOf());
  answer = third.callback();
  expect(await who(server, await tokenOf(third, 'dan'))).toBe(said('dan'));
  expect(await who(server, await tokenOf(provider, 'eve'))).toBe('401');
});

test('an unavailable provider does not affect users with known keys', async () => {
  const provider = providerWith(keyOf());
  answer = provider.callback();
  await using server = await startServer();
  await expect.poll(async () => who(server, await tokenOf(provider, 'ann'))).not.toBe('401');
  answer = (request) => void request.socket.destroy();
  expect(await who(server, await tokenOf(provider, 'bob'))).toBe(`${url}#bob groups=o:hand`);
  const other = providerWith(keyOf());
  const stranger = await tokenOf(other, 'cat');
  expect(await who(server, stranger)).toBe('401');
  answer = other.callback();
  expect(await who(server, stranger)).toBe(`${url}#cat groups=o:hand`);
});

test('a slow provider delays nobody else, and is queried once for all who wait', async () => {
  const provider = providerWith(keyOf());
  answer = provider.callback();
  await using server = await startServer();
  await expect.poll(async () => who(server, await tokenOf(provider, 'ann'))).not.toBe('401');
  const late = providerWith(keyOf());
  const { promise: waited, resolve: goOn } = Promise.withResolvers<void>();
  answer = (request, response) => void waited.then(() => late.callback()(request, response));
  requestCount = 0;
  const waiting = ['a', 'b', 'c'].map(async (sub) => who(server, await tokenOf(late, sub)));
  await expect.poll(() => requestCount).toBe(1);
  expect(await who(server, await tokenOf(provider, 'bob'))).toBe(`${url}#bob groups=o:hand`);
  goOn();
  expect(await Promise.all(waiting)).toEqual(['a', 'b', 'c'].map((sub) => `${url}#${sub} groups=o:hand`));
  expect(requestCount).toBe(1);
});

test.each([
  ['says that it is another', (): object => ({ issuer: `${url}/other`, jwks_uri: `${url}/jwks` })],
  ['has no keys', (): object => ({ issuer: url })],
  ['has keys in no set', (): object => ({ issuer: url, jwks_uri: `${url}/x` })],
])('a provider that %s is not trusted', async (_, told) => {
  const provider = providerWith(keyOf());
  requestCount = 0;
  answer = (_request, response) => json(response, told());
  await using server = await startServer();
  await expect.poll(() => requestCount).toBeGreaterThan(0);
  expect(await who(server, await tokenOf(provider, 'ann'))).toBe('401');
  expect(await ways['HTTP/1.1']?.(server.url, {})).toBe('system:anonymous');
});
