import { createPublicKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyId } from '../../src/authentication/service-account/keys.ts';
import { nameIn, ways } from './ask-who.ts';
import { review, serverNames, startServers } from './both-servers.ts';
import { configurationOf, type Issuers, openIdRows } from './openid-rows.ts';
import { idToken, json, startTokenIssuer } from './token-issuer.ts';

const opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'binnacle-openid-'));
opened.defer(() => rm(folder, { recursive: true, force: true }));
const issuers: Issuers = {
  plain: opened.use(await startTokenIssuer(folder, 'plain')),
  rules: opened.use(await startTokenIssuer(folder, 'rules')),
};
const { plain, rules } = issuers;
const now = Math.floor(Date.now() / 1_000);
const kid = keyId(createPublicKey(plain.key));
rules.answers.set('/elsewhere', (_, response) => json(response, { issuer: rules.url, jwks_uri: `${rules.url}/keys` }));
const rows = openIdRows(issuers);
let urls: { readonly [name: string]: string };

beforeAll(async () => {
  const file = join(folder, 'authentication.yaml');
  await writeFile(file, JSON.stringify(configurationOf(issuers)));
  const made = opened.use(await startServers(() => Promise.resolve([`--authentication-config=${file}`])));
  ({ urls } = made);
}, 120_000);

afterAll(() => opened.disposeAsync());

describe.each(serverNames)('%s', (name) => {
  test('discovers the issuers', { timeout: 60_000 }, async () => {
    const headers = [['authorization', `Bearer ${rows[0]?.token}`]] as const;
    await expect.poll(() => ways['HTTP/1.1']?.(urls[name] ?? '', { headers }), { timeout: 50_000 }).not.toBe('401');
  });

  describe.each(Object.entries(ways))('authenticates over %s', (way, ask) => {
    test.each(rows)('$name', async ({ token, said }) => {
      const heard = await ask(urls[name] ?? '', { headers: [['authorization', `Bearer ${token}`]] });
      expect(heard).toBe(way === 'WebSocket' ? nameIn(said) : said);
    });
  });
});

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with a distributed claim for the roles, at a path of the issuer. */
function pointingTo(path: string, source: object = {}): string {
  const claims = {
    iss: plain.url,
    aud: 'crew',
    exp: now + 600,
    sub: 's1',
    email: 'pat@example.com',
    hd: 'example.com',
    _claim_names: { roles: 'a' },
    _claim_sources: { a: { endpoint: `${plain.url}${path}`, ...source } },
  };
  return idToken(claims, plain.key, kid);
}

describe.each(serverNames)('%s with a distributed claim for roles', (name) => {
  const who = (token: string) =>
    ways['HTTP/1.1']?.(urls[name] ?? '', { headers: [['authorization', `Bearer ${token}`]] });
  const said = 'm:pat@example.com uid=s1';
  const answer = (path: string, jwt: string): void => {
    plain.answers.set(path, (request, response) => {
      const isAllowed = path !== '/secret' || request.headers.authorization === 'Bearer hush';
      response.writeHead(isAllowed ? 200 : 403).end(jwt);
    });
  };
  const signed = (claims: object): string =>
    idToken({ iss: plain.url, aud: 'crew', exp: now + 600, ...claims }, plain.key, kid);

  test.each([{ endpoint: undefined }, { endpoint: '' }, { endpoint: undefined, JWT: 'x' }])(
    'whose source %j has no endpoint: no roles',
    async (source) => {
      expect(await who(pointingTo('/claims', source))).toBe(said);
    },
  );

  test('that resolves', { timeout: 60_000 }, async () => {
    answer('/claims', signed({ roles: ['far'] }));
    answer('/secret', signed({ roles: ['hidden'] }));
    // The keys are fetched on first use of the issuer.
    await expect
      .poll(() => who(pointingTo('/claims')), { timeout: 50_000, interval: 500 })
      .toBe(`${said} groups=r:far`);
    expect(await who(pointingTo('/secret', { access_token: 'hush' }))).toBe(`${said} groups=r:hidden`);
  });

  test.each([
    ['nothing', '/nothing', ''],
    ['no token', '/text', 'hello'],
    ['other claims', '/other', signed({ groups: ['x'] })],
    ['an expired token', '/expired', signed({ roles: ['x'], exp: now - 60 })],
    ['a token of others', '/others', `${part({ alg: 'none' })}.${part({ iss: plain.url, roles: ['x'] })}.`],
    ['a secret', '/secret', signed({ roles: ['x'] })],
  ])('that fails with %s', async (_, path, jwt) => {
    if (jwt !== '') answer(path, jwt);
    expect(await who(pointingTo(path))).toBe('401');
  });
});

/** Without timestamps. */
function stable(status: unknown): unknown {
  return JSON.parse(
    JSON.stringify(status).replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[^"]*?(?= before|\)|")/g, 'TIME'),
  );
}

describe.skipIf(serverNames.length < 2)('reviews agree', () => {
  test.each(rows)('$name', async ({ token }) => {
    const [ours, theirs] = await Promise.all(serverNames.map((name) => review(urls[name] ?? '', token)));
    expect(stable(ours)).toEqual(stable(theirs));
  });
});
