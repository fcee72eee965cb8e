import { once } from 'node:events';
import { connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { startTestServer } from '../server-fixture.ts';
import { root, serverNames, startServers } from './both-servers.ts';

const opened = new AsyncDisposableStack();
let urls: { readonly [name: string]: string };

beforeAll(async () => {
  const started = opened.use(await startServers(async () => []));
  ({ urls } = started);
}, 120_000);

afterAll(() => opened.disposeAsync());

/** The status of a first request, and whether the connection is good for a second. */
async function ask(
  url: string,
  path: string,
  token?: string,
): Promise<{ readonly code: number; readonly stays: boolean }> {
  const session = connect(url, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  let goesAway = false;
  session.on('goaway', () => (goesAway = true));
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const stream = session.request({ ':path': path, accept: 'application/json', ...authorization });
  const [headers] = (await once(stream, 'response')) as [{ readonly ':status': number }];
  stream.resume();
  await once(stream, 'close');
  await sleep(200);
  const stays = !goesAway && !session.closed;
  session.destroy();
  return { code: headers[':status'], stays };
}

describe.each(serverNames)('%s', (name) => {
  const of = (path: string, token?: string) => ask(urls[name] ?? '', path, token);

  test('the anonymous get one answer from a connection', async () => {
    expect(await of('/version')).toEqual({ code: 200, stays: false });
    expect(await of('/api/v1/pods')).toEqual({ code: 403, stays: false });
  });

  test('so do those who are refused', async () => {
    expect(await of('/version', 'nobody')).toEqual({ code: 401, stays: false });
  });

  test('users keep their connections', async () => {
    expect(await of('/version', root)).toEqual({ code: 200, stays: true });
    expect(await of('/api/v1/pods', 'tok-tom')).toEqual({ code: 403, stays: true });
  });
});

test('without the gate everybody keeps connections', async () => {
  const featureGates = new Map([['UnauthenticatedHTTP2DOSMitigation', false]]);
  const config = { api: { ...configDefaults.api, featureGates } };
  await using server = await startTestServer({}, { inMemory: true }, { config });
  expect(await ask(server.url, '/version')).toEqual({ code: 200, stays: true });
  expect(await ask(server.url, '/version', 'nobody')).toEqual({ code: 401, stays: true });
});

test('without authorization, the anonymous may only ask for health and version', async () => {
  await using server = await startTestServer();
  const codes: { [path: string]: number } = {};
  for (const path of ['/api', '/api/v1/pods', '/healthz/ping', '/version']) {
    codes[path] = (await ask(server.url, path)).code;
  }
  expect(codes).toEqual({ '/api': 401, '/api/v1/pods': 401, '/healthz/ping': 200, '/version': 200 });
});
