import { expect, test } from 'vitest';
import type { Authenticator, Credentials, Identity } from '../api/contracts/authentication.ts';
import { Metric, type MetricDefinition } from '../api/metrics/metric.ts';
import { unauthorized } from '../api/errors/status-errors.ts';
import { generateKeyPair, issueCertificate } from '../codec/x509/issue-certificate.ts';
import type { AuthenticatorContext } from './authenticator-context.ts';
import { type AuthenticatorRow, authenticatorTable, makeAuthenticators } from './authenticator-table.ts';

const identity = (name: string): Identity => ({ user: { name, uid: '', groups: [], extra: {} } });

/** Credentials with only the given parts. */
function shows(shown: Partial<Credentials>): Credentials {
  return {
    connection: {},
    path: '/',
    header: () => undefined,
    headersLike: () => [],
    peer: () => undefined,
    webSocketToken: undefined,
    ...shown,
  };
}

const withToken = (token: string): Credentials =>
  shows({ header: (name) => (name === 'authorization' ? `Bearer ${token}` : undefined) });

const keys = generateKeyPair();
const name = { commonName: 'ca' };
const dates = { notBeforeMs: 0, notAfterMs: 1_000 };
const context = {
  clock: { now: () => 0 },
  metric: (definition: MetricDefinition) => new Metric(definition),
  ownAuthority: issueCertificate({ subject: name, usage: 'authority', ...dates }, keys.publicKey, { name, ...keys }),
  config: {
    anonymous: true,
    clientCaFile: undefined,
    tokenAuthFile: undefined,
    requestHeader: { clientCaFile: undefined },
    tokenWebhook: { configFile: undefined },
    oidc: { isGiven: false },
  },
};

async function requestsOf(
  tokens: Authenticator<{ readonly token: string }>['authenticate'],
  rows: readonly AuthenticatorRow[] = authenticatorTable,
  more: Partial<AuthenticatorContext> = {},
): Promise<Authenticator> {
  const tables = { tokens: [{ name: 'tokens', make: () => ({ authenticate: tokens }) }], requests: rows };
  // All that these rows need.
  const { requests } = await makeAuthenticators(tables, { ...context, ...more } as unknown as AuthenticatorContext);
  return requests;
}

test('results known at once are returned synchronously', async () => {
  const requests = await requestsOf(({ token }) => (token === 'a' ? identity('alice') : undefined));
  expect(requests.authenticate(withToken('a'))).toEqual(identity('alice'));
  expect(requests.authenticate(shows({}))).toMatchObject({ user: { name: 'system:anonymous' } });
});

test('anonymous requests may be limited to some paths', async () => {
  const anonymousPaths = (path: string): boolean => path === '/version';
  const requests = await requestsOf(() => undefined, authenticatorTable, { anonymousPaths });
  expect(requests.authenticate(shows({ path: '/version' }))).toMatchObject({ user: { name: 'system:anonymous' } });
  expect(requests.authenticate(shows({ path: '/api' }))).toBeUndefined();
});

test('an unknown token is refused, synchronously or later, and does not fall back to anonymous', async () => {
  const sync = await requestsOf(() => undefined);
  expect(() => sync.authenticate(withToken('b'))).toThrow('Unauthorized');
  const late = await requestsOf(() => Promise.resolve(undefined));
  await expect(late.authenticate(withToken('b'))).rejects.toThrow('Unauthorized');
});

test('a refusal counts only if no authenticator accepts the user', async () => {
  const refusing = { name: 'refusing', make: () => ({ authenticate: () => Promise.reject(unauthorized()) }) };
  const requests = await requestsOf(({ token }) => identity(token), [refusing, ...authenticatorTable]);
  expect(await requests.authenticate(withToken('c'))).toEqual(identity('c'));
  await expect(requests.authenticate(shows({}))).rejects.toThrow('Unauthorized');
});

test('a WebSocket client authenticates through its subprotocol', async () => {
  const requests = await requestsOf(({ token }) => (token === 'd' ? identity('dora') : undefined));
  expect(requests.authenticate(shows({ webSocketToken: 'd' }))).toEqual(identity('dora'));
  expect(() => requests.authenticate(shows({ webSocketToken: 'e' }))).toThrow('Unauthorized');
});

test('a certificate is read once for each connection', async () => {
  const requests = await requestsOf(() => undefined);
  const connection = {};
  let reads = 0;
  const peer: Credentials['peer'] = () => {
    reads += 1;
    return undefined;
  };
  void requests.authenticate(shows({ connection, peer }));
  void requests.authenticate(shows({ connection, peer }));
  expect(reads).toBe(1);
});
