import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { anonymousRequest } from './anonymous-request.ts';

// Answers as those of kube-apiserver 1.37.1.

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  const authorization = { ...configDefaults.authorization, modes: ['RBAC'] };
  server = await startTestServer({}, {}, { config: { authorization } });
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const parsing = 'strconv.ParseUint: parsing';

test.each([
  ['PUT', '0', 200, 'successfully set klog.logging.verbosity to 0'],
  ['PUT', '00', 200, 'successfully set klog.logging.verbosity to 00'],
  ['PUT', 'abc', 400, `${parsing} "abc": invalid syntax`],
  ['PUT', '-1', 400, `${parsing} "-1": invalid syntax`],
  ['PUT', '+3', 400, `${parsing} "+3": invalid syntax`],
  ['PUT', '', 400, `${parsing} "": invalid syntax`],
  ['PUT', '3\n', 400, String.raw`${parsing} "3\n": invalid syntax`],
  ['PUT', '99999999999', 400, `${parsing} "99999999999": value out of range`],
  [
    'PUT',
    '3000000000',
    400,
    'failed set klog.logging.verbosity 3000000000: strconv.ParseInt: parsing "3000000000": value out of range',
  ],
  ['POST', '3', 406, 'unsupported http method'],
  ['GET', '', 406, 'unsupported http method'],
  ['DELETE', '', 406, 'unsupported http method'],
])('%s /debug/flags/v %j', async (method, body, code, said) => {
  const answer = await client.exchange(method, '/debug/flags/v', body === '' ? {} : { body: Buffer.from(body) });
  expect([answer.code, answer.text, answer.headers['content-type']]).toEqual([code, `${said}\n`, 'text/plain']);
});

test.each(['/debug/flags', '/debug/flags/', '/debug/flags/vmodule'])('%s lists the flags', async (path) => {
  const answer = await client.exchange('GET', path, {});
  expect([answer.code, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.text).toContain('<tr>v<br>');
});

test('only who has the permission changes them', async () => {
  const refused = await anonymousRequest('PUT', `${server.url}/debug/flags/v`);
  expect([refused.code, refused.text]).toEqual([403, expect.stringContaining('cannot put path \\"/debug/flags/v\\"')]);
});

test('at the debug socket they need none', async () => {
  const socketPath = join(tmpdir(), `binnacle-flags-${process.pid}.sock`);
  const profiling = { enabled: false, socketPath };
  await using other = await startTestServer({}, { inMemory: true }, { config: { profiling } });
  const answers: [number, string][] = [];
  for (const [method, body] of [
    ['PUT', '0'],
    ['PUT', 'x'],
    ['GET', ''],
  ] as const) {
    const call = request({ socketPath, path: '/debug/flags/v', method }).end(body);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    // oxlint-disable-next-line no-await-in-loop -- as above
    answers.push([response.statusCode ?? 0, await text(response)]);
  }
  expect(answers).toEqual([
    [200, 'successfully set klog.logging.verbosity to 0\n'],
    [400, `${parsing} "x": invalid syntax\n`],
    [406, 'unsupported http method\n'],
  ]);
  expect(other.url).toMatch(/^https:/);
});

test('they are not there without profiling', async () => {
  const profiling = { ...configDefaults.profiling, enabled: false };
  await using other = await startTestServer({}, { inMemory: true }, { config: { profiling } });
  using asking = await ApiClient.connect(other);
  expect(await asking.exchange('PUT', '/debug/flags/v', { body: Buffer.from('0') })).toMatchObject({ code: 404 });
});
