import { type ClientHttp2Session, connect } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, play, Prober } from './raw-client.ts';
import { type ServerTarget, startServerTarget } from './server-target.ts';

let server: ServerTarget;
let session: ClientHttp2Session;

beforeAll(async () => {
  server = await startServerTarget();
  session = connect(server.admin.url, server.admin.tls);
  // Generated on the first request.
  await ask(session, { ':path': '/openapi/v2' });
});

afterAll(async () => {
  session.destroy();
  await server[Symbol.asyncDispose]();
});

/** Large enough to reveal repeated scans. */
const sizeBytes = 60_000;
/** More than a request of this size may block the server, and less than any superlinear scan would. */
const patienceMs = 2_000;

const fillers: readonly string[] = [
  ' ', ',', ';', '=', '"', '/', '*', '.', '1', '0', 'a', '-', '%', '%41', '\\"', '(', '!', '&', '+', 'a,', 'a;', 'a=', ', ', '; ',
  'a/b,', 'a/b;q=0.1,', 'gzip ', 'gzip;', 'q=0.0', 'a=b;', 'a in (b),', '!a,', '1s', 'Bearer ', 'é',
]; // prettier-ignore

const headers: readonly (readonly [name: string, before: string, after: string])[] = [
  ['accept', '', ''],
  ['accept', 'application/json', 'x'],
  ['accept', 'application/json;q=', 'x'],
  ['accept', 'application/json;as=', ';g=meta.k8s.io'],
  ['accept-encoding', '', 'x'],
  ['accept-encoding', 'gzip', ';q=x'],
  ['accept-encoding', 'gzip;q=0.', 'x'],
  ['content-type', 'application/json', 'x'],
  ['content-type', 'application/json;', '='],
  ['content-type', 'application/json; a="', ''],
  ['user-agent', '', '/x'],
  ['if-none-match', '"', '"'],
  ['authorization', 'Basic ', 'x'],
  ['audit-id', '', 'x'],
  ['sec-websocket-protocol', '', 'x'],
  ['x-anything', '', 'x'],
];

describe('a header of 60 KB takes linear time', () => {
  const paths = ['/readyz', '/openapi/v2', '/api/v1/namespaces', '/metrics'];

  it.each(headers)('%s: %s...%s', async (name, before, after) => {
    await using prober = new Prober(server.nobody);
    for (const [index, filler] of fillers.entries()) {
      const value = `${before}${filler.repeat(sizeBytes / filler.length)}${after}`;
      await ask(session, { ':path': paths[index % paths.length] ?? '', [name]: value });
    }
    expect(prober.worstMs).toBeLessThan(patienceMs);
  });
});

describe('so does a query of 60 KB', () => {
  const parameters = [
    'labelSelector', 'fieldSelector', 'continue', 'limit', 'resourceVersion', 'resourceVersionMatch', 'timeout', 'timeoutSeconds',
    'pretty', 'dryRun', 'fieldManager', 'fieldValidation', 'gracePeriodSeconds', 'propagationPolicy', 'verbose', 'exclude', '',
  ]; // prettier-ignore

  it.each(parameters)('%s', async (name) => {
    await using prober = new Prober(server.nobody);
    for (const filler of fillers) {
      const value = encodeURI(filler).repeat(sizeBytes / encodeURI(filler).length);
      const target = `/api/v1/namespaces/default/configmaps?${name === '' ? value : `${name}=${value}`}`;
      await ask(session, { ':path': target });
      await ask(session, { ':path': target, ':method': 'DELETE' });
      await ask(session, { ':path': target.replace('/api/v1/namespaces/default/configmaps', '/readyz') });
    }
    expect(prober.worstMs).toBeLessThan(patienceMs);
  });

  it.each(['/', '/a', '/%41', '/..', '/namespaces', '%', 'é'])('and a path of %s', async (part) => {
    await using prober = new Prober(server.nobody);
    for (const start of ['', '/', '/api/v1', '/apis/apps/v1', '/openapi/v3', '/healthz']) {
      await ask(session, { ':path': `/${start}${encodeURI(part).repeat(sizeBytes / encodeURI(part).length)}` });
    }
    expect(prober.worstMs).toBeLessThan(patienceMs);
  });
});

describe('the head of a request', () => {
  const request = (lines: string): string => `GET /version HTTP/1.1\r\nHost: x\r\n${lines}\r\n`;

  it.each([
    ['60 KB in one header', request(`A: ${'a'.repeat(60_000)}\r\n`), 200],
    ['more than 64 KiB', request(`A: ${'a'.repeat(70_000)}\r\n`), 431],
    ['900 headers', request('A: b\r\n'.repeat(900)), 200],
    ['more than 1,000', request('A: b\r\n'.repeat(1_001)), 431],
    ['a target of 60 KB', request('').replace('version', `version?${'a'.repeat(60_000)}`), 200],
    ['one of more than 64 KiB', request('').replace('version', `version?${'a'.repeat(70_000)}`), 431],
  ])('over HTTP/1.1: %s', async (_, sent, status) => {
    expect((await play(server.admin, sent)).statuses).toEqual([status]);
  });

  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 'b']));

  it.each([
    ['60 KB in one header', { a: 'a'.repeat(60_000) }, 200],
    ['more than 64 KiB', { a: 'a'.repeat(70_000) }, 0],
    ['900 headers', many(900), 200],
    ['more than 1,000', many(1_100), 0],
  ])('over HTTP/2: %s', async (_, lines, status) => {
    const other = connect(server.admin.url, server.admin.tls);
    expect(await ask(other, { ':path': '/version', ...lines })).toBe(status);
    other.destroy();
  });
});
