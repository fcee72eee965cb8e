import type { HostileCase } from '../hostile-case.ts';
import type { HostileRequest, Reply } from '../hostile-client.ts';
import { namespaced } from '../text-bodies.ts';

const longBytes = 60_000;
const long = (unit: string): string => unit.repeat(longBytes / unit.length);
const list = (parameter: string, value: string): string =>
  `${namespaced('pods')}?${parameter}=${encodeURIComponent(value).slice(0, longBytes)}`;

/** Requests with heads of the maximum size. */
const requests: Readonly<Record<string, HostileRequest>> = {
  'Accept of nothing but blanks': { path: '/readyz', headers: { accept: long(' ') } },
  'Accept of blanks': { path: '/readyz', headers: { accept: `a${long(' ')}a` } },
  'Accept of commas': { path: namespaced('pods'), headers: { accept: long(',') } },
  'Accept of types': { path: namespaced('pods'), headers: { accept: long('a/b,') } },
  'Accept of parameters': { path: namespaced('pods'), headers: { accept: `a/b${long(';a=b')}` } },
  'Accept of quotes': { path: namespaced('pods'), headers: { accept: `a/b;c="${long('\\"')}` } },
  'Accept of OpenAPI': { path: '/openapi/v2', headers: { accept: `a/b${long(' ;')}` } },
  'Accept-Encoding of blanks': { path: namespaced('pods'), headers: { 'accept-encoding': `a${long(' ')}a` } },
  'Accept-Encoding of gzip': { path: namespaced('pods'), headers: { 'accept-encoding': long('gzip,') } },
  'If-None-Match of tags': { path: '/openapi/v2', headers: { 'if-none-match': long('"a",') } },
  'User-Agent of slashes': { path: namespaced('pods'), headers: { 'user-agent': long('/') } },
  'User-Agent of brackets': { path: namespaced('pods'), headers: { 'user-agent': long('(') } },
  'Content-Type of blanks': {
    method: 'POST',
    path: namespaced('pods'),
    headers: { 'content-type': `a${long(' ')}a` },
    body: '{}',
  },
  'Content-Type of parameters': {
    method: 'POST',
    path: namespaced('pods'),
    headers: { 'content-type': `a/b${long(';a=b')}` },
    body: '{}',
  },
  'Authorization of blanks': { path: namespaced('pods'), headers: { authorization: `Bearer${long(' ')}a` } },
  'Authorization of points': { path: namespaced('pods'), headers: { authorization: `Bearer ${long('.')}` } },
  'path of slashes': { path: long('/') },
  'path of percents': { path: `/${long('%2f')}` },
  'path of points': { path: `/${long('../')}` },
  'path of parts': { path: `/api/v1${long('/a')}` },
  dryRun: { path: `/readyz?dryRun=${long('a')}` },
  parameters: { path: `${namespaced('pods')}?${long('a&')}` },
  'parameters of one name': { path: `${namespaced('pods')}?${long('fieldManager=a&')}` },
  'label selector of commas': { path: list('labelSelector', long(',')) },
  'label selector of words': { path: list('labelSelector', long('a,')) },
  'label selector of sets': { path: list('labelSelector', `a in (${long('b,')}`) },
  'label selector of parentheses': { path: list('labelSelector', long('(')) },
  'label selector of blanks': { path: list('labelSelector', `a${long('  ')}b`) },
  'label selector of exclamations': { path: list('labelSelector', long('!')) },
  'field selector of equals': { path: list('fieldSelector', long('=')) },
  'field selector of names': { path: list('fieldSelector', long('metadata.name=a,')) },
  'field selector of escapes': { path: list('fieldSelector', `metadata.name=${long('\\,')}`) },
  'continue token': { path: list('continue', long('A')) },
  'resource version': { path: list('resourceVersion', long('1')) },
  limit: { path: list('limit', long('1')) },
  timeout: { path: `${namespaced('pods')}?timeout=${long('1h')}` },
  'timeout of digits': { path: `${namespaced('pods')}?timeout=${long('1')}s` },
  'field manager': { method: 'POST', path: `${namespaced('pods')}?fieldManager=${long('a')}`, body: '{}' },
  impersonation: { path: namespaced('pods'), headers: { 'impersonate-user': long('a') } },
};

/** Sequentially. */
const times = 10;

export const headCases: readonly HostileCase[] = Object.entries(requests).map(([name, request]) => ({
  name: `head: ${name}`,
  bodyBytes: longBytes,
  codes: [200, 301, 400, 401, 403, 404, 406, 410, 414, 415, 422, 431, 500, 501, 0],
  async send(client) {
    const replies: Reply[] = [];
    while (replies.length < times) replies.push(await client.send({ method: 'GET', ...request }));
    return replies;
  },
}));
