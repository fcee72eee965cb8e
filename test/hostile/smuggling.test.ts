import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';
import { play, type RawResponse, type Target } from './raw-client.ts';

/*
 * Input that proxies and servers are known to parse differently (request smuggling). Where a response differs from the
 * recorded one of the reference, node's parser is the stricter one.
 */

let server: TestServer;
let target: Target;

beforeAll(async () => {
  server = await startTestServer();
  target = { url: server.url, tls: await adminTls(server.kubeconfigPath) };
});

afterAll(() => server[Symbol.asyncDispose]());

const version = 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n';
const post =
  'POST /api/v1/namespaces/default/configmaps?dryRun=All HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"smuggled"}}';
const length = `Content-Length: ${body.length}\r\n`;
const size = body.length.toString(16);
const chunked = `${size}\r\n${body}\r\n0\r\n\r\n`;
const coding = 'Transfer-Encoding: chunked\r\n';

/** Name, input and responses. With `end` the server closes the connection. */
type Case = readonly [name: string, sent: string, statuses: readonly number[], end?: 'end'];

function get(headers: string): string {
  return `GET /version HTTP/1.1\r\n${headers}\r\n`;
}

const lengths: readonly Case[] = [
  ['a length', `${post}${length}\r\n${body}${version}`, [201, 200]],
  ['chunks', `${post}${coding}\r\n${chunked}${version}`, [201, 200]],
  ['a length and chunks', `${post}${length}${coding}\r\n${chunked}${version}`, [400], 'end'],
  ['chunks and a length', `${post}${coding}${length}\r\n${chunked}${version}`, [400], 'end'],
  ['a short length and chunks', `${post}Content-Length: 5\r\n${coding}\r\n0\r\n\r\n${version}`, [400], 'end'],
  ['the same length twice', `${post}${length}${length}\r\n${body}${version}`, [400], 'end'],
  ['two lengths', `${post}${length}Content-Length: 1\r\n\r\n${body}${version}`, [400], 'end'],
  ['a list of lengths', `${post}Content-Length: 69, 69\r\n\r\n${body}${version}`, [400], 'end'],
  ['a length with a sign', `${post}Content-Length: +69\r\n\r\n${body}${version}`, [400], 'end'],
  ['a negative length', `${post}Content-Length: -1\r\n\r\n${version}`, [400], 'end'],
  ['a length in hexadecimal', `${post}Content-Length: 0x10\r\n\r\n${version}`, [400], 'end'],
  ['a length with a blank in it', `${post}Content-Length: 6 9\r\n\r\n${body}${version}`, [400], 'end'],
  ['an empty length', `${post}Content-Length: \r\n\r\n${version}`, [400], 'end'],
  ['a length past 64 bits', `${post}Content-Length: 99999999999999999999\r\n\r\n${version}`, [400], 'end'],
  ['a GET with a body', get('Host: x\r\nContent-Length: 5\r\n').concat('hello', version), [200, 200]],
  ['a GET with chunks', get(`Host: x\r\n${coding}`).concat('5\r\nhello\r\n0\r\n\r\n', version), [200, 200]],
];

const codings: readonly Case[] = [
  ['an unknown coding', `${post}Transfer-Encoding: xchunked\r\n\r\n${chunked}${version}`, [501], 'end'],
  ['a blank before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n${chunked}${version}`, [400], 'end'],
  ['a tab after the colon', `${post}Transfer-Encoding:\tchunked\r\n\r\n${chunked}${version}`, [201, 200]],
  ['a vertical tab', `${post}Transfer-Encoding:\x0bchunked\r\n\r\n${chunked}${version}`, [400], 'end'],
  ['two codings', `${post}${coding}Transfer-Encoding: identity\r\n\r\n${chunked}${version}`, [400], 'end'],
  ['chunked twice', `${post}${coding}${coding}\r\n${chunked}${version}`, [400], 'end'],
  ['identity', `${post}Transfer-Encoding: identity\r\n${length}\r\n${body}${version}`, [400], 'end'],
  ['gzip in chunks', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n${chunked}${version}`, [501], 'end'],
  ['chunks in gzip', `${post}Transfer-Encoding: chunked, gzip\r\n\r\n${chunked}${version}`, [400], 'end'],
  ['capitals', `${post}Transfer-Encoding: Chunked\r\n\r\n${chunked}${version}`, [201, 200]],
  ['a folded line', `${post}Transfer-Encoding:\r\n chunked\r\n\r\n${chunked}${version}`, [400], 'end'],
  ['quotes', `${post}Transfer-Encoding: "chunked"\r\n\r\n${chunked}${version}`, [501], 'end'],
  ['chunks in HTTP/1.0', `${post.replace('1.1', '1.0')}${coding}\r\n${chunked}`, [400], 'end'],
  ['chunk extensions', `${post}${coding}\r\n${size};a=b\r\n${body}\r\n0;x\r\n\r\n${version}`, [201, 200]],
  [
    '20 KB of them',
    `${post}${coding}\r\n${size};${'a'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n${version}`,
    [413],
    'end',
  ],
  ['one that ends with LF', `${post}${coding}\r\n${size};a\n${body}\r\n0\r\n\r\n${version}`, [400], 'end'],
  ['chunks that end with LF', `${post}${coding}\r\n${size}\n${body}\n0\n\n${version}`, [400], 'end'],
  ['chunks that end with CR', `${post}${coding}\r\n${size}\r${body}\r\n0\r\n\r\n${version}`, [400], 'end'],
  ['a chunk past 64 bits', `${post}${coding}\r\nfffffffffffffffff\r\n${version}`, [400], 'end'],
  ['a negative chunk', `${post}${coding}\r\n-1\r\n${version}`, [400], 'end'],
  ['a chunk with 0x', `${post}${coding}\r\n0x${size}\r\n${body}\r\n0\r\n\r\n${version}`, [400], 'end'],
  ['a chunk that is longer than told', `${post}${coding}\r\n5\r\n${body}\r\n0\r\n\r\n${version}`, [400], 'end'],
  [
    'a trailer that tells a length',
    `${post}${coding}\r\n${chunked.slice(0, -2)}Content-Length: 3\r\n\r\n`,
    [400],
    'end',
  ],
  ['a trailer with a wrong token', `${post}${coding}\r\n${chunked.slice(0, -2)}Authorization: Bearer x\r\n\r\n`, [201]],
];

const headers: readonly Case[] = [
  ['two Host headers', get('Host: a\r\nHost: b\r\n').concat(version), [400], 'end'],
  ['two that are the same', get('Host: a\r\nhost: a\r\n').concat(version), [400], 'end'],
  ['no Host', get('').concat(version), [400], 'end'],
  ['an empty Host', get('Host:\r\n'), [200]],
  ['a Host with a blank', get('Host: a b\r\n'), [400], 'end'],
  ['a Host with a path', get('Host: a/b\r\n'), [400], 'end'],
  ['a Host with a user', get('Host: u@b\r\n'), [400], 'end'],
  ['lines that end with LF', version.replaceAll('\r', ''), [400], 'end'],
  ['one line that ends with LF', get('Host: x\nX: y\r\n'), [400], 'end'],
  ['CR in a value', get('Host: x\rX: y\r\n'), [400], 'end'],
  ['a folded line', get('Host: x\r\nX: y\r\n z\r\n'), [400], 'end'],
  ['a folded first line', get(' X: y\r\nHost: x\r\n'), [400], 'end'],
  ['a blank before the colon', get('Host : x\r\n'), [400], 'end'],
  ['no colon', get('Host: x\r\nfoo\r\n'), [400], 'end'],
  ['no name', get('Host: x\r\n: y\r\n'), [400], 'end'],
  ['NUL in a name', get('Host: x\r\nA\0b: y\r\n'), [400], 'end'],
  ['NUL in a value', get('Host: x\r\nA: y\0z\r\n'), [400], 'end'],
];

const requestLines: readonly Case[] = [
  ['an absolute target', 'GET http://host/version HTTP/1.1\r\nHost: x\r\n\r\n', [200]],
  ['one with a port, a user and a query', 'GET https://u:p@h:1/version?x=/ HTTP/1.1\r\nHost: x\r\n\r\n', [200]],
  ['one without a path', 'GET http://host HTTP/1.1\r\nHost: x\r\n\r\n', [404]],
  ['one with nothing but a query', 'GET http://host?/version HTTP/1.1\r\nHost: x\r\n\r\n', [404]],
  ['one without a Host', 'GET http://host/version HTTP/1.1\r\n\r\n', [400], 'end'],
  ['two slashes', 'GET //host/version HTTP/1.1\r\nHost: x\r\n\r\n', [404]],
  ['dots', 'GET /foo/../version HTTP/1.1\r\nHost: x\r\n\r\n', [404]],
  ['no slash', 'GET version HTTP/1.1\r\nHost: x\r\n\r\n', [400], 'end'],
  ['NUL', 'GET /ver\0sion HTTP/1.1\r\nHost: x\r\n\r\n', [400], 'end'],
  ['a blank', 'GET /version x HTTP/1.1\r\nHost: x\r\n\r\n', [400], 'end'],
  ['OPTIONS *', `OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n${version}`, [200, 200]],
  ['CONNECT', `CONNECT host:443 HTTP/1.1\r\nHost: x\r\n\r\n${version}`, [404], 'end'],
  ['TRACE', `TRACE /version HTTP/1.1\r\nHost: x\r\n\r\n${version}`, [405, 200]],
  ['HEAD', `HEAD /version HTTP/1.1\r\nHost: x\r\n\r\n${version}`, [405, 200]],
  ['a method of his own', `FROB /version HTTP/1.1\r\nHost: x\r\n\r\n${version}`, [400], 'end'],
  ['HTTP/0.9', 'GET /version\r\n\r\n', [400], 'end'],
  ['HTTP/1.0', `GET /version HTTP/1.0\r\n\r\n${version}`, [200], 'end'],
  ['HTTP/1.0 that stays', `GET /version HTTP/1.0\r\nConnection: keep-alive\r\n\r\n${version}`, [200, 200]],
  ['HTTP/2.0', 'GET /version HTTP/2.0\r\nHost: x\r\n\r\n', [505], 'end'],
  ['HTTP/3', 'GET /version HTTP/3\r\nHost: x\r\n\r\n', [400], 'end'],
  ['another connection', get('Host: x\r\nConnection: close\r\n').concat(version), [200], 'end'],
  ['the start of TLS', '\x16\x03\x01\x02\0\r\n\r\n', [400], 'end'],
];

const upgrades: readonly Case[] = [
  ['h2c', get('Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n').concat(version), [200], 'end'],
  ['another protocol', get('Host: x\r\nConnection: Upgrade\r\nUpgrade: foo\r\n').concat(version), [200], 'end'],
  ['100-continue', `${post}${length}Expect: 100-continue\r\n\r\n${body}${version}`, [100, 201, 200]],
  ['100-continue without a body', get('Host: x\r\nExpect: 100-continue\r\n').concat(version), [100, 200, 200]],
  ['100-continue before too much', `${post}Content-Length: 4000000\r\nExpect: 100-continue\r\n\r\n`, [413], 'end'],
  ['another expectation', `${post}${length}Expect: 200-ok\r\n\r\n${body}${version}`, [417], 'end'],
];

function verify(answer: RawResponse, statuses: readonly number[], end?: 'end'): void {
  expect(answer.statuses).toEqual(statuses);
  expect(answer.ended).toBe(end === 'end');
}

test.each([
  ['lengths', lengths],
  ['codings', codings],
  ['headers', headers],
  ['request lines', requestLines],
  ['upgrades and expectations', upgrades],
])('%s', async (_, cases) => {
  const answered = await Promise.all(
    cases.map(async ([name, sent]) => {
      const { statuses, ended } = await play(target, Buffer.from(sent, 'latin1'));
      return ended ? [name, statuses, 'end'] : [name, statuses];
    }),
  );
  expect(answered).toEqual(cases.map(([name, _sent, statuses, ...end]) => [name, statuses, ...end]));
});

describe('pipelining', () => {
  it.each([10, 1_000, 2_000])('%d requests get as many responses', async (count) => {
    const { statuses, ended } = await play(target, version.repeat(count));
    expect(statuses).toEqual(Array.from({ length: count }, () => 200));
    expect(ended).toBe(false);
  });

  it('a later request sees the effects of an earlier one', async () => {
    const real = post.replace('?dryRun=All', '');
    const read = 'GET /api/v1/namespaces/default/configmaps/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await play(
      target,
      `${read}${real}${length}\r\n${body}${read}${read.replace('GET', 'DELETE')}${read}`,
      // Writes wait for the disk.
      3_000,
    );
    verify(answer, [404, 201, 200, 200, 404]);
  });

  it('requests before garbage are answered', async () => {
    verify(await play(target, `${version}${version}\0\r\n\r\n${version}`), [200, 200, 400], 'end');
  });

  it('large unread responses stall those behind them', async () => {
    const openApi = 'GET /openapi/v2 HTTP/1.1\r\nHost: x\r\n\r\n';
    verify(
      await play(target, openApi.repeat(5), 1_000),
      Array.from({ length: 5 }, () => 200),
    );
  });
});

test('a WebSocket behind other requests', async () => {
  const watch =
    'GET /api/v1/namespaces?watch=1&timeoutSeconds=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nOrigin: http://x\r\n\r\n';
  for (const before of [0, 1, 5]) {
    const { statuses, text } = await play(target, version.repeat(before) + watch);
    expect(statuses).toEqual([...Array.from({ length: before }, () => 200), 101]);
    expect(text).toContain('"kube-system"');
  }
});
