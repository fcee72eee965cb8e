import { createPublicKey } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyId } from '../../src/authentication/service-account/keys.ts';
import { TokenClient } from '../authorization/token-client.ts';
import { ways } from './ask-who.ts';
import { root, serverNames, startServers } from './both-servers.ts';
import { idToken, startTokenIssuer, type TokenIssuer } from './token-issuer.ts';

const opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'binnacle-reload-'));
opened.defer(() => rm(folder, { recursive: true, force: true }));
const first = opened.use(await startTokenIssuer(folder, 'first'));
const second = opened.use(await startTokenIssuer(folder, 'second'));
let urls: { readonly [name: string]: string };
const fileOf = (name: string): string => join(folder, `${name}.yaml`);

const anonymous = { enabled: true, conditions: [{ path: '/livez' }, { path: '/readyz' }, { path: '/version' }] };

function configuration(issuers: readonly TokenIssuer[], more: object = { anonymous }): string {
  const jwt = issuers.map(({ url, authority }) => ({
    issuer: { url, audiences: ['crew'], certificateAuthority: authority },
    claimMappings: { username: { claim: 'sub', prefix: '' } },
  }));
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt,
    ...more,
  });
}

async function replace(name: string, text: string): Promise<void> {
  await writeFile(`${fileOf(name)}.new`, text);
  await rename(`${fileOf(name)}.new`, fileOf(name));
}

let made = 0;

/** A new token each time: results are cached by token. */
async function who(name: string, { url, key }: TokenIssuer): Promise<string | undefined> {
  const claims = { iss: url, aud: 'crew', exp: Math.floor(Date.now() / 1_000) + 600, sub: 'ann', n: (made += 1) };
  const token = idToken(claims, key, keyId(createPublicKey(key)));
  return ways['HTTP/1.1']?.(urls[name] ?? '', { headers: [['authorization', `Bearer ${token}`]] });
}

async function reloads(name: string): Promise<{ readonly [status: string]: number }> {
  using client = new TokenClient(urls[name] ?? '');
  const { body } = await client.send({ method: 'GET', path: '/metrics', token: root });
  const found = (body as string).matchAll(
    /^apiserver_authentication_config_controller_automatic_reloads_total\{apiserver_id_hash="sha256:\w+",status="(\w+)"\} (\d+)|^apiserver_authentication_config_controller_automatic_reloads_total\{status="(\w+)",apiserver_id_hash="sha256:\w+"\} (\d+)/gm,
  );
  return Object.fromEntries([...found].map(([, a, b, c, d]) => [a ?? c ?? '', Number(b ?? d)]));
}

/** Observed verifications by result. */
async function verifications(name: string): Promise<{ readonly [result: string]: number }> {
  using client = new TokenClient(urls[name] ?? '');
  const { body } = await client.send({ method: 'GET', path: '/metrics', token: root });
  const own = 'apiserver_authentication_jwt_authenticator_latency_seconds';
  const lines = (body as string).split('\n').filter((line) => line.startsWith(`${own}_count{`));
  for (const line of lines) expect(line).toMatch(/jwt_issuer_hash="sha256:[0-9a-f]{64}"/);
  expect(body).toContain(`${own}_bucket{`);
  return Object.fromEntries(
    lines.map((line) => [/result="(\w+)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]),
  );
}

beforeAll(async () => {
  const started = await startServers(async (_, name) => {
    await writeFile(fileOf(name), configuration([first]));
    return [`--authentication-config=${fileOf(name)}`];
  });
  opened.use(started);
  ({ urls } = started);
}, 120_000);

afterAll(() => opened.disposeAsync());

describe.each(serverNames)('%s', (name) => {
  const waiting = { timeout: 60_000, interval: 500 };

  test('tells how long tokens took to verify', async () => {
    await expect.poll(() => who(name, first), waiting).toBe('ann');
    const before = await verifications(name);
    expect(await who(name, first)).toBe('ann');
    expect(await who(name, { ...first, key: second.key })).toBe('401');
    const { success = 0, failure = 0 } = await verifications(name);
    expect({ success: success - (before['success'] ?? 0), failure: failure - (before['failure'] ?? 0) }).toEqual({
      success: 1,
      failure: 1,
    });
  });

  test('reads the file again when it changes', { timeout: 200_000 }, async () => {
    await expect.poll(() => who(name, first), waiting).toBe('ann');
    expect(await who(name, second)).toBe('401');
    await replace(name, configuration([first, second]));
    await expect.poll(() => who(name, second), waiting).toBe('ann');
    expect(await who(name, first)).toBe('ann');
    expect(await reloads(name)).toEqual({ success: 1 });
    await replace(name, configuration([second]));
    await expect.poll(() => who(name, first), waiting).toBe('401');
    expect(await reloads(name)).toEqual({ success: 2 });
  });

  test.each([
    ['is no configuration', 'kind: Pod'],
    ['has a field that nobody knows', configuration([second], { other: 1 })],
    ['has an issuer without https', configuration([{ ...second, url: 'http://x.example' }])],
    ['lets others in without credentials', configuration([first, second], { anonymous: { enabled: true } })],
    ['says nothing of who is let in without credentials', configuration([first, second], {})],
  ])('a file that %s changes nothing', { timeout: 100_000 }, async (_, text) => {
    const { failure = 0, success } = await reloads(name);
    await replace(name, text);
    await expect.poll(() => reloads(name), waiting).toEqual({ success, failure: failure + 1 });
    expect(await who(name, second)).toBe('ann');
    expect(await who(name, first)).toBe('401');
  });

  test.each([
    ['/livez', 200],
    ['/version', 200],
    ['/version/', 401],
    ['/healthz', 401],
    ['/livez/ping', 401],
    ['/api', 401],
    ['/nowhere', 401],
  ])('a request without credentials to %s gets %d', async (path, code) => {
    const answer = await fetchCode(`${urls[name]}${path}`);
    expect(answer).toBe(code);
  });
});

async function fetchCode(url: string): Promise<number> {
  const { request } = await import('node:https');
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const call = request(url, { rejectUnauthorized: false, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  call.on('error', reject);
  call.end();
  return promise;
}
