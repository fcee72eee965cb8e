import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../../api-client.ts';
import { anonymousRequest } from '../../observation/anonymous-request.ts';
import type { KlogLine } from '../../observation/klog-line.ts';

interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: { readonly [name: string]: string };
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data: { secret: 'top-secret' } };

/** Requests of the administrator whose lines are compared. */
const requests: readonly LoggedRequest[] = [
  { method: 'GET', path: '/version' },
  { method: 'GET', path: '/healthz?verbose' },
  { method: 'GET', path: '/nothing/there' },
  { method: 'GET', path: '/api/v1/namespaces/default' },
  { method: 'GET', path: '/api/v1/namespaces/none' },
  { method: 'HEAD', path: '/api/v1/namespaces/default' },
  { method: 'OPTIONS', path: '/api/v1/namespaces' },
  { method: 'GET', path: `${configMaps}?limit=5&labelSelector=a%3Db` },
  { method: 'POST', path: configMaps, body: { metadata: { name: 'a' }, data: { secret: 'top-secret' } } },
  { method: 'POST', path: `${configMaps}?dryRun=All`, body: { metadata: { name: 'b' } } },
  { method: 'POST', path: configMaps, body: { metadata: { name: 'a' } } },
  { method: 'PUT', path: `${configMaps}/a`, body: { metadata: { name: 'a' }, data: { secret: 'top-secret' } } },
  {
    method: 'PATCH',
    path: `${configMaps}/a`,
    body: { data: { more: 'top-secret' } },
    contentType: 'application/merge-patch+json',
  },
  {
    method: 'PATCH',
    path: `${configMaps}/applied?fieldManager=tester`,
    body: applied,
    contentType: 'application/apply-patch+yaml',
  },
  { method: 'GET', path: `${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=0` },
  { method: 'GET', path: `/api/v1/watch/namespaces/default/configmaps/a?timeoutSeconds=1` },
  { method: 'DELETE', path: `${configMaps}/a` },
  { method: 'DELETE', path: `${configMaps}?labelSelector=none` },
  { method: 'GET', path: configMaps, headers: { 'impersonate-user': 'bob', 'impersonate-group': 'devs' } },
  { method: 'GET', path: '/metrics', headers: { 'impersonate-user': 'bob "the builder"\\' } },
];

const agentOf = (index: number): string => `probe/${index} "quoted"`;

/** Sends the requests, some without credentials and with wrong ones, and one at verbosity 0. */
export async function playLogged(url: string, client: ApiClient): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- until it is ready
  while ((await client.exchange('GET', '/readyz', {})).code !== 200) await sleep(50);
  for (const [index, { method, path, body, contentType, headers }] of requests.entries()) {
    const named = { ...headers, 'user-agent': agentOf(index), 'audit-id': `probe-${index}` };
    const type = contentType === undefined ? {} : { contentType };
    // oxlint-disable-next-line no-await-in-loop -- lines are compared in their order
    await client.exchange(method, path, { body, headers: named, ...type });
  }
  await anonymousRequest('GET', `${url}${configMaps}`, { 'user-agent': 'probe/anonymous', 'audit-id': 'probe-a' });
  const wrong = { authorization: 'Bearer top-secret', 'user-agent': 'probe/wrong', 'audit-id': 'probe-w' };
  await anonymousRequest('GET', `${url}${configMaps}`, wrong);
  await client.exchange('PUT', '/debug/flags/v', { body: Buffer.from('0'), headers: { 'user-agent': 'probe/off' } });
  await client.exchange('GET', '/version', { headers: { 'user-agent': 'probe/unseen' } });
  // The line of a request follows its response.
  await sleep(200);
}

const ours = new Set(['HTTP', 'Starting watch', 'Forbidden', 'Unable to authenticate the request']);

/** What is the same of both servers in lines about these requests. */
export function comparable(lines: readonly KlogLine[]): readonly string[] {
  const kept = lines.filter(({ message, values }) => {
    if (!ours.has(message)) return false;
    const written = values.map(([, value]) => value).join(' ');
    return message === 'Unable to authenticate the request' || /probe|configmaps|\/metrics/.test(written);
  });
  return kept
    .filter(({ message, values }) => message !== 'Forbidden' || values.some(([, value]) => value.includes('/metrics')))
    .map(({ severity, message, values }) => {
      const shown = values.filter(([key]) => key !== 'reason').map(([key, value]) => ` ${key}=${normalized(value)}`);
      return `${severity} ${message}${shown.join('')}`;
    });
}

function normalized(value: string): string {
  return value
    .replace(/^"(?:\d+(?:\.\d+)?(?:ns|µs|ms|s|m))+"$/, (text) => (text === '"0s"' ? text : '"<duration>"'))
    .replace(/^"127\.0\.0\.1:\d+"$/, '"127.0.0.1:<port>"');
}
