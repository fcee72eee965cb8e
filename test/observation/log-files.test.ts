import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { anonymousRequest } from './anonymous-request.ts';

// Answers as those of kube-apiserver 1.37.1 with --enable-logs-handler, except that nothing is served as a web page.

let folder: string;
let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-logs-'));
  const shown = join(folder, 'log');
  await mkdir(join(shown, 'sub'), { recursive: true });
  await mkdir(join(shown, 'pages'));
  await writeFile(join(folder, 'secret'), 'not for you');
  await writeFile(join(shown, 'a.log'), 'hello\n');
  await writeFile(join(shown, 'b <x>&"%.txt'), '<b>\n');
  await writeFile(join(shown, '1:2?#'), 'colon\n');
  await writeFile(join(shown, 'bin'), Buffer.from([0, 1, 2]));
  await writeFile(join(shown, 'c.json'), '{"a":1}');
  await writeFile(join(shown, 'page.html'), '<html><script>alert(1)</script>');
  await writeFile(join(shown, 'empty'), '');
  await writeFile(join(shown, 'sub', 'deep.log'), 'deep\n');
  await writeFile(join(shown, 'large'), Buffer.alloc(3_000_000, 'x'));
  await symlink(join(shown, 'sub', 'deep.log'), join(shown, 'link'));
  execFileSync('mkfifo', [join(shown, 'pipe')]);
  await utimes(join(shown, 'a.log'), 1_000, 1_000);
  const authorization = { ...configDefaults.authorization, modes: ['RBAC'] };
  server = await startTestServer({}, {}, { config: { logsFolder: shown, authorization } });
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const plain = 'text/plain; charset=utf-8';

test.each([
  ['/logs/a.log', 200, plain, 'hello\n'],
  ['/logs/a.log/', 200, plain, 'hello\n'],
  ['/logs//a.log', 200, plain, 'hello\n'],
  ['/logs/b%20%3Cx%3E&%22%25.txt', 200, plain, '<b>\n'],
  ['/logs/1:2%3F%23', 200, plain, 'colon\n'],
  ['/logs/bin', 200, 'application/octet-stream', '\0\u0001\u0002'],
  ['/logs/c.json', 200, 'application/json', '{"a":1}'],
  ['/logs/page.html', 200, plain, '<html><script>alert(1)</script>'],
  ['/logs/empty', 200, plain, ''],
  ['/logs/link', 200, plain, 'deep\n'],
  ['/logs/sub/deep.log', 200, plain, 'deep\n'],
  ['/logs/none', 404, plain, '404 page not found\n'],
  ['/logs/a.log/none', 404, plain, '404 page not found\n'],
  ['/logs/pipe', 404, plain, '404 page not found\n'],
  ['/logs/a%00b', 404, plain, '404 page not found\n'],
  [`/logs/${'a'.repeat(300)}`, 404, plain, 'file not found\n'],
  ['/logs/../secret', 400, plain, 'invalid URL path\n'],
  ['/logs/..%2fsecret', 400, plain, 'invalid URL path\n'],
  ['/logs/%2e%2e/secret', 400, plain, 'invalid URL path\n'],
  ['/logs/sub/../../secret', 400, plain, 'invalid URL path\n'],
  ['/logs/sub/..', 400, plain, 'invalid URL path\n'],
  ['/configz', 404, plain, '404 page not found\n'],
])('GET %s', async (path, code, type, text) => {
  const answer = await client.exchange('GET', path, {});
  expect([answer.code, answer.headers['content-type'], answer.text]).toEqual([code, type, text]);
});

test('a large file arrives whole', async () => {
  const { text, headers } = await client.exchange('GET', '/logs/large', {});
  expect([text.length, headers['content-length']]).toEqual([3_000_000, '3000000']);
});

test('a folder is a list of links to what it contains', async () => {
  const { code, headers, text } = await client.exchange('GET', '/logs/', {});
  expect([code, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const links = [...text.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, shown]) => [href, shown]);
  expect(links).toEqual([
    ['./1:2%3F%23', '1:2?#'],
    ['a.log', 'a.log'],
    ['b%20%3Cx%3E&amp;%22%25.txt', 'b &lt;x&gt;&amp;&#34;%.txt'],
    ['bin', 'bin'],
    ['c.json', 'c.json'],
    ['empty', 'empty'],
    ['large', 'large'],
    ['link', 'link'],
    ['page.html', 'page.html'],
    ['pages/', 'pages/'],
    ['pipe', 'pipe'],
    ['sub/', 'sub/'],
  ]);
});

test.each([
  ['/logs', 'logs/'],
  ['/logs?a=b', 'logs/?a=b'],
  ['/logs/sub', 'sub/'],
  ['/logs/sub/index.html', './'],
])('%s leads to %s', async (path, location) => {
  const answer = await client.exchange('GET', path, {});
  expect([answer.code, answer.headers['location']]).toEqual([301, location]);
});

test.each(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is not allowed', async (method) => {
  expect(await client.exchange(method, '/logs/a.log', {})).toMatchObject({ code: 405 });
});

describe('parts of a file', () => {
  test.each([
    ['bytes=1-2', 206, 'el', 'bytes 1-2/6'],
    ['bytes=3-', 206, 'lo\n', 'bytes 3-5/6'],
    ['bytes=-2', 206, 'o\n', 'bytes 4-5/6'],
    ['bytes=-100', 206, 'hello\n', 'bytes 0-5/6'],
    ['bytes=0-100', 206, 'hello\n', 'bytes 0-5/6'],
    ['bytes=100-', 416, 'invalid range: failed to overlap\n', 'bytes */6'],
    ['bytes=0-1,3-4', 200, 'hello\n', undefined],
    ['bytes=2-1', 416, 'invalid range\n', undefined],
    ['lines=1-2', 416, 'invalid range\n', undefined],
  ])('%s', async (range, code, text, shown) => {
    const answer = await client.exchange('GET', '/logs/a.log', { headers: { range } });
    expect([answer.code, answer.text, answer.headers['content-range']]).toEqual([code, text, shown]);
  });
});

test('what a client has already is not sent again', async () => {
  const ifModified = async (date: string) =>
    client.exchange('GET', '/logs/a.log', { headers: { 'if-modified-since': date } });
  const since = 'Thu, 01 Jan 1970 00:16:40 GMT';
  expect(await ifModified(since)).toMatchObject({ code: 304, text: '', headers: { 'last-modified': since } });
  expect(await ifModified('Thu, 01 Jan 1970 00:16:39 GMT')).toMatchObject({ code: 200, text: 'hello\n' });
  expect(await ifModified('nonsense')).toMatchObject({ code: 200, text: 'hello\n' });
});

test('only who has the permission sees them', async () => {
  for (const path of ['/logs', '/logs/', '/logs/a.log', '/configz']) {
    const { code, text } = await anonymousRequest('GET', `${server.url}${path}`);
    expect([code, text]).toEqual([403, expect.stringContaining(`cannot get path \\"${path}\\"`)]);
  }
});

test('a server shows no files unless it is told to', async () => {
  await using other = await startTestServer({}, { inMemory: true });
  using asking = await ApiClient.connect(other);
  expect(await asking.exchange('GET', '/logs/', {})).toMatchObject({ code: 404 });
  expect((await asking.send('GET', '/')).body).toMatchObject({ paths: expect.not.arrayContaining(['/logs']) });
  expect((await client.send('GET', '/')).body).toMatchObject({ paths: expect.arrayContaining(['/logs']) });
});
